// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import PhotoEditLibrary
import Storage

/// Shows everything of some assets.
struct AssetShowCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset show", "Shows everything of assets: properties, albums and files.",
    writesJSON: true,
    arguments: [
      .positional("ASSET", \.names, "Identifiers, or what they begin with."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var names: [String] = []
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    try Batch.run(names, environment) { name throws(CommandFailure) in
      let asset = try library.asset(named: name)
      let albums = try inLibrary { () throws(LibraryError) in
        try library.fetchAssetCollections(containing: asset, with: .album)
      }.map { $0 }
      let files = try inLibrary { () throws(LibraryError) in try library.files(of: asset) }
      if environment.wantsJSON {
        var json = asset.json
        json["albums"] = .array(
          albums.map {
            ["identifier": .string($0.localIdentifier), "title": .text($0.localizedTitle)]
          })
        json["files"] = .array(
          files.map {
            [
              "type": .whole($0.type.rawValue), "path": .string($0.path),
              "bytes": .whole($0.size), "digest": .string($0.digest.description),
              "uniformType": .string($0.uniformType), "filename": .string($0.filename),
            ]
          })
        return try environment.write(json)
      }
      var lines = LabelledLines()
      lines.add("identifier", asset.localIdentifier)
      lines.add("name", asset.originalFilename)
      lines.add("title", asset.title)
      lines.add("caption", asset.caption)
      lines.add("taken", asset.creationDate.map { Clock.text($0) })
      lines.add("added", Clock.text(asset.addedDate))
      lines.add("changed", Clock.text(asset.modificationDate))
      lines.add("size", "\(asset.pixelWidth)×\(asset.pixelHeight)")
      lines.add("duration", asset.duration > 0 ? "\(asset.duration) s" : nil)
      lines.add(
        "place", asset.location.map { "\($0.latitude), \($0.longitude)" })
      lines.add("favourite", asset.isFavorite ? "yes" : nil)
      lines.add("hidden", asset.isHidden ? "yes" : nil)
      lines.add("edited", asset.hasAdjustments ? "yes" : nil)
      lines.add("albums", each: albums.map { $0.localizedTitle ?? $0.localIdentifier })
      lines.add("files", each: files.map { "\($0.type): \($0.path) (\($0.size) bytes)" })
      lines.print(in: environment)
    }
  }
}

/// Puts assets into the trash.
struct AssetDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset delete", "Puts assets into the trash; 'asset restore' brings them back.",
    writesJSON: true,
    arguments: [
      .positional("ASSET", \.names, "Identifiers, or what they begin with."),
      .group(\.library, LibraryArguments.arguments),
      .flag("yes", short: "y", \.isConfirmed, "Confirms; nothing is deleted without it."),
    ])

  var names: [String] = []
  var library = LibraryArguments()
  var isConfirmed = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let assets = try library.assets(named: names)
    try Confirmation.check(isConfirmed, "puts \(assets.count) assets into the trash")
    try changing(library) { changes throws(LibraryError) in try changes.delete(assets) }
    try Confirmation.report("deleted", assets.map(\.localIdentifier), environment)
  }
}

/// Brings assets back from the trash.
struct AssetRestoreCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset restore", "Brings assets back from the trash, with their edits and albums.",
    writesJSON: true,
    arguments: [
      .positional("ASSET", \.names, "Identifiers, or what they begin with."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var names: [String] = []
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let assets = try library.trashedAssets(named: names)
    try changing(library) { changes throws(LibraryError) in try changes.restore(assets) }
    try Confirmation.report("restored", assets.map(\.localIdentifier), environment)
  }
}

/// Removes assets from the trash for ever.
struct AssetPurgeCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset purge", "Removes assets in the trash for ever, with all their files.",
    writesJSON: true,
    arguments: [
      .positional("ASSET", \.names, isRequired: false, "Identifiers, or what they begin with."),
      .group(\.library, LibraryArguments.arguments),
      .flag("all", \.isAll, "Empties the trash."),
      .flag("yes", short: "y", \.isConfirmed, "Confirms; nothing is removed without it."),
    ])

  var names: [String] = []
  var library = LibraryArguments()
  var isAll = false
  var isConfirmed = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard isAll != !names.isEmpty else {
      throw .usage("name assets or give --all", hint: "'asset list --trash' lists them")
    }
    let library = try library.open(environment)
    let assets =
      isAll
      ? try inLibrary { () throws(LibraryError) in try library.fetchTrashedAssets() }.map { $0 }
      : try library.trashedAssets(named: names)
    try Confirmation.check(isConfirmed, "removes \(assets.count) assets for ever")
    try changing(library) { changes throws(LibraryError) in try changes.purge(assets) }
    try Confirmation.report("purged", assets.map(\.localIdentifier), environment)
  }
}

/// What deleting verbs ask and say.
enum Confirmation {
  /// Refuses what nobody confirmed.
  static func check(_ isConfirmed: Bool, _ what: String) throws(CommandFailure) {
    guard !isConfirmed else { return }
    throw .usage("this \(what)", hint: "say --yes to do it")
  }

  static func report(
    _ word: String, _ identifiers: [String], _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      return try environment.write([word: .texts(identifiers)])
    }
    environment.note("\(identifiers.count) \(word)")
  }
}
