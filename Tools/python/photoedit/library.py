# SPDX-License-Identifier: Apache-2.0
"""Photo libraries: assets, albums and changes."""

from __future__ import annotations

import asyncio
import os
import weakref
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from ctypes import byref, c_uint64
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any, TypeVar, Union, cast

from ._native import CError, library
from .commands import Lines, Outcome, run
from .errors import UsageError
from .image import Image
from .native import (
    Cancellation, Filters, Handle, PathLike, check, filter_words, flattened, option_words)

if TYPE_CHECKING:
    from typing import Unpack

    from .options import (
        AlbumCreateOptions, AlbumListOptions, ApplyOptions, AssetShowOptions, ExportOptions,
        ImportOptions, ListOptions, OpenOptions, PropertiesOptions, RedoOptions, RevertOptions,
        UndoOptions)

Item = TypeVar("Item")


class Rows(Iterator[Item]):
    """Objects that are read while they are used. `close` ends the iteration, from any thread."""

    def __init__(self, lines: Lines, of: Callable[[dict[str, Any]], Item]) -> None:
        self._lines, self._of = lines, of

    def __next__(self) -> Item:
        row = next(self._lines)
        try:
            return self._of(row)
        except KeyError:
            raise UsageError(
                "an option lists other objects than these", "argument",
                "use run(…, '--json').reports") from None

    def close(self) -> None:
        """Ends the command that writes them, and the iteration."""
        self._lines.close()

    def __enter__(self) -> Rows[Item]:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __aiter__(self) -> Rows[Item]:
        return self

    async def __anext__(self) -> Item:
        end = object()
        try:
            item = await asyncio.to_thread(next, self, end)
        except asyncio.CancelledError:
            # Ends the thread, which waits for a row.
            self.close()
            raise
        if item is end:
            raise StopAsyncIteration
        return cast(Item, item)


