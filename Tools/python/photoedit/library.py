# SPDX-License-Identifier: Apache-2.0
"""Photo libraries: assets, albums and changes."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping
from ctypes import byref, c_uint64
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from ._native import CError, library
from .commands import Outcome, run, stream
from .errors import UsageError
from .native import (
    Cancellation, Filter, Handle, Option, PathLike, check, filter_words, option_words)


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
        self.folder = os.fspath(folder)
        if "\0" in self.folder:
            raise UsageError("the path contains a zero byte", "argument")
        handle, error = c_uint64(), CError()
        check(
            library.photoedit_library_open(
                os.fsencode(self.folder), byref(handle), byref(error)), error)
        self._handle = Handle(handle, library.photoedit_library_close)

    @classmethod
    def create(cls, folder: PathLike) -> Library:
        """Creates a library in a new or empty folder."""
        run("library", "create", "--", folder)
        return cls(folder)

    def close(self) -> None:
        """Closes the library; later calls raise `UsageError`."""
        self._handle.close()

    def __enter__(self) -> Library:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _words(self, words: Iterable[str]) -> list[str]:
        if not self._handle.value:
            raise UsageError(f"{self.folder}: the library is closed", "handle")
        first, *rest = words
        return [*first.split(" "), f"--library={self.folder}", *rest]

    def run(
            self, command: str, *arguments: PathLike,
            cancellation: Cancellation | None = None) -> Outcome:
        """Runs a command with this library: `run("album add", "Lisbon", asset.identifier)`."""
        words = [command, *(os.fspath(word) for word in arguments)]
        return run(*self._words(words), cancellation=cancellation)

    def import_(
            self, *paths: PathLike, cancellation: Cancellation | None = None,
            **options: Option) -> list[dict[str, Any]]:
        """Imports files and folders; one report for each file, then the summary."""
        words = ["asset import", "--json", *option_words(options), "--"]
        return self.run(*words, *paths, cancellation=cancellation).reports

    def assets(self, *terms: str, **options: Option) -> Iterator[Asset]:
        """Assets, as `asset list` finds them: `assets("harbor", where="rating >= 4")`.

        They are read while they are used; many are not held in memory.
        """
        words = self._words(["asset list", "--json", *option_words(options), *terms])
        return (Asset.of(row) for row in stream(*words))

    def albums(self, **options: Option) -> Iterator[Album]:
        """The albums."""
        words = self._words(["album list", "--json", *option_words(options)])
        return (Album.of(row) for row in stream(*words))

    def create_album(self, title: str, **options: Option) -> str:
        """Creates an album; returns its identifier."""
        words = ["album create", "--json", *option_words(options), "--", title]
        identifier: str = self.run(*words).reports[0]["identifier"]
        return identifier

    def add(self, album: str, *assets: Asset | str) -> None:
        """Appends assets to an album."""
        self.run("album add", "--", album, *_identifiers(assets))

    def set(self, *assets: Asset | str, **options: Option) -> None:
        """Sets properties of assets in one commit: `set(asset, title="Harbor", rating=4)`."""
        values: dict[str, Option] = {
            name: ("no", "yes")[value] if isinstance(value, bool) else value
            for name, value in options.items()}
        self.run("asset set", *option_words(values), "--", *_identifiers(assets))

    def apply(
            self, *assets: Asset | str, filters: Iterable[Filter] = (),
            cancellation: Cancellation | None = None, **options: Option) -> list[dict[str, Any]]:
        """Edits assets; one report for each of them."""
        words = ["apply", "--json", *filter_words(filters), *option_words(options), "--"]
        return self.run(*words, *_identifiers(assets), cancellation=cancellation).reports

    def changes(self, since: str | None = None, *, follow: bool = False) -> Iterator[Change]:
        """The commits after a token; with `follow`, also those to come, of any program.

        Without a token: the retained history, or with `follow` only those to come.
        """
        words = self._words(["changes", "--json"])
        words += [] if since is None else [f"--since={since}"]
        return (Change.of(row) for row in stream(*words, *(["--follow"] if follow else [])))


def _identifiers(assets: Iterable[Asset | str]) -> list[str]:
    return [asset if isinstance(asset, str) else asset.identifier for asset in assets]
