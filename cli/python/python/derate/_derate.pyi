"""The shared object: commands as answers, and the binary's main."""

from collections.abc import Callable, Sequence

__version__: str

class Error(Exception):
    """derate could not do its work: one sentence with what, where and what to do."""

    file: str | None
    """The file that is at fault, where one is."""
    line: int | None
    """The line of it, from one, where one is known."""

class UsageError(Error):
    """An argument is not one that derate takes."""

class Answer:
    """What a command gave."""

    @property
    def json(self) -> bytes:
        """The bytes that `--format json` prints."""
    @property
    def notes(self) -> list[str]:
        """The lines that the binary prints to stderr."""
    @property
    def is_refused(self) -> bool:
        """Whether the binary exits with 1."""

def answer(words: Sequence[str], progress: Callable[[str], object] | None = None) -> Answer:
    """Runs the command of these words; `progress` is called with words while it runs."""

def run_program(words: Sequence[str], program: str | None) -> int:
    """Runs a command as the binary does, and gives its exit status."""
