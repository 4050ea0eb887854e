// SPDX-License-Identifier: Apache-2.0

/// The assets that a command works on, and their library.
struct AssetArguments: Sendable {
  var names: [String] = []
  var library = LibraryArguments()

  /// The description of the assets in the help.
  static let help = "Asset identifiers or unique prefixes."

  static func arguments(isRequired: Bool = true) -> [Argument<Self>] {
    [
      .positional("ASSET", \.names, isRequired: isRequired, help),
      .group(\.library, LibraryArguments.arguments),
    ]
  }

  /// Opens the library and finds the assets.
  func find(
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> (library: PhotoLibrary, assets: [Asset]) {
    let library = try library.open(environment)
    return (library, try library.assets(named: names))
  }
}

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

/// The arguments and the behavior shared by commands that delete or restore objects.
struct DeletionArguments: Sendable {
  var names: [String] = []
  var library = LibraryArguments()
  var isConfirmed = false

  /// - Parameters:
  ///   - name: The placeholder of an object in the help.
  ///   - help: The description of the names in the help.
  static func arguments(
    _ name: String, _ help: String, isRequired: Bool = true
  ) -> [Argument<Self>] {
    [
      .positional(name, \.names, isRequired: isRequired, help),
      .group(\.library, LibraryArguments.arguments),
    ]
  }

  /// The confirmation, for commands whose accidental use would lose work.
  static let confirmation: Argument<Self> =
    .flag("yes", short: "y", \.isConfirmed, "Confirm the deletion (required).")

  /// Finds the named objects, changes all or none of them, and reports the result.
  ///
  /// - Parameters:
  ///   - result: The result for the objects, such as "deleted".
  ///   - warning: Returns the effect on a number of objects; nil if no confirmation is needed.
  func run<Object: FetchedObject>(
    _ result: String, _ environment: CommandEnvironment, warning: ((Int) -> String)? = nil,
    find: (PhotoLibrary, [String]) throws(CommandFailure) -> [Object],
    change: (ChangeContext, [Object]) throws(LibraryError) -> Void
  ) throws(CommandFailure) {
    let library = try library.open(environment)
    let objects = try find(library, names)
    if let warning, !isConfirmed {
      throw .usage("this command \(warning(objects.count))", hint: "use --yes to confirm")
    }
    try changing(library) { changes throws(LibraryError) in try change(changes, objects) }
    try environment.reportResult(result, objects.map(\.localIdentifier))
  }
}

/// Returns a number with its noun, in the plural unless the number is 1.
func counted(_ count: Int, _ noun: String) -> String { "\(count) \(noun)\(count == 1 ? "" : "s")" }

extension CommandEnvironment {
  /// Reports a result for objects: their number for display, their identifiers for scripts.
  func reportResult(_ result: String, _ identifiers: [String]) throws(CommandFailure) {
    if wantsJSON { return try write([result: .texts(identifiers)]) }
    note("\(identifiers.count) \(result)")
  }
}
