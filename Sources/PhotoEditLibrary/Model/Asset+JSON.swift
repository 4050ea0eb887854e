// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters

extension Asset {
  /// All properties by name, for reports.
  package var report: [String: JSONValue] {
    var members: [String: JSONValue] = [:]
    members.reserveCapacity(PhotoProperties.reported.count + 16)
    for property in PhotoProperties.reported { members[property.name] = property.json(properties) }
    members["localDate"] = localDate.map { .string($0) } ?? .null
    members["day"] = day.map { .string($0.description) } ?? .null
    return members
  }

  /// The properties that responses of the server have too.
  package var statedProperties: [String: JSONValue] {
    report.filter { Self.statedNames.contains($0.key) }
  }

  private static let statedNames = Set(PhotoProperties.stated.map(\.name))
    .subtracting(["creationDate"])
    .union(["addedDate", "burstIdentifier", "day", "fileSize", "localDate"])

  /// The creation date on the clock at the place of capture; in UTC if its offset is unknown.
  package var localDate: String? {
    self.creationDate.flatMap {
      $0.isExpressible ? Clock.text($0, utcOffset: self.utcOffset) : nil
    }
  }

  /// The range of ratings: stars, 0 for none, and -1 for rejected.
  package static let ratings = -1...5
}
