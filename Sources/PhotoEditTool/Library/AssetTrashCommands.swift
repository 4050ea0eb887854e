// SPDX-License-Identifier: Apache-2.0

/// A command that moves assets to the trash.
struct AssetDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset delete", "Move assets to the trash.",
    examples: [CommandExample("asset delete 3F25 --yes", "move an asset to the trash")],
    writesJSON: true,
    arguments: [
      .group(\.deletion, DeletionArguments.assets() + [DeletionArguments.confirmation])
    ])

  var deletion = DeletionArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try deletion.run(
      "deleted", environment, warning: { "moves \(counted($0, "asset")) to the trash" }
    ) {
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
    "asset restore", "Restore assets from the trash, with edits and albums.",
    examples: [CommandExample("asset restore 3F25", "restore an asset")],
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
    "asset purge", "Permanently delete trashed assets and their files.",
    examples: [CommandExample("asset purge --all --yes", "empty the trash")],
    writesJSON: true,
    arguments: [
      .group(\.deletion, DeletionArguments.assets(isRequired: false)),
      .flag("all", \.isAll, "Delete everything in the trash."),
      .group(\.deletion, [DeletionArguments.confirmation]),
    ])

  var deletion = DeletionArguments()
  var isAll = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard isAll == deletion.names.isEmpty else {
      throw .usage(
        "specify either assets or --all", hint: "list them with 'photoedit asset list --trashed'")
    }
    var opened: PhotoLibrary?
    try deletion.run(
      "purged", environment, warning: { "permanently deletes \(counted($0, "asset"))" }
    ) {
      library, names throws(CommandFailure) in
      opened = library
      guard isAll else { return try library.trashedAssets(named: names) }
      let trash = try inLibrary(library.fetchTrashedAssets())
      return Array(trash)
    } change: { changes, assets throws(LibraryError) in
      try changes.purge(assets)
    }
    guard let library = opened else { return }
    if let reason = library.reasonForPendingErasure() {
      environment.warn(
        "what was purged is not erased from the database yet: \(reason); the next command that "
          + "changes the library continues")
    }
    for folder in library.foldersOfEarlierStates {
      environment.note(
        "\(folder) contains states of the library from before a migration or a repair, and may "
          + "contain what was purged; remove it if you no longer need it")
    }
  }
}

extension DeletionArguments {
  fileprivate static func assets(isRequired: Bool = true) -> [Argument<Self>] {
    arguments("ASSET", AssetArguments.help, isRequired: isRequired)
  }
}
