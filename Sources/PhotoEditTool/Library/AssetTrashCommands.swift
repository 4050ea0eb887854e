// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary

/// A command that moves assets to the trash.
struct AssetDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset delete", "Puts assets into the trash; 'asset restore' brings them back.",
    writesJSON: true,
    arguments: [
      .group(\.deletion, DeletionArguments.assets() + [DeletionArguments.confirmation])
    ])

  var deletion = DeletionArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try deletion.run("deleted", environment, warning: { "puts \($0) assets into the trash" }) {
      library, names throws(CommandFailure) in
      try library.assets(named: names)
    } change: { changes, assets throws(LibraryError) in
      try changes.delete(assets)
    }
  }
}

/// A command that restores assets from the trash.
struct AssetRestoreCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset restore", "Brings assets back from the trash, with their edits and albums.",
    writesJSON: true, arguments: [.group(\.deletion, DeletionArguments.assets())])

  var deletion = DeletionArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try deletion.run("restored", environment) { library, names throws(CommandFailure) in
      try library.trashedAssets(named: names)
    } change: { changes, assets throws(LibraryError) in
      try changes.restore(assets)
    }
  }
}

/// A command that permanently deletes assets in the trash.
struct AssetPurgeCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset purge", "Removes assets in the trash for ever, with all their files.",
    writesJSON: true,
    arguments: [
      .group(\.deletion, DeletionArguments.assets(isRequired: false)),
      .flag("all", \.isAll, "Empties the trash."),
      .group(\.deletion, [DeletionArguments.confirmation]),
    ])

  var deletion = DeletionArguments()
  var isAll = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard isAll == deletion.names.isEmpty else {
      throw .usage("name assets or give --all", hint: "'asset list --trash' lists them")
    }
    try deletion.run("purged", environment, warning: { "removes \($0) assets for ever" }) {
      library, names throws(CommandFailure) in
      guard isAll else { return try library.trashedAssets(named: names) }
      let trash = try inLibrary(library.fetchTrashedAssets())
      return Array(trash)
    } change: { changes, assets throws(LibraryError) in
      try changes.purge(assets)
    }
  }
}

extension DeletionArguments {
  fileprivate static func assets(isRequired: Bool = true) -> [Argument<Self>] {
    arguments("ASSET", "Identifiers, or what they begin with.", isRequired: isRequired)
  }
}
