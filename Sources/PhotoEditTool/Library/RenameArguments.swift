// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary

/// What renaming albums and renaming folders have in common.
struct RenameArguments: Sendable {
  var name = ""
  var title = ""
  var library = LibraryArguments()

  /// - Parameter name: What stands for the object in the help.
  static func arguments(_ name: String) -> [Argument<Self>] {
    [
      .positional(name, \.name, "An identifier, what it begins with, or a title."),
      .positional("TITLE", \.title, "The new title."),
      .group(\.library, LibraryArguments.arguments),
    ]
  }

  /// Finds what is named, gives it the title and says so.
  func run<Object: FetchedObject>(
    _ environment: CommandEnvironment,
    find: (PhotoLibrary, String) throws(CommandFailure) -> Object,
    rename: (ChangeContext, Object, String) throws(LibraryError) -> Void
  ) throws(CommandFailure) {
    let library = try library.open(environment)
    let object = try find(library, name)
    try changing(library) { changes throws(LibraryError) in try rename(changes, object, title) }
    try CollectionReport.reportNew(object.localIdentifier, title, environment)
  }
}
