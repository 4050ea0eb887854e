// SPDX-License-Identifier: Apache-2.0

/// A command that creates a folder.
struct FolderCreateCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder create", "Create a folder for albums and folders.",
    examples: [CommandExample("folder create Travel", "create a folder at the top level")],
    writesJSON: true,
    arguments: [
      .positional("TITLE", \.title, "Title of the folder; need not be unique."),
      .group(\.library, LibraryArguments.arguments),
      .option("folder", \.folder, value: "FOLDER", "Parent folder."),
    ])

  var title = ""
  var library = LibraryArguments()
  var folder: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let parent: CollectionList? = if let folder { try library.folder(named: folder) } else { nil }
    let identifier = try changing(library) { changes throws(LibraryError) -> String? in
      let request = try changes.createFolder(title: title)
      if let parent, let placeholder = request.placeholder {
        try changes.change(parent, children: nil).addChildCollections([placeholder])
      }
      return request.placeholder?.localIdentifier
    }
    try CollectionReport.reportNew(identifier ?? "", title, environment)
  }
}

/// A command that lists folders and their contents.
struct FolderListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder list", "Show folders and albums as a tree.",
    examples: [CommandExample("folder list -L Photos", "show all folders and albums")],
    writesJSON: true,
    arguments: [
      .positional("FOLDER", \.folder, "Folder to list (default: all)."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var folder: String?
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    if let folder {
      let list = try library.folder(named: folder)
      try write(children(of: list, library), 0, library, environment)
    } else {
      let top = try inLibrary(library.fetchTopLevelUserCollections())
      try write(top.map { $0 }, 0, library, environment)
    }
  }

  private func children(
    of list: CollectionList, _ library: PhotoLibrary
  ) throws(CommandFailure) -> [PhotoCollection] {
    try inLibrary(library.fetchCollections(in: list)).map { $0 }
  }

  private func write(
    _ collections: [PhotoCollection], _ depth: Int, _ library: PhotoLibrary,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    for collection in collections {
      try CollectionReport.write(collection, depth: depth, environment)
      if case .list(let list) = collection {
        try write(children(of: list, library), depth + 1, library, environment)
      }
    }
  }
}

/// The arguments and the behavior shared by commands on the contents of a folder.
struct ChildArguments: Sendable {
  var folder = ""
  var names: [String] = []
  var library = LibraryArguments()

  static let arguments: [Argument<Self>] = [
    .positional("FOLDER", \.folder, "Folder title, identifier or unique prefix."),
    .positional("CHILD", \.names, "Albums and folders to move."),
    .group(\.library, LibraryArguments.arguments),
  ]

  /// Changes the contents of a folder and reports the change.
  func change(
    _ environment: CommandEnvironment, _ result: String,
    _ body: (CollectionListChangeRequest, [PhotoCollection]) throws(LibraryError) -> Void
  ) throws(CommandFailure) {
    let library = try library.open(environment)
    let folder = try library.folder(named: folder)
    let children = try names.map { name throws(CommandFailure) in
      try library.collection(named: name)
    }
    try changing(library) { changes throws(LibraryError) in
      try body(changes.change(folder, children: nil), children)
    }
    try environment.reportResult(result, children.map(\.localIdentifier))
  }
}

/// A command that moves albums and folders into a folder.
struct FolderAddCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder add", "Move albums and folders into a folder.",
    examples: [CommandExample("folder add Travel Lisbon Porto", "move two albums into a folder")],
    writesJSON: true, arguments: [.group(\.children, ChildArguments.arguments)])

  var children = ChildArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try children.change(environment, "added") { request, children throws(LibraryError) in
      try request.addChildCollections(children)
    }
  }
}

/// A command that removes albums and folders from a folder.
struct FolderRemoveCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder remove", "Move albums and folders to the top level.",
    examples: [CommandExample("folder remove Travel Lisbon", "move an album to the top level")],
    writesJSON: true, arguments: [.group(\.children, ChildArguments.arguments)])

  var children = ChildArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try children.change(environment, "removed") { request, children throws(LibraryError) in
      try request.removeChildCollections(children)
    }
  }
}

/// A command that renames a folder.
struct FolderRenameCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder rename", "Rename a folder.",
    examples: [CommandExample("folder rename Travel Journeys", "change the title")],
    writesJSON: true, arguments: [.group(\.renaming, RenameArguments.arguments("FOLDER"))])

  var renaming = RenameArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try renaming.run(environment) { library, name throws(CommandFailure) in
      try library.folder(named: name)
    } rename: { changes, folder, title throws(LibraryError) in
      try changes.change(folder, children: nil).setTitle(title)
    }
  }
}

/// A command that deletes folders and their albums but no assets.
struct FolderDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder delete", "Delete folders and their albums; assets stay in the library.",
    examples: [CommandExample("folder delete Travel --yes", "delete a folder and its albums")],
    writesJSON: true,
    arguments: [
      .group(
        \.deletion,
        DeletionArguments.arguments("FOLDER", "Folder titles, identifiers or unique prefixes.")
          + [DeletionArguments.confirmation])
    ])

  var deletion = DeletionArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try deletion.run(
      "deleted", environment,
      warning: { "deletes \(counted($0, "folder")) and \($0 == 1 ? "its" : "their") albums" }
    ) { library, names throws(CommandFailure) in
      try names.map { name throws(CommandFailure) in try library.folder(named: name) }
    } change: { changes, folders throws(LibraryError) in
      try changes.delete(folders)
    }
  }
}
