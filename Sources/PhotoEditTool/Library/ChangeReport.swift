// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// The report on a commit, for display and for scripts.
extension PersistentChange {
  private static let classes: [(name: String, objectClass: ObjectClass)] = [
    ("assets", .asset), ("albums", .assetCollection), ("folders", .collectionList),
  ]

  private func details(
    _ objectClass: ObjectClass
  ) throws(CommandFailure) -> PersistentObjectChangeDetails {
    try inLibrary(changeDetails(for: objectClass))
  }

  /// Returns the date, the identifier prefixes of a few objects, and the token.
  func line() throws(CommandFailure) -> String {
    var parts = [Clock.text(date)]
    for (name, objectClass) in Self.classes {
      let details = try details(objectClass)
      if !details.isEmpty { parts.append("\(name) \(details.summary)") }
    }
    return (parts + ["\(changeToken)"]).joined(separator: "  ")
  }

  /// Returns all changes, for scripts.
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
  /// The maximum number of objects of each kind in a line.
  private static let named = 3

  /// The changes, such as "+3F2504E0 ~7A01C2D4 ~91B2A3C4 -…": a sign and an identifier prefix each.
  fileprivate var summary: String {
    let kinds = [
      ("+", insertedLocalIdentifiers), ("~", updatedLocalIdentifiers),
      ("-", deletedLocalIdentifiers),
    ]
    return kinds.flatMap { sign, identifiers in
      var items = identifiers.sorted().prefix(Self.named).map { sign + $0.prefix(8) }
      if identifiers.count > Self.named {
        items.append("\(sign)\(identifiers.count - Self.named) more")
      }
      return items
    }.joined(separator: " ")
  }
}
