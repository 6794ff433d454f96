"""Agreement between LLM judges and people: every number with what gives it its meaning.

A name is loaded where it is first used; `__init__.pyi` says which there are and where each comes from.
"""

import lazy_loader

from metrics.loading import modules_of

_offered, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
__getattr__ = modules_of(__name__, _offered)
