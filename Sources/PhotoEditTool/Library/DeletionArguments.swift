// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// What verbs have in common that delete what they name, or bring it back.
struct DeletionArguments: Sendable {
  var names: [String] = []
  var library = LibraryArguments()
  var isConfirmed = false

  /// - Parameters:
  ///   - name: What stands for an object in the help.
  ///   - help: How an object is named.
  static func arguments(
    _ name: String, _ help: String, isRequired: Bool = true
  ) -> [Argument<Self>] {
    [
      .positional(name, \.names, isRequired: isRequired, help),
      .group(\.library, LibraryArguments.arguments),
    ]
  }

  /// For verbs whose work is lost when it was not meant.
  static let confirmation: Argument<Self> =
    .flag("yes", short: "y", \.isConfirmed, "Confirms; nothing is deleted without it.")

  /// Finds what is named, changes all of it or nothing, and says so.
  ///
  /// - Parameters:
  ///   - word: What became of the objects: "deleted".
  ///   - warning: What is going to happen to so many; nil when nobody needs to confirm it.
  func run<Object: FetchedObject>(
    _ word: String, _ environment: CommandEnvironment, warning: ((Int) -> String)? = nil,
    find: (PhotoLibrary, [String]) throws(CommandFailure) -> [Object],
    change: (ChangeContext, [Object]) throws(LibraryError) -> Void
  ) throws(CommandFailure) {
    let library = try library.open(environment)
    let objects = try find(library, names)
    if let warning, !isConfirmed {
      throw .usage("this \(warning(objects.count))", hint: "say --yes to do it")
    }
    try changing(library) { changes throws(LibraryError) in try change(changes, objects) }
    try environment.tell(word, objects.map(\.localIdentifier))
  }
}

extension CommandEnvironment {
  /// Says what became of some objects: how many they are for people, which ones for scripts.
  func tell(_ word: String, _ identifiers: [String]) throws(CommandFailure) {
    if wantsJSON { return try write([word: .texts(identifiers)]) }
    note("\(identifiers.count) \(word)")
  }
}
