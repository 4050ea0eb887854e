// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import PhotoEditLibrary

/// Makes a folder.
struct FolderCreateCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder create", "Makes a folder for albums and folders.",
    writesJSON: true,
    arguments: [
      .positional("TITLE", \.title, "The title."),
      .group(\.library, LibraryArguments.arguments),
      .option("folder", \.folder, value: "FOLDER", "The folder that it is put into."),
    ])

  var title = ""
  var library = LibraryArguments()
  var folder: String?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let place: CollectionList? = if let folder { try library.folder(named: folder) } else { nil }
    let identifier = try changing(library) { changes throws(LibraryError) -> String? in
      let made = try changes.createFolder(title: title)
      if let place, let placeholder = made.placeholder {
        try changes.change(place, children: nil).addChildCollections([placeholder])
      }
      return made.placeholder?.localIdentifier
    }
    try CollectionReport.reportNew(identifier ?? "", title, environment)
  }
}

/// Lists folders and what is in them.
struct FolderListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder list", "Lists albums and folders as they lie in each other.",
    writesJSON: true,
    arguments: [
      .positional("FOLDER", \.folder, "A folder; everything when it is left out."),
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
      let top = try inLibrary { () throws(LibraryError) in
        try library.fetchTopLevelUserCollections()
      }
      try write(top.map { $0 }, 0, library, environment)
    }
  }

  private func children(
    of list: CollectionList, _ library: PhotoLibrary
  ) throws(CommandFailure) -> [Collection] {
    try inLibrary { () throws(LibraryError) in try library.fetchCollections(in: list) }.map { $0 }
  }

  private func write(
    _ collections: [Collection], _ depth: Int, _ library: PhotoLibrary,
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

/// Puts albums and folders into a folder.
struct FolderAddCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder add", "Puts albums and folders into a folder, out of where they were.",
    writesJSON: true,
    arguments: [
      .positional("FOLDER", \.folder, "An identifier, what it begins with, or a title."),
      .positional("CHILD", \.names, "Albums and folders."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var folder = ""
  var names: [String] = []
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let folder = try library.folder(named: folder)
    var children: [Collection] = []
    for name in names { children.append(try library.collection(named: name)) }
    try changing(library) { changes throws(LibraryError) in
      try changes.change(folder, children: nil).addChildCollections(children)
    }
    try Confirmation.report("added", children.map(\.localIdentifier), environment)
  }
}

/// Takes albums and folders out of a folder.
struct FolderRemoveCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder remove", "Takes albums and folders out of a folder, to the top.",
    writesJSON: true,
    arguments: [
      .positional("FOLDER", \.folder, "An identifier, what it begins with, or a title."),
      .positional("CHILD", \.names, "Albums and folders."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var folder = ""
  var names: [String] = []
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let folder = try library.folder(named: folder)
    var children: [Collection] = []
    for name in names { children.append(try library.collection(named: name)) }
    try changing(library) { changes throws(LibraryError) in
      try changes.change(folder, children: nil).removeChildCollections(children)
    }
    try Confirmation.report("removed", children.map(\.localIdentifier), environment)
  }
}

/// Gives a folder another title.
struct FolderRenameCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder rename", "Gives a folder another title.",
    writesJSON: true,
    arguments: [
      .positional("FOLDER", \.folder, "An identifier, what it begins with, or a title."),
      .positional("TITLE", \.title, "The new title."),
      .group(\.library, LibraryArguments.arguments),
    ])

  var folder = ""
  var title = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let folder = try library.folder(named: folder)
    try changing(library) { changes throws(LibraryError) in
      try changes.change(folder, children: nil).setTitle(title)
    }
    try CollectionReport.reportNew(folder.localIdentifier, title, environment)
  }
}

/// Deletes folders with the albums in them; no asset is deleted.
struct FolderDeleteCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "folder delete", "Deletes folders and the albums in them; their assets stay.",
    writesJSON: true,
    arguments: [
      .positional("FOLDER", \.names, "Identifiers, what they begin with, or titles."),
      .group(\.library, LibraryArguments.arguments),
      .flag("yes", short: "y", \.isConfirmed, "Confirms; nothing is deleted without it."),
    ])

  var names: [String] = []
  var library = LibraryArguments()
  var isConfirmed = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    var folders: [CollectionList] = []
    for name in names { folders.append(try library.folder(named: name)) }
    try Confirmation.check(isConfirmed, "deletes \(folders.count) folders and the albums in them")
    try changing(library) { changes throws(LibraryError) in try changes.delete(folders) }
    try Confirmation.report("deleted", folders.map(\.localIdentifier), environment)
  }
}
