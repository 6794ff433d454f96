from metrics import *
from metrics import __all__ as __all__
from metrics import __version__ as __version__
