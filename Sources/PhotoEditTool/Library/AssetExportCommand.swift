// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

/// A command that writes the files of assets to a folder.
struct AssetExportCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset export", "Writes the files of assets into a folder.",
    discussion: """
      The original is what came into the library, bit by bit; the current version is what people \
      see now; all is everything: 'asset import' brings the asset back from it with its edit, and \
      from an XMP file with title, caption, date, location, favorite and albums. \
      Names are those the files came with, made safe, and numbered where assets share one. A photo \
      that came with its movie in the same file is one file again, edited or not; --pair writes \
      the movie beside the picture. Nothing is overwritten without --force.
      """,
    examples: [
      CommandExample("asset export 3F25 --library Photos -o out", "the current version"),
      CommandExample("asset export 3F25 --version all -o out", "everything, to be imported again"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .positional("ASSET", \.names, "Identifiers, or what they begin with."),
      .group(\.library, LibraryArguments.arguments),
      .option(
        "output", short: "o", \.folder, value: "DIR", isRequired: true, "The folder, which exists."),
      .option("version", \.version, value: "WHICH", "Which files are written."),
      .flag("pair", \.writesPairs, "Writes the movie of a motion photo as a file of its own."),
      .flag("force", short: "f", \.replacesFiles, "Replaces files of the same names."),
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
        .cannotCreate, "\(folder ?? ""): there is no such folder", hint: "make the folder first",
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
