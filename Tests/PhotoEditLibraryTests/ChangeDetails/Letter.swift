// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

@testable import PhotoEditLibrary

/// An object outside of a library, with a name and a revision.
struct Letter: FetchedObject {
  let localIdentifier: String
  var revision = 0

  init(_ name: some CustomStringConvertible, revision: Int = 0) {
    localIdentifier = name.description
    self.revision = revision
  }

  /// Compares the revisions too, unlike objects of a library.
  static func == (first: Letter, second: Letter) -> Bool {
    first.localIdentifier == second.localIdentifier && first.revision == second.revision
  }

  static let source = FetchSource<Letter>(
    columns: [], aliases: [:], expressions: [:], identity: { _ in nil }, row: { _ in nil },
    value: { _, _ in .null }, read: { _, _, _ in [] }, find: { _, _ in nil },
    differs: { $0.revision != $1.revision },
    classes: [], unavailable: Letter(""))
}

extension FetchResult where Object == Letter {
  /// A result with a letter for each character.
  init(_ names: String) { self.init(names.map { Letter($0) }) }

  /// The joined names of the letters.
  var word: String { map(\.localIdentifier).joined() }
}
