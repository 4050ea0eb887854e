// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary

/// The arguments and the behavior shared by the commands that rename albums and folders.
struct RenameArguments: Sendable {
  var name = ""
  var title = ""
  var library = LibraryArguments()

  /// - Parameter name: The placeholder of the object in the help.
  static func arguments(_ name: String) -> [Argument<Self>] {
    [
      .positional(name, \.name, "Title, identifier or unique prefix."),
      .positional("TITLE", \.title, "New title."),
      .group(\.library, LibraryArguments.arguments),
    ]
  }

  /// Finds the named object, changes its title, and reports the result.
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
