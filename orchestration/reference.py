"""The generated reference: data dictionary, commands and settings. A test keeps the files in docs/ equal to it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

from pydantic import BaseModel
from pydantic.fields import FieldInfo
from pydantic_core import PydanticUndefined
from typer import Typer

from orchestration.dictionary import dictionary_markdown
from orchestration.settings import Settings

_WIDTH = "100"


def write_reference(folder: Path, app: Typer) -> list[Path]:
    """Write the reference of the settings, the tables and a command line into a folder; return the files."""
    texts = {
        "data-dictionary.md": dictionary_markdown(),
        "commands.md": commands_markdown(app),
        "settings.md": settings_markdown(),
    }
    for name, text in texts.items():
        (folder / name).write_text(text, encoding="utf-8")
    return [folder / name for name in texts]


def commands_markdown(app: Typer) -> str:
    """Return the help of every command as Markdown."""
    from typer.testing import CliRunner  # for tests and for this, not for every command

    runner = CliRunner(env={"COLUMNS": _WIDTH, "TERMINAL_WIDTH": _WIDTH, "NO_COLOR": "1", "TERM": "dumb"})
    names = [command.name or command.callback.__name__ for command in app.registered_commands if command.callback]
    lines = [
        "# Commands",
        "",
        "Generated from the commands' own help; a test keeps it true. Exit codes: 0 done; 1 a check failed, the input",
        "is bad or the folder is busy; 2 wrong usage.",
    ]
    for name in sorted(names):
        text = runner.invoke(app, [name, "--help"], prog_name="paperfold").output
        body = "\n".join(line.rstrip() for line in text.strip().splitlines())
        lines += ["", f"## paperfold {name}", "", "```text", body, "```"]
    return "\n".join(lines) + "\n"


def settings_markdown() -> str:
    """Return every setting with its type, default and description as Markdown."""
    lines = [
        "# Settings",
        "",
        "Generated from the settings' models; a test keeps it true. All are optional and stand in `paperfold.toml` in",
        "the working folder. A variable overrides the file, and a command's option overrides both: the variable of",
        "`schedule.cron` is `PAPERFOLD_SCHEDULE__CRON`.",
        "",
        "| key | type | default | meaning |",
        "|---|---|---|---|",
    ]
    lines += [f"| `{key}` | {kind} | {default} | {text} |" for key, kind, default, text in _settings(Settings, "")]
    return "\n".join(lines) + "\n"


def _settings(model: type[BaseModel], prefix: str) -> Iterator[tuple[str, str, str, str]]:
    """Yield (key, type, default, description) of each setting, nested ones in their place."""
    for name, field in model.model_fields.items():
        nested, repeated = _nested_model(field.annotation)
        if nested is None:
            yield (
                f"{prefix}{name}",
                _type_words(field.annotation),
                _default_words(field),
                _cell(field.description or ""),
            )
        else:
            key = f"{prefix}[[{name}]]" if repeated else f"{prefix}{name}"
            yield key, "tables" if repeated else "table", "", _cell(field.description or "")
            yield from _settings(nested, f"{prefix}{name}.")


def _nested_model(annotation: Any) -> tuple[type[BaseModel] | None, bool]:
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return annotation, False
    for argument in get_args(annotation):
        if isinstance(argument, type) and issubclass(argument, BaseModel):
            return argument, True
    return None, False


def _type_words(annotation: Any) -> str:
    names = {str: "text", int: "whole number", float: "number", bool: "true or false", Path: "path"}
    if annotation in names:
        return names[annotation]
    parts = [_type_words(argument) for argument in get_args(annotation) if argument not in (type(None), Ellipsis)]
    return " or ".join(dict.fromkeys(parts)) or "text"


def _default_words(field: FieldInfo) -> str:
    if field.default is PydanticUndefined:
        return "required"
    return "none" if field.default in (None, ()) else f"`{field.default}`"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")
