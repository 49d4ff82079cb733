"""What a command gives, as objects with attributes."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any, ClassVar

if TYPE_CHECKING:
    from derate._derate import Answer, Table


def _annotations(of: type) -> dict[str, str]:
    """The fields of a class with their types as text, in their order."""
    fields: dict[str, str] = {}
    for base in reversed(of.__mro__):
        fields.update(base.__dict__.get("__annotations__", {}))
    return {
        name: kind
        for name, kind in fields.items()
        if not kind.startswith("ClassVar") and not name.startswith("_") and name != "messages"
    }


def _key(name: str) -> str:
    """The key in the JSON: an attribute that is a word of Python ends with an underscore."""
    return name.removesuffix("_")


class Record:
    """An object of the JSON: its keys are attributes, lists are tuples. It cannot be changed."""

    __slots__ = ("_data",)
    _data: Mapping[str, Any]
    _fields: ClassVar[dict[str, type[Record] | None]]

    def __init__(self, data: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_data", data)

    @classmethod
    def _of_data(cls, data: Mapping[str, Any]) -> Record:
        """An object inside another one."""
        return cls(data)

    @classmethod
    def _kinds(cls) -> dict[str, type[Record] | None]:
        """For each key the class of its objects."""
        if "_fields" not in cls.__dict__:
            module = vars(sys.modules[cls.__module__])

            def kind(text: str) -> type[Record] | None:
                for word in re.findall(r"\w+", text):
                    found = module.get(word)
                    if isinstance(found, type) and issubclass(found, Record):
                        return found
                return None

            cls._fields = {_key(name): kind(text) for name, text in _annotations(cls).items()}
        return cls._fields

    # A type checker knows the fields from the classes.
    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            if name.startswith("__"):
                raise AttributeError(name)
            key, data = _key(name), self._data
            kinds = self._kinds()
            if key in data:
                return _wrap(data[key], kinds.get(key))
            if key in kinds:
                return None
            known = ", ".join(kinds)
            raise AttributeError(f"{type(self).__name__} has no field {name!r}: there are {known}")

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__} cannot be changed")

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *_annotations(type(self))]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Record) and self._data == other._data

    def __hash__(self) -> int:
        return hash(json.dumps(self._data, sort_keys=True))

    def __getstate__(self) -> object:
        return dict(self._data)

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        object.__setattr__(self, "_data", state)

    def __repr__(self) -> str:
        shown = (f"{key}={value!r}" for key, value in self._data.items() if _is_short(value))
        return f"{type(self).__name__}({', '.join(shown)})"

    def to_dict(self) -> dict[str, Any]:
        """A copy as plain Python objects."""
        copy: dict[str, Any] = json.loads(json.dumps(self._data))
        return copy


def _is_short(value: object) -> bool:
    return isinstance(value, (int, float)) or (isinstance(value, str) and len(value) < 60)


def _wrap(value: Any, kind: type[Record] | None) -> Any:
    if isinstance(value, list):
        return tuple(_wrap(one, kind) for one in value)
    if isinstance(value, dict) and kind is not None:
        # What has a name for each object, such as resources.
        if value and kind is not Figure and all(isinstance(one, dict) for one in value.values()):
            known = kind._kinds()
            if not any(key in known for key in value):
                return {key: kind._of_data(one) for key, one in value.items()}
        return kind._of_data(value)
    return value


class Figure(Record):
    """A figure that knows where it came from."""

    value: float
    unit: str
    provenance: str
    source: str

    def __float__(self) -> float:
        return float(self.value)


class Placed(Record):
    """What a report says, with its line and column."""

    value: Any
    line: int
    column: int


class Result(Record):
    """What a command gave: the object that `--format json` prints."""

    __slots__ = ("_html", "_json", "messages")
    _html: Answer | str
    _json: bytes
    messages: tuple[str, ...]
    """What the binary prints to stderr, a sentence each."""

    #: The list of objects that :meth:`to_arrow` gives if none is named.
    _rows: ClassVar[str] = ""

    def __init__(self, answer: Answer) -> None:
        self._set(answer.json, tuple(answer.notes), answer)

    @classmethod
    def _of_data(cls, data: Mapping[str, Any]) -> Record:
        """A result inside another one, such as the audit of a report; what it shows is in the other one."""
        made = cls.__new__(cls)
        made._set(json.dumps(data, ensure_ascii=False).encode(), (), "")
        return made

    def _set(self, text: bytes, messages: tuple[str, ...], html: Answer | str) -> None:
        object.__setattr__(self, "_json", text)
        object.__setattr__(self, "_html", html)
        object.__setattr__(self, "messages", messages)

    if not TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any:
            # The JSON is read when a field is asked for.
            if name == "_data":
                data = json.loads(self._json)
                object.__setattr__(self, "_data", data)
                return data
            return super().__getattr__(name)

    def to_json(self) -> str:
        """The text that the binary prints with `--format json`, to the byte."""
        text: bytes = self._json
        return text.decode()

    def _repr_html_(self) -> str:
        html = self._html
        if not isinstance(html, str):
            html = html.html()
            object.__setattr__(self, "_html", html)
        return html

    def to_arrow(self, rows: str | None = None) -> Table:
        """A list of objects as an Arrow table: pandas, polars and pyarrow take it by the C stream interface.

        `rows` is the path of the list, such as `scenarios.parts.kernels`; nested objects become columns such as
        `bandwidth.value`, and lists of lists are left out. Rows of an inner list have the columns of the objects around it.
        """
        from derate._arrow import make_table

        return make_table(self, rows or self._rows)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, Result) and self._json == other._json

    def __hash__(self) -> int:
        return hash(self._json)

    def __getstate__(self) -> object:
        return (self._json, self.messages, self._repr_html_())

    def __setstate__(self, state: Any) -> None:
        self._set(*state)

    def __iter__(self) -> Iterator[str]:
        raise TypeError(f"{type(self).__name__} is not a list: name one of its fields")
