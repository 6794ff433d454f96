from metrics import *
from metrics import __all__ as __all__
from metrics import __version__ as __version__
from metrics import engines as engines
from metrics import readers as readers
from metrics import report as report
