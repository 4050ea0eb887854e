// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// What is told of a commit, to people and to scripts.
extension PersistentChange {
  private static let classes: [(name: String, objectClass: ObjectClass)] = [
    ("assets", .asset), ("albums", .assetCollection), ("folders", .collectionList),
  ]

  private func details(
    _ objectClass: ObjectClass
  ) throws(CommandFailure) -> PersistentObjectChangeDetails {
    try inLibrary(changeDetails(for: objectClass))
  }

  /// The date, a few of the objects by what their names begin with, and the token.
  func line() throws(CommandFailure) -> String {
    var parts = [Clock.text(date)]
    for (name, objectClass) in Self.classes {
      let details = try details(objectClass)
      if !details.isEmpty { parts.append("\(name) \(details.summary)") }
    }
    return (parts + ["\(changeToken)"]).joined(separator: "  ")
  }

  /// Everything, for scripts.
  func json() throws(CommandFailure) -> [String: JSONValue] {
    var json: [String: JSONValue] = [
      "token": .string("\(changeToken)"), "date": .string(Clock.text(date)),
    ]
    for (name, objectClass) in Self.classes {
      let details = try details(objectClass)
      json[name] = [
        "inserted": .texts(details.insertedLocalIdentifiers.sorted()),
        "updated": .texts(details.updatedLocalIdentifiers.sorted()),
        "deleted": .texts(details.deletedLocalIdentifiers.sorted()),
      ]
    }
    return json
  }
}

extension PersistentObjectChangeDetails {
  /// Most objects of a kind that are named in a line.
  private static let named = 3

  /// "+3F2504E0 ~7A01C2D4 ~91B2A3C4 -…": a sign and the beginning of a name for each object.
  fileprivate var summary: String {
    let kinds = [
      ("+", insertedLocalIdentifiers), ("~", updatedLocalIdentifiers),
      ("-", deletedLocalIdentifiers),
    ]
    return kinds.flatMap { sign, identifiers in
      var words = identifiers.sorted().prefix(Self.named).map { sign + $0.prefix(8) }
      if identifiers.count > Self.named {
        words.append("\(sign)\(identifiers.count - Self.named) more")
      }
      return words
    }.joined(separator: " ")
  }
}
