"""The command line. Commands say what they do; the work is done elsewhere and imported when it is needed."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from assets.contract.errors import PaperfoldError
from assets.contract.folder import DataFolder
from orchestration.output import Format, print_json, print_rows

app = typer.Typer(
    help="Fold overlapping paper lists into one clean, checked, queryable table.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)

Data = Annotated[Path | None, typer.Option("--data", metavar="DIR", help="The data folder (default: data).")]
Json = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def main() -> None:
    """Run the command line; an error for people is one message and exit code 1, never a traceback."""
    try:
        app()
    except PaperfoldError as error:
        print(f"error: {error}", file=sys.stderr)  # noqa: T201
        sys.exit(1)
    except OSError as error:
        where = f": {error.filename}" if error.filename else ""
        words = f"error: {error.strerror or error}{where}. The current release stays as it was."
        print(words, file=sys.stderr)  # noqa: T201
        sys.exit(1)
    except KeyboardInterrupt:
        print("stopped; the current release stays as it was", file=sys.stderr)  # noqa: T201
        sys.exit(130)


def _folder(data: Path | None) -> DataFolder:
    from orchestration.settings import load_settings

    return DataFolder(data if data is not None else load_settings().data)


@app.command()
def build(
    raw: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[RAW ...]", help="Folders or files of paper lists; they replace the remembered sources."
        ),
    ] = None,
    data: Data = None,
    full: Annotated[bool, typer.Option("--full", help="Read and fold everything again, keeping the ids.")] = False,
    wait: Annotated[float, typer.Option("--wait", metavar="SECONDS", min=0, help="Wait for another writer.")] = 0,
    accept_drift: Annotated[bool, typer.Option("--accept-drift", help="Publish though most papers are gone.")] = False,
    allow_empty: Annotated[
        bool, typer.Option("--allow-empty", help="Publish even when nothing could be read.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Refresh the release from the sources: read what is new, fold, check, publish."""
    from orchestration.build import run_build
    from orchestration.settings import data_path
    from orchestration.summary import render

    folder = DataFolder(data if data is not None else data_path())
    summary = run_build(folder, raw or [], full=full, wait_seconds=wait, drift=accept_drift, empty=allow_empty)
    print_json(summary) if as_json else typer.echo(render(summary, folder))


@app.command()
def status(data: Data = None, as_json: Json = False) -> None:
    """Show the current release, its age, each source with its last fetch, failing checks and the next refresh."""
    from orchestration.status import read_status, render

    state = read_status(_folder(data))
    print_json(state) if as_json else typer.echo(render(state))


@app.command()
def query(
    sql: Annotated[str, typer.Argument(metavar="SQL", help="A query over the tables and views of the release.")],
    data: Data = None,
    format_: Annotated[Format, typer.Option("--format", help="How the rows are printed.")] = Format.TABLE,
    as_json: Json = False,
) -> None:
    """Run SQL on the current release, which stays as it is."""
    from orchestration.query import run_query

    run_query(_folder(data), sql, Format.JSON if as_json else format_)


@app.command(context_settings={"ignore_unknown_options": True})
def search(
    words: Annotated[
        list[str],
        typer.Argument(
            metavar="WORDS",
            help="Words; '\"a phrase\"' in quotes of its own, -word to leave out, memor* for all that begin so.",
        ),
    ],
    data: Data = None,
    limit: Annotated[int, typer.Option("--limit", metavar="N", min=1, help="Papers shown at most.")] = 10,
    as_json: Json = False,
) -> None:
    """Find papers by the words of their titles and texts, the best answer first."""
    from orchestration.search import answer_json, print_answer, search_release

    asked = " ".join(words)
    answer = search_release(_folder(data), asked, limit)
    print_json(answer_json(answer)) if as_json else print_answer(answer, asked)


