// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

/// A command that writes the files of assets to a folder.
struct AssetExportCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset export", "Export the files of assets to a folder.",
    discussion: """
      The original is byte for byte the imported file. The current version includes the edit. \
      'all' exports every file, from which 'asset import' restores the asset with its edit and, \
      from an XMP file, its title, caption, date, location, favorite flag and albums.

      Files keep their original names, sanitized, and numbered if several assets have the same \
      name. A motion photo, edited or not, is written as a single file; --split-motion-photos \
      writes its video next to the image. Existing files are not overwritten without --force.
      """,
    examples: [
      CommandExample("asset export 3F25 --library Photos -o out", "export the current version"),
      CommandExample(
        "asset export 3F25 --variant all -o out", "export everything, for a later import"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("ASSET", \.names, "Asset identifiers or unique prefixes."),
      .group(\.library, LibraryArguments.arguments),
      .option(
        "output", short: "o", \.folder, value: "DIR", isRequired: true,
        "Destination folder (must exist)."),
      .option("variant", \.version, value: "WHICH", "Version to export.")
        .renamed(from: "version"),
      .flag(
        "split-motion-photos", \.writesPairs,
        "Write the video of a motion photo to a separate file."
      ).renamed(from: "pair"),
      .flag("force", short: "f", \.replacesFiles, "Overwrite existing files."),
    ])

  var names: [String] = []
  var library = LibraryArguments()
  var folder: String?
  var version = Exporter.Version.current
  var writesPairs = false
  var replacesFiles = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard let folder, FileSystem.isFolder(folder) else {
      throw CommandFailure(
        .cannotCreate, "\(folder ?? ""): destination folder does not exist",
        hint: "create it first",
        code: "noPlace")
    }
    let library = try library.open(environment)
    var exporter = Exporter(
      library, to: URL(filePath: folder), version: version, overwrites: replacesFiles,
      joinsMotionPhotos: !writesPairs)
    try Batch.run(names, environment) { name throws(CommandFailure) in
      let asset = try library.asset(named: name)
      let files = try inLibrary(exporter.export(asset))
      if environment.wantsJSON {
        try environment.write([
          "asset": .string(asset.localIdentifier), "version": .string(version.rawValue),
          "files": .array(files.map(\.json)),
        ])
      } else {
        for file in files { environment.print(file.path) }
      }
    }
  }
}

extension Exporter.Version: ArgumentValue {}

extension Exporter.File {
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "type": .string("\(type)"), "bytes": .whole(size),
      "digest": .string(digest.description),
    ]
  }
}