def _date(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


@dataclass(frozen=True)
class Asset:
    """A photo or video of a library; `report` has everything that `asset list --json` prints."""

    identifier: str
    filename: str
    media_type: str
    width: int
    height: int
    creation_date: datetime | None
    title: str | None
    caption: str | None
    keywords: tuple[str, ...]
    rating: int
    favorite: bool
    hidden: bool
    edited: bool
    report: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Asset:
        """The asset of a row."""
        return cls(
            row["identifier"], row["originalFilename"], row["mediaTypeName"], row["pixelWidth"],
            row["pixelHeight"], _date(row["creationDate"]), row["title"], row["caption"],
            tuple(row["keywords"]), row["rating"], row["favorite"], row["hidden"],
            row["hasAdjustments"], row)


@dataclass(frozen=True)
class Album:
    """An album, or a folder of albums, whose `count` is None."""

    identifier: str
    title: str | None
    kind: str
    count: int | None
    report: Mapping[str, Any] = field(repr=False, compare=False)

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Album:
        """The album of a row."""
        return cls(row["identifier"], row["title"], row["kindName"], row.get("count"), row)


@dataclass(frozen=True)
class Changes:
    """The identifiers of inserted, updated and deleted objects of one kind."""

    inserted: tuple[str, ...]
    updated: tuple[str, ...]
    deleted: tuple[str, ...]

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Changes:
        """The changes of one kind of objects."""
        return cls(tuple(row["inserted"]), tuple(row["updated"]), tuple(row["deleted"]))


@dataclass(frozen=True)
class Change:
    """One commit. A client that stores the last `token` misses no change."""

    token: str
    date: datetime | None
    assets: Changes
    albums: Changes
    folders: Changes

    @classmethod
    def of(cls, row: Mapping[str, Any]) -> Change:
        """The change of a row."""
        kinds = (Changes.of(row[name]) for name in ("assets", "albums", "folders"))
        return cls(row["token"], _date(row["date"]), *kinds)


class Library:
    """An open library. Use it with `with`, or call `close`."""

    def __init__(self, folder: PathLike) -> None:
        """Opens the library in a folder."""
        # It stays the same folder if the process changes its own.
        self.folder = os.path.abspath(os.fsdecode(folder))
        if "\0" in self.folder:
            raise UsageError("the path contains a zero byte", "argument")
        handle, error = c_uint64(), CError()
        check(
            library.photoedit_library_open(
                os.fsencode(self.folder), byref(handle), byref(error)), error)
        self._handle = Handle(handle, library.photoedit_library_close)
        self._running: weakref.WeakSet[Lines] = weakref.WeakSet()

    @classmethod
    def create(cls, folder: PathLike) -> Library:
        """Creates a library in a new or empty folder."""
        run("library", "create", "--", folder)
        return cls(folder)

    def close(self) -> None:
        """Closes the library and ends its iterators; later calls raise `UsageError`."""
        for lines in list(self._running):
            lines.close()
        self._handle.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        return f"<photoedit.Library {self.folder!r}{'' if self._handle.value else ', closed'}>"

    def _lines(self, *words: str) -> Lines:
        lines = Lines(*self._words(words))
        self._running.add(lines)
        return lines

    def _words(self, words: Iterable[str]) -> list[str]:
        if not self._handle.value:
            raise UsageError(f"{self.folder}: the library is closed", "handle")
        first, *rest = words
        return [*first.split(" "), f"--library={self.folder}", *rest]

    def run(
            self, command: str, *arguments: PathLike,
            cancellation: Cancellation | None = None) -> Outcome:
        """Runs a command with this library: `run("album add", "Lisbon", asset.identifier)`."""
        words = [command, *(os.fsdecode(word) for word in arguments)]
        return run(*self._words(words), cancellation=cancellation)

    def import_(
            self, *paths: PathLike, cancellation: Cancellation | None = None,
            **options: Unpack[ImportOptions]) -> list[dict[str, Any]]:
        """Imports files and folders; one report for each file, then the summary."""
        names = flattened(paths)
        if paths and not names:
            return []
        words = ["asset import", "--json", *option_words(options), "--"]
        return self.run(*words, *names, cancellation=cancellation).reports

    def assets(self, *terms: str, **options: Unpack[ListOptions]) -> Rows[Asset]:
        """Assets, as `asset list` finds them: `assets("harbor", where="rating >= 4")`.

        They are read while they are used; many are not held in memory.
        """
        words = ["asset list", "--json", *option_words(options), "--", *terms]
        return Rows(self._lines(*words), Asset.of)

    def albums(self, **options: Unpack[AlbumListOptions]) -> Rows[Album]:
        """The albums."""
        return Rows(self._lines("album list", "--json", *option_words(options)), Album.of)

    def create_album(self, title: str, **options: Unpack[AlbumCreateOptions]) -> str:
        """Creates an album; returns its identifier."""
        words = ["album create", "--json", *option_words(options), "--", title]
        identifier: str = self.run(*words).reports[0]["identifier"]
        return identifier

    def add(self, album: Album | str, *assets: Assets) -> None:
        """Appends assets to an album."""
        name = album.identifier if isinstance(album, Album) else album
        self._on(assets, "album add", "--", name)

    def set(self, *assets: Assets, **options: Unpack[PropertiesOptions]) -> None:
        """Sets properties of assets in one commit: `set(asset, title="Harbor", rating=4)`.

        `keywords` replaces all keywords: a list, or a text with commas.
        """
        values: dict[str, object] = {
            name: ("no", "yes")[value] if isinstance(value, bool) else value
            for name, value in options.items()}
        keywords = values.get("keywords")
        if isinstance(keywords, (list, tuple)):
            if any("," in str(keyword) for keyword in keywords):
                raise UsageError("keywords: a keyword contains a comma", "argument")
            values["keywords"] = ",".join(map(str, keywords))
        location = values.get("location")
        if isinstance(location, (list, tuple)):
            values["location"] = ",".join(map(str, location))
        self._on(assets, "asset set", *option_words(values), "--")

    def apply(
            self, *assets: Assets, filters: Filters = (),
            cancellation: Cancellation | None = None,
            **options: Unpack[ApplyOptions]) -> list[dict[str, Any]]:
        """Edits assets; one report for each of them."""
        words = ["apply", "--json", *filter_words(filters), *option_words(options), "--"]
        return self._on(assets, *words, cancellation=cancellation)

    def show(self, asset: Asset | str, **options: Unpack[AssetShowOptions]) -> dict[str, Any]:
        """The properties, albums and files of an asset."""
        words = ["asset show", "--json", *option_words(options), "--", *_identifiers([asset])]
        return self.run(*words).reports[0]

    def path(self, asset: Asset | str, *, original: bool = False) -> str:
        """The file of the current version of an asset, or of its original. Only to be read."""
        files = self.show(asset)["files"]
        names = ["photo", "video"] if original else [
            "fullSizePhoto", "fullSizeVideo", "photo", "video"]
        found = [
            file["path"] for name in names for file in files
            if file["typeName"] == name and file.get("path")]
        if not found:
            raise UsageError(f"{asset}: no file of the photo or video is in the library", "noFile")
        path: str = found[0]
        return path

    def image(
            self, asset: Asset | str, *, original: bool = False,
            **options: Unpack[OpenOptions]) -> Image:
        """Opens the current version of a photo, or its original; the options are those of `Image`."""
        return Image(self.path(asset, original=original), **options)

    def undo(self, *assets: Assets, **options: Unpack[UndoOptions]) -> list[dict[str, Any]]:
        """Returns assets to the state before the last change of their edit, or to the state `to`."""
        return self._edit("undo", assets, options)

    def redo(self, *assets: Assets, **options: Unpack[RedoOptions]) -> list[dict[str, Any]]:
        """Repeats the change that was undone last."""
        return self._edit("redo", assets, options)

    def revert(self, *assets: Assets, **options: Unpack[RevertOptions]) -> list[dict[str, Any]]:
        """Reverts assets to their originals, which can be undone."""
        return self._edit("revert", assets, options)

    def history(self, asset: Asset | str) -> dict[str, Any]:
        """The states of the edit of an asset."""
        return self._edit("history", [asset], {})[0]

    def export(
            self, folder: PathLike, *assets: Assets, cancellation: Cancellation | None = None,
            **options: Unpack[ExportOptions]) -> list[dict[str, Any]]:
        """Exports assets to a folder, or with `album`, `where` or `all` those that are found.

        One report for each file: `export("out", where="rating >= 4", fit=2048, srgb=True)`.
        """
        words = ["asset export", "--json", f"--output={os.fsdecode(folder)}"]
        words += [*option_words(options), "--"]
        return self._on(assets, *words, cancellation=cancellation)

    def delete(self, *assets: Assets) -> None:
        """Moves assets to the trash, from which `restore` takes them."""
        self._on(assets, "asset delete", "--yes", "--")

    def restore(self, *assets: Assets) -> None:
        """Restores assets from the trash, with edits and albums."""
        self._on(assets, "asset restore", "--")

    def _edit(
            self, command: str, assets: Sequence[Assets],
            options: Mapping[str, object]) -> list[dict[str, Any]]:
        return self._on(assets, command, "--json", *option_words(options), "--")

    def _on(
            self, assets: Sequence[Assets], *words: str,
            cancellation: Cancellation | None = None) -> list[dict[str, Any]]:
        """Runs a command on assets; nothing for an empty selection. The lines of `--json`."""
        identifiers = _identifiers(assets)
        if assets and not identifiers:
            return []
        outcome = self.run(*words, *identifiers, cancellation=cancellation)
        return outcome.reports if "--json" in words else []

    def changes(self, since: str | None = None, *, follow: bool = False) -> Rows[Change]:
        """The commits after a token; with `follow`, also those to come, of any program.

        Without a token: the retained history, or with `follow` only those to come. To end a follower,
        `close` it or the library.
        """
        words = [] if since is None else [f"--since={since}"]
        words += ["--follow"] if follow else []
        return Rows(self._lines("changes", "--json", *words), Change.of)


#: An asset, its identifier, or several of them.
Assets = Union[Asset, str, Iterable[Union[Asset, str]]]


def _identifiers(assets: Iterable[Assets]) -> list[str]:
    return [
        asset.identifier if isinstance(asset, Asset) else asset for asset in flattened(assets)]