@app.command()
def changes(
    since: Annotated[
        str | None,
        typer.Option("--since", metavar="RELEASE|DATE", help="A release, or a date: the last one published before it."),
    ] = None,
    list_key: Annotated[
        str | None, typer.Option("--list", metavar="KEY", help="Compare the last two snapshots of this list.")
    ] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Tell which papers are new, revised, cut or dropped since the release before."""
    from orchestration.changes import read_changes, show
    from orchestration.terminal import prose_console

    found = read_changes(_folder(data), since, list_key)
    print_json(found) if as_json else show(found, prose_console())


@app.command()
def show(
    paper: Annotated[str, typer.Argument(metavar="PAPER_ID", help="A paper id, or an unmistakable beginning of one.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Show a paper: where it stands, its versions with their differences, its folds, conflicts and facts."""
    from orchestration.show import read_paper, show
    from orchestration.terminal import prose_console

    found = read_paper(_folder(data), paper)
    print_json(found) if as_json else show(found, prose_console())


@app.command()
def why(
    first: Annotated[str, typer.Argument(metavar="A", help="An occurrence id, a paper id, or a file with one text.")],
    second: Annotated[str, typer.Argument(metavar="B", help="The other one.")],
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Explain why two texts fold, or do not, and what the release did with them."""
    from orchestration.terminal import prose_console
    from orchestration.why import explain, show

    report = explain(_folder(data), first, second)
    print_json(report) if as_json else show(report, prose_console())


@app.command()
def verify(
    release: Annotated[str | None, typer.Argument(help="A release (default: the current one).")] = None,
    data: Data = None,
    as_json: Json = False,
) -> None:
    """Check a release again: its files against the manifest, its tables against every rule."""
    from orchestration.verify import render, verify_release

    report = verify_release(_folder(data), release)
    print_json(report) if as_json else typer.echo(render(report))
    if not report["ok"]:
        raise typer.Exit(1)


@app.command()
def releases(data: Data = None, as_json: Json = False) -> None:
    """List the releases, newest first."""
    from assets.release.store import current_release, list_releases, read_pin

    folder = _folder(data)
    current, pin = current_release(folder), read_pin(folder)
    columns = ("release_id", "published_at", "documents", "occurrences", "papers", "current")
    rows = []
    for release in list_releases(folder):
        mark = ("pinned" if pin else "current") if release.release_id == current else ""
        counts = [release.counts[name] for name in columns[2:5]]
        rows.append((release.release_id, release.published_at.isoformat(timespec="seconds"), *counts, mark))
    print_rows(columns, rows, Format.JSON if as_json else Format.TABLE)


@app.command()
def rollback(
    release: Annotated[str | None, typer.Argument(help="The release that readers shall see.")] = None,
    unpin: Annotated[bool, typer.Option("--unpin", help="Give readers the latest release again.")] = False,
    data: Data = None,
    wait: Annotated[float, typer.Option("--wait", metavar="SECONDS", min=0, help="Wait for another writer.")] = 0,
) -> None:
    """Point readers to an earlier release and hold them there until --unpin or the next explicit build."""
    if (release is None) == (not unpin):
        raise typer.BadParameter("name either a RELEASE or --unpin")
    from orchestration.rollback import roll_back

    typer.echo(roll_back(_folder(data), release, wait))


@app.command()
def gc(data: Data = None, as_json: Json = False) -> None:
    """Remove old releases, what crashed runs left, and stored contents that no kept release came from."""
    from orchestration.gc import collect_garbage, render
    from orchestration.settings import load_settings

    report = collect_garbage(_folder(data), load_settings().release.keep)
    print_json(report) if as_json else typer.echo(render(report))


@app.command()
def docs(
    folder: Annotated[Path | None, typer.Argument(help="Write the whole reference into this folder.")] = None,
    as_json: Json = False,
) -> None:
    """Print the data dictionary: every table, view and column; with FOLDER, write it with commands and settings."""
    from orchestration.dictionary import dictionary_json, dictionary_markdown

    if folder is not None:
        from orchestration.reference import write_reference

        if not folder.is_dir():
            raise PaperfoldError(f"{folder} is not there. Expected a folder for the reference files.")
        typer.echo("\n".join(f"wrote {path}" for path in write_reference(folder, app)))
    elif as_json:
        print_json(dictionary_json())
    else:
        typer.echo(dictionary_markdown(), nl=False)


if __name__ == "__main__":
    main()
