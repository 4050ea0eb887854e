# SPDX-License-Identifier: Apache-2.0
"""The types of the options of methods. Written by Tools/python/make-options."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, Literal, TypedDict, Union

from .native import PathLike


class OpenOptions(TypedDict, total=False):
    """Options of opening an image."""

    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    max_memory: int | str | None
    """Maximum memory for images, such as 2G; shared among parallel jobs."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class PixelOptions(TypedDict, total=False):
    """Options of rendering pixels of an image."""

    filter: str | list[str] | tuple[str, ...] | None
    """Append a filter (see 'photoedit filters')."""
    preset: PathLike | list[PathLike] | tuple[PathLike, ...] | None
    """Append the filters of a preset, before any --filter."""
    attachment: PathLike | list[PathLike] | tuple[PathLike, ...] | None
    """File referenced by the edit, if not next to it."""
    background: str | None
    """Background color for transparent pixels."""
    auto: str | list[str] | tuple[str, ...] | bool | None
    """Measure the image and add filters that improve it, instead of those of an earlier --auto:
    light, color, white-balance, straighten, lens or all (comma-separated)."""
    match: PathLike | None
    """Measure the image and add the exposure and white balance that match another photo."""
    import_edit: PathLike | None
    """Import settings from a Lightroom XMP or an Apple AAE file."""
    allow_approximate: bool | None
    """Apply imported settings that can only be approximated."""
    fit: int | None
    """Reduce a copy to N pixels on its longer side, in linear light; never enlarge it. Range:
    1–65500."""
    aspect: str | None
    """Crop a copy to an aspect ratio, such as 4:5."""
    gravity: Union[Literal["center", "north", "northeast", "east", "southeast", "south",
        "southwest", "west", "northwest"], None]
    """Part that --aspect keeps (default: center)."""
    srgb: bool | None
    """Convert the colors of a copy to sRGB."""
    sharpen_for: Literal["screen", "print"] | None
    """Sharpen a copy after its size is set."""
    max_bytes: int | str | None
    """Lower the quality until a copy has at most SIZE bytes, such as 500k."""
    progressive: bool | None
    """Write a progressive JPEG."""
    keep: Literal["copyright"] | None
    """Remove all metadata of a copy except this kind (notice and creator)."""
    quality: int | str | None
    """JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."""
    strip: str | list[str] | tuple[str, ...] | None
    """Remove more metadata (comma-separated): location, people (names, faces, releases), device
    (serial numbers, owner and host, not the model), dates, all, or none."""
    dither: str | None
    """Reduction of samples to 8 bits: none (round) or tpdf (dither)."""
    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    max_memory: int | str | None
    """Maximum memory for images, such as 2G; shared among parallel jobs."""
    threads: int | None
    """Threads per image (default: shared among parallel jobs). Range: 1–256."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class RenderOptions(TypedDict, total=False):
    """Options of rendering an image."""

    filter: str | list[str] | tuple[str, ...] | None
    """Append a filter (see 'photoedit filters')."""
    preset: PathLike | list[PathLike] | tuple[PathLike, ...] | None
    """Append the filters of a preset, before any --filter."""
    attachment: PathLike | list[PathLike] | tuple[PathLike, ...] | None
    """File referenced by the edit, if not next to it."""
    background: str | None
    """Background color for transparent pixels."""
    auto: str | list[str] | tuple[str, ...] | bool | None
    """Measure the image and add filters that improve it, instead of those of an earlier --auto:
    light, color, white-balance, straighten, lens or all (comma-separated)."""
    match: PathLike | None
    """Measure the image and add the exposure and white balance that match another photo."""
    import_edit: PathLike | None
    """Import settings from a Lightroom XMP or an Apple AAE file."""
    allow_approximate: bool | None
    """Apply imported settings that can only be approximated."""
    output: PathLike | None
    """Output file, DIR/, which is created, or - for standard output."""
    force: bool | None
    """Overwrite existing files."""
    fit: int | None
    """Reduce a copy to N pixels on its longer side, in linear light; never enlarge it. Range:
    1–65500."""
    aspect: str | None
    """Crop a copy to an aspect ratio, such as 4:5."""
    gravity: Union[Literal["center", "north", "northeast", "east", "southeast", "south",
        "southwest", "west", "northwest"], None]
    """Part that --aspect keeps (default: center)."""
    srgb: bool | None
    """Convert the colors of a copy to sRGB."""
    sharpen_for: Literal["screen", "print"] | None
    """Sharpen a copy after its size is set."""
    max_bytes: int | str | None
    """Lower the quality until a copy has at most SIZE bytes, such as 500k."""
    progressive: bool | None
    """Write a progressive JPEG."""
    keep: Literal["copyright"] | None
    """Remove all metadata of a copy except this kind (notice and creator)."""
    quality: int | str | None
    """JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."""
    strip: str | list[str] | tuple[str, ...] | None
    """Remove more metadata (comma-separated): location, people (names, faces, releases), device
    (serial numbers, owner and host, not the model), dates, all, or none."""
    dither: str | None
    """Reduction of samples to 8 bits: none (round) or tpdf (dither)."""
    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    max_memory: int | str | None
    """Maximum memory for images, such as 2G; shared among parallel jobs."""
    threads: int | None
    """Threads per image (default: shared among parallel jobs). Range: 1–256."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class EncodeOptions(TypedDict, total=False):
    """Options of encoding pixels."""

    output: PathLike | None
    """Output file, DIR/, which is created, or - for standard output."""
    force: bool | None
    """Overwrite existing files."""
    max_bytes: int | str | None
    """Lower the quality until a copy has at most SIZE bytes, such as 500k."""
    progressive: bool | None
    """Write a progressive JPEG."""
    keep: Literal["copyright"] | None
    """Remove all metadata of a copy except this kind (notice and creator)."""
    quality: int | str | None
    """JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."""
    strip: str | list[str] | tuple[str, ...] | None
    """Remove more metadata (comma-separated): location, people (names, faces, releases), device
    (serial numbers, owner and host, not the model), dates, all, or none."""
    dither: str | None
    """Reduction of samples to 8 bits: none (round) or tpdf (dither)."""
    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    max_memory: int | str | None
    """Maximum memory for images, such as 2G; shared among parallel jobs."""
    threads: int | None
    """Threads per image (default: shared among parallel jobs). Range: 1–256."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class ThumbnailOptions(TypedDict, total=False):
    """Options of a thumbnail."""

    size: int | str | None
    """Maximum size in pixels: N or WxH."""
    fill: bool | None
    """Fill the box and crop the excess (default: fit)."""
    enlarge: bool | None
    """Allow upscaling."""
    embedded: bool | None
    """Use the embedded preview if it is large enough."""
    quality: int | None
    """JPEG quality. Range: 1–100."""
    format: Literal["jpeg", "png"] | None
    """Format of the thumbnails."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class ApplyOptions(TypedDict, total=False):
    """Options of 'apply'."""

    filter: str | list[str] | tuple[str, ...] | None
    """Append a filter (see 'photoedit filters')."""
    preset: PathLike | list[PathLike] | tuple[PathLike, ...] | None
    """Append the filters of a preset, before any --filter."""
    graph: PathLike | None
    """Read a complete filter graph as JSON (- for standard input)."""
    attachment: PathLike | list[PathLike] | tuple[PathLike, ...] | None
    """File referenced by the edit, if not next to it."""
    background: str | None
    """Background color for transparent pixels."""
    auto: str | list[str] | tuple[str, ...] | bool | None
    """Measure the image and add filters that improve it, instead of those of an earlier --auto:
    light, color, white-balance, straighten, lens or all (comma-separated)."""
    match: PathLike | None
    """Measure the image and add the exposure and white balance that match another photo."""
    import_edit: PathLike | None
    """Import settings from a Lightroom XMP or an Apple AAE file."""
    allow_approximate: bool | None
    """Apply imported settings that can only be approximated."""
    deflicker: bool | None
    """Measure the photos, in their order, and add exposures that even out the series."""
    replace: bool | None
    """Replace the existing edit instead of adding to it."""
    update: bool | None
    """Make these filters the entire edit; skip photos that already have it."""
    skip_existing: bool | None
    """Skip photos that are already edited or whose output exists."""
    no_sidecar: bool | None
    """Write only the image; do not save the edit."""
    jobs: int | None
    """Number of photos to process in parallel (default: number of cores). Range: 1–256."""
    report: PathLike | None
    """Append a line of JSON for each input to FILE, as --json prints it."""
    retry_failed: PathLike | None
    """Process the inputs that failed or were not started according to a report."""
    sheet: PathLike | None
    """Also write a page that shows the photos before and after (see 'photoedit sheet')."""
    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    fit: int | None
    """Reduce a copy to N pixels on its longer side, in linear light; never enlarge it. Range:
    1–65500."""
    aspect: str | None
    """Crop a copy to an aspect ratio, such as 4:5."""
    gravity: Union[Literal["center", "north", "northeast", "east", "southeast", "south",
        "southwest", "west", "northwest"], None]
    """Part that --aspect keeps (default: center)."""
    srgb: bool | None
    """Convert the colors of a copy to sRGB."""
    sharpen_for: Literal["screen", "print"] | None
    """Sharpen a copy after its size is set."""
    max_bytes: int | str | None
    """Lower the quality until a copy has at most SIZE bytes, such as 500k."""
    progressive: bool | None
    """Write a progressive JPEG."""
    keep: Literal["copyright"] | None
    """Remove all metadata of a copy except this kind (notice and creator)."""
    template: str | None
    """Paths of copies in the folder of -o, such as '{name}-web' or '{created.year}/{seq:4}'."""
    recursive: bool | None
    """Process the photos in folders and below."""
    output: PathLike | None
    """Output file, DIR/, which is created, or - for standard output."""
    force: bool | None
    """Overwrite files that photoedit did not create."""
    dry_run: bool | None
    """Show what would be done without writing anything."""
    strict: bool | None
    """Fail if the output would lose anything."""
    still_only: bool | None
    """Render only the still image of a Live Photo."""
    accept_original: bool | None
    """Apply the saved edit even if the original has changed."""
    format_identifier: str | None
    """Adjustment-data format identifier to read and write."""
    quality: int | str | None
    """JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."""
    strip: str | list[str] | tuple[str, ...] | None
    """Remove more metadata (comma-separated): location, people (names, faces, releases), device
    (serial numbers, owner and host, not the model), dates, all, or none."""
    dither: str | None
    """Reduction of samples to 8 bits: none (round) or tpdf (dither)."""
    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    max_memory: int | str | None
    """Maximum memory for images, such as 2G; shared among parallel jobs."""
    threads: int | None
    """Threads per image (default: shared among parallel jobs). Range: 1–256."""
    video_codec: Literal["h264", "hevc"] | None
    """Video codec for rendered frames."""
    video_quality: int | None
    """Constant rate factor (CRF); lower is better (default: 18 for h264, 20 for hevc). Range:
    0–51."""
    video_preset: Union[Literal["ultrafast", "superfast", "veryfast", "faster", "fast",
        "medium", "slow", "slower", "veryslow"], None]
    """Encoder speed preset."""
    remux: Literal["auto", "libavformat"] | None
    """Engine that converts other videos to QuickTime (auto copies MP4 boxes if nothing is lost;
    libavformat remuxes all packets)."""
    drop_streams: bool | None
    """Leave out audio and subtitles that QuickTime cannot hold (a loss)."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class AdjustOptions(TypedDict, total=False):
    """Options of 'adjust'."""

    set: str | list[str] | tuple[str, ...] | Mapping[str, Any] | None
    """Set a parameter, opacity, mask, blend mode, the inputs or the file of an attachment."""
    remove: str | list[str] | tuple[str, ...] | None
    """Remove a node."""
    move: str | list[str] | tuple[str, ...] | None
    """Move a node to a position."""
    disable: str | list[str] | tuple[str, ...] | None
    """Disable a node."""
    enable: str | list[str] | tuple[str, ...] | None
    """Enable a node."""
    upgrade: str | list[str] | tuple[str, ...] | None
    """Upgrade a node to the latest version of its filter; the result may change."""
    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    output: PathLike | None
    """Output file, DIR/, which is created, or - for standard output."""
    force: bool | None
    """Overwrite files that photoedit did not create."""
    dry_run: bool | None
    """Show what would be done without writing anything."""
    strict: bool | None
    """Fail if the output would lose anything."""
    still_only: bool | None
    """Render only the still image of a Live Photo."""
    accept_original: bool | None
    """Apply the saved edit even if the original has changed."""
    format_identifier: str | None
    """Adjustment-data format identifier to read and write."""
    quality: int | str | None
    """JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."""
    strip: str | list[str] | tuple[str, ...] | None
    """Remove more metadata (comma-separated): location, people (names, faces, releases), device
    (serial numbers, owner and host, not the model), dates, all, or none."""
    dither: str | None
    """Reduction of samples to 8 bits: none (round) or tpdf (dither)."""
    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    max_memory: int | str | None
    """Maximum memory for images, such as 2G; shared among parallel jobs."""
    threads: int | None
    """Threads per image (default: shared among parallel jobs). Range: 1–256."""
    video_codec: Literal["h264", "hevc"] | None
    """Video codec for rendered frames."""
    video_quality: int | None
    """Constant rate factor (CRF); lower is better (default: 18 for h264, 20 for hevc). Range:
    0–51."""
    video_preset: Union[Literal["ultrafast", "superfast", "veryfast", "faster", "fast",
        "medium", "slow", "slower", "veryslow"], None]
    """Encoder speed preset."""
    remux: Literal["auto", "libavformat"] | None
    """Engine that converts other videos to QuickTime (auto copies MP4 boxes if nothing is lost;
    libavformat remuxes all packets)."""
    drop_streams: bool | None
    """Leave out audio and subtitles that QuickTime cannot hold (a loss)."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class RevertOptions(TypedDict, total=False):
    """Options of 'revert'."""

    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    output: PathLike | None
    """Path of the rendering, if it is in another folder."""
    force: bool | None
    """Discard external changes to the rendered file."""
    dry_run: bool | None
    """Show what would be done without writing anything."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class UndoOptions(TypedDict, total=False):
    """Options of 'undo'."""

    to: int | None
    """Number of the state to go to (see 'photoedit history'). Range: 0 or more."""
    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    output: PathLike | None
    """Path of the rendering, if it is in another folder."""
    force: bool | None
    """Discard external changes to the rendered file."""
    dry_run: bool | None
    """Show what would be done without writing anything."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class RedoOptions(TypedDict, total=False):
    """Options of 'redo'."""

    to: int | None
    """Number of the state to go to (see 'photoedit history'). Range: 0 or more."""
    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    output: PathLike | None
    """Path of the rendering, if it is in another folder."""
    force: bool | None
    """Discard external changes to the rendered file."""
    dry_run: bool | None
    """Show what would be done without writing anything."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class ShowOptions(TypedDict, total=False):
    """Options of 'show'."""

    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class HistoryOptions(TypedDict, total=False):
    """Options of 'history'."""

    library: PathLike | None
    """Treat each INPUT as an asset identifier (or unique prefix) in this library."""
    state_dir: PathLike | None
    """Folder for edits (default: $PHOTOEDIT_STATE); an edit next to the photo is preferred."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class ImportOptions(TypedDict, total=False):
    """Options of 'asset import'."""

    dry_run: bool | None
    """Show what would be done without writing anything."""
    move: bool | None
    """Delete source files after import."""
    duplicates: Literal["skip", "import"] | None
    """How to handle files already in the library."""
    prefer: Literal["automatic", "sidecar", "file"] | None
    """Metadata that takes precedence: in the file itself, or in its XMP or JSON file."""
    time_zone: str | None
    """Time zone of dates without one, such as Europe/Berlin, +02:00, local, or none (default:
    that of the library)."""
    date_from: Literal["metadata", "name"] | None
    """What dates files without a date: only metadata, or also their name."""
    update_metadata: bool | None
    """Replace changed XMP files of photos in the library, and the properties not set since."""
    with_trash: bool | None
    """Import photos that were in the trash of Google Photos."""
    restore_trashed: bool | None
    """Restore photos from the trash of the library if they are imported again."""
    album_from: Literal["folder"] | None
    """Add the photos of each folder to an album with its name."""
    exclude: str | list[str] | tuple[str, ...] | None
    """Leave out files and folders; can be repeated."""
    report: PathLike | None
    """Write a per-file report as JSON Lines."""
    raw: bool | None
    """Show the raw file of a pair; by default the JPEG next to it is the photo."""
    no_recursive: bool | None
    """Do not descend into subfolders."""
    run: PathLike | None
    """Import the results of a run as edits."""
    replace: bool | None
    """With --run, replace edits made in the meantime."""
    add_originals: bool | None
    """With --run, import originals that are missing."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class ListOptions(TypedDict, total=False):
    """Options of 'asset list'."""

    where: str | None
    """List assets that match a predicate."""
    explain: bool | None
    """Print the predicate of the search and stop."""
    month: str | None
    """List assets taken in a month (2019-05) or year."""
    group: Literal["day", "month", "year"] | None
    """Count the assets of each day, month or year instead."""
    album: str | None
    """List the assets of an album."""
    sort: str | list[str] | tuple[str, ...] | None
    """Sort key; repeat for secondary keys."""
    limit: int | None
    """Maximum number of assets (0: no limit). Range: 0 or more."""
    include_hidden: bool | None
    """Include hidden assets."""
    include_bursts: bool | None
    """Include all burst photos."""
    trashed: bool | None
    """List trashed assets instead."""
    manifest: bool | None
    """Print a manifest of the originals as JSON Lines."""
    replace: bool | None
    """With --manifest, include edited photos."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class AlbumListOptions(TypedDict, total=False):
    """Options of 'album list'."""

    smart: bool | None
    """List smart albums instead of user albums."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class AlbumCreateOptions(TypedDict, total=False):
    """Options of 'album create'."""

    folder: PathLike | None
    """Parent folder."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class PropertiesOptions(TypedDict, total=False):
    """Options of 'asset set'."""

    favorite: bool | Literal["yes", "no"] | None
    """Whether it is a favorite."""
    hidden: bool | Literal["yes", "no"] | None
    """Whether it is omitted from default listings."""
    date: str | datetime | None
    """Capture date with its offset (2024-06-14T09:12:00+09:00), or 'none'; Z keeps the
    offset."""
    location: str | tuple[float, ...] | list[float] | None
    """Latitude, longitude and optional altitude, or 'none'."""
    title: str | None
    """Title (empty to clear)."""
    caption: str | None
    """Caption (empty to clear)."""
    keyword: str | list[str] | tuple[str, ...] | None
    """Add (+) or remove (-) a keyword; repeat for more."""
    keywords: str | list[str] | tuple[str, ...] | None
    """Replace all keywords, separated by commas (empty to clear)."""
    person: str | list[str] | tuple[str, ...] | None
    """Add (+) or remove (-) the name of a person; repeat for more."""
    rating: int | None
    """Stars: 0 none, -1 rejected. Range: -1–5."""
    label: Literal["red", "yellow", "green", "blue", "purple", "none"] | None
    """Color label, or none."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class AssetShowOptions(TypedDict, total=False):
    """Options of 'asset show'."""

    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class ExportOptions(TypedDict, total=False):
    """Options of 'asset export'."""

    where: str | None
    """Export assets that match a predicate."""
    album: str | None
    """Export the assets of an album."""
    all: bool | None
    """Export all assets, including hidden ones and all burst photos."""
    variant: Literal["original", "current", "all"] | None
    """Version to export."""
    split_motion_photos: bool | None
    """Write the video of a motion photo to a separate file."""
    apple_names: bool | None
    """Name edits as Apple does: IMG_1.AAE and IMG_E1.JPG; a name in another form gets NAME.AAE
    and NAME.edited.jpg (with --variant all)."""
    template: str | None
    """Paths of the files, such as '{created.year}/{name}'."""
    embed_metadata: bool | Literal["yes", "no"] | None
    """Write metadata into current versions (default: yes)."""
    fit: int | None
    """Reduce a copy to N pixels on its longer side, in linear light; never enlarge it. Range:
    1–65500."""
    aspect: str | None
    """Crop a copy to an aspect ratio, such as 4:5."""
    gravity: Union[Literal["center", "north", "northeast", "east", "southeast", "south",
        "southwest", "west", "northwest"], None]
    """Part that --aspect keeps (default: center)."""
    srgb: bool | None
    """Convert the colors of a copy to sRGB."""
    sharpen_for: Literal["screen", "print"] | None
    """Sharpen a copy after its size is set."""
    max_bytes: int | str | None
    """Lower the quality until a copy has at most SIZE bytes, such as 500k."""
    progressive: bool | None
    """Write a progressive JPEG."""
    keep: Literal["copyright"] | None
    """Remove all metadata of a copy except this kind (notice and creator)."""
    sidecar: Literal["xmp"] | None
    """Write a metadata file for each asset."""
    update: bool | None
    """Write only what has changed since the last --update."""
    delete_extra: bool | None
    """Remove files of earlier --update runs that are no longer exported (implies --update)."""
    link: bool | None
    """Write hard links for an asset that has several paths."""
    touch_file: bool | None
    """Set the modification time to the capture date."""
    force: bool | None
    """Overwrite existing files."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""


class WorkerOptions(TypedDict, total=False):
    """Options of 'worker'."""

    quality: int | str | None
    """JPEG quality (1–100), or 'preserve' to reuse the source's quantization tables."""
    strip: str | list[str] | tuple[str, ...] | None
    """Remove more metadata (comma-separated): location, people (names, faces, releases), device
    (serial numbers, owner and host, not the model), dates, all, or none."""
    dither: str | None
    """Reduction of samples to 8 bits: none (round) or tpdf (dither)."""
    lenient: bool | None
    """Decode as much of a damaged image as possible."""
    max_pixels: int | None
    """Maximum number of pixels. Range: 1 or more."""
    max_dimension: int | None
    """Maximum width or height. Range: 1–65535."""
    max_scans: int | None
    """Maximum number of JPEG scans. Range: 1–1000000."""
    threads: int | None
    """Threads per image (default: shared among parallel jobs). Range: 1–256."""
    sandbox: Literal["auto", "require", "off"] | None
    """When to decode other files than JPEG and PNG in a confined process."""
