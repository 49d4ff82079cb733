"""The shared object: commands as answers, and the binary's main."""

from collections.abc import Callable, Sequence
from typing import final

__all__ = [
    "__version__",
    "Answer",
    "Table",
    "answer",
    "time_answer",
    "make_table",
    "decoder_batch",
    "read_points",
    "read_ranges",
    "run_program",
    "Error",
    "UsageError",
]

__version__: str

class Error(Exception):
    """derate could not do its work: one sentence with what, where and what to do."""

    file: str | None
    """The file that is at fault, where one is."""
    line: int | None
    """The line of it, from one, where one is known."""

class UsageError(Error):
    """An argument is not one that derate takes."""

@final
class Answer:
    """What a command gave."""

    @property
    def json(self) -> bytes:
        """The bytes that `--format json` prints."""
    def html(self) -> str:
        """The same as a part of a page, in the look of the report; empty where there is nothing to show."""
    @property
    def notes(self) -> list[str]:
        """The lines that the binary prints to stderr."""
    @property
    def is_refused(self) -> bool:
        """Whether the binary exits with 1."""

@final
class Table:
    """Rows and columns, which pandas, polars and pyarrow take by `__arrow_c_stream__`."""

    @property
    def num_rows(self) -> int: ...
    @property
    def column_names(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __arrow_c_stream__(self, requested_schema: object = None) -> object: ...

def answer(
    words: Sequence[str], progress: Callable[[str, float], object] | None = None
) -> Answer:
    """Runs the command of these words; `progress` is called with words and the share that is done while it runs."""

def time_answer(words: Sequence[str]) -> float:
    """How long the work of a command takes without Python, in seconds."""

def make_table(columns: Sequence[tuple[str, str, Sequence[object]]]) -> Table:
    """A table of columns: name, kind of the values (`text`, `flag`, `whole` or `number`), values."""

def read_points(content: bytes) -> Table:
    """The rows of a file that `--parquet` wrote."""

def read_ranges(content: bytes) -> tuple[int, list[tuple[int, int]]]:
    """How many points the search of a file has, and which of them it has."""

def decoder_batch(
    words: Sequence[str], batch: bytes, prompt: bytes, generate: bytes, threads: int | None = None
) -> Table:
    """The runs of a decoder whose extents are columns of 64-bit numbers, the lowest byte first."""

def run_program(words: Sequence[str], program: str | None) -> int:
    """Runs a command as the binary does, and gives its exit status."""
