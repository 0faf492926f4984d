"""The one decorator that compiles, and the one place where its options live.

`@compiled` turns a plain function over numbers and arrays into machine code through Numba, lazily, and caches it on
disk. With `NUMBA_DISABLE_JIT=1` it does nothing: the same rules run as ordinary Python under a debugger.

Numba alone renews a cached function when its own file changes, not when a function or constant it uses from another
file does. Here the cache folder is keyed by a digest of all the sources of this package and of the function's own,
so engine, batch and bots can never play by different rules. `NUMBA_CACHE_DIR` moves the folder elsewhere.
"""

import hashlib
import os
import shutil
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import numba
from numba.core import config as numba_config
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

_config: Any = numba_config  # its settings are set at run time

Function = TypeVar("Function", bound=Callable[..., Any])

KEPT_CACHES = 24
"""How many cache folders of other source versions stay before the oldest are removed."""

_ENGINE_ROOT = Path(__file__).parent


def compiled(function: Function) -> Function:
    """Compile a function of numbers and arrays; leave it alone when Numba's compiler is switched off."""
    if _config.DISABLE_JIT:
        return function
    dispatcher: Any = numba.njit(function, nogil=True, error_model="numpy")
    dispatcher._cache = _NoticingCache(function)
    return dispatcher  # type: ignore[no-any-return]


class _SourcesLocator(_CacheLocator):  # type: ignore[misc]
    """Puts a function's cache into the folder of its sources' digest."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        self._py_file = file
        self._module = function.__module__
        self._line = function.__code__.co_firstlineno
        self._digest = _sources_digest(_package_root(Path(file)))

    @classmethod
    def from_function(cls, function: Callable[..., Any], file: str) -> "_SourcesLocator":
        return cls(function, file)

    def get_cache_path(self) -> str:
        return str(_cache_home() / self._digest)

    def get_source_stamp(self) -> str:
        return self._digest

    def get_disambiguator(self) -> str:
        return f"{self._module}-{self._line}"


class _SourcesCacheImpl(CompileResultCacheImpl):  # type: ignore[misc]
    _locator_classes = [_SourcesLocator]  # noqa: RUF012  Numba declares it so


class _NoticingCache(FunctionCache):  # type: ignore[misc]
    """Numba's function cache, which says so in one line when a process has to wait for the compiler."""

    _impl_class = _SourcesCacheImpl

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        found = super().load_overload(sig, target_context)
        if found is None and not _has_entries(Path(self.cache_path)):
            _notice_compilation()
        return found


def _has_entries(folder: Path) -> bool:
    return folder.is_dir() and any(folder.glob("*.nbc"))


@cache
def _notice_compilation() -> None:
    """Once per process, when a cache is empty: somebody may be waiting for the whole engine."""
    print("byzanz: compiling the engine, once; a few seconds ...", file=sys.stderr, flush=True)
    _remove_old_caches(_cache_home())


def _remove_old_caches(home: Path) -> None:
    folders = sorted((f for f in home.glob("*") if f.is_dir()), key=lambda f: f.stat().st_mtime, reverse=True)
    for folder in folders[KEPT_CACHES:]:
        shutil.rmtree(folder, ignore_errors=True)


@cache
def _cache_home() -> Path:
    """The user's cache folder, or a temporary one where that cannot be written."""
    chosen = _config.CACHE_DIR or os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    home = Path(chosen) / "byzanz-env"
    try:
        home.mkdir(parents=True, exist_ok=True)
        tempfile.TemporaryFile(dir=home).close()
    except OSError:
        home = Path(tempfile.mkdtemp(prefix="byzanz-env-"))
    return home


def _package_root(file: Path) -> Path:
    """The outermost package a file belongs to, or the file itself where it is on its own."""
    root = file
    while (root.parent / "__init__.py").exists():
        root = root.parent
    return root


@cache
def _sources_digest(root: Path) -> str:
    """A digest of the engine's sources, those under `root`, and the settings that change what is compiled."""
    digest = hashlib.sha256(f"{numba.__version__} {sys.version} {_config.BOUNDSCHECK}".encode())
    for folder in sorted({_ENGINE_ROOT, root}):
        files = sorted(folder.rglob("*.py")) if folder.is_dir() else [folder]
        for file in files:
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:24]
