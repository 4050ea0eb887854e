// SPDX-License-Identifier: Apache-2.0

extension FetchResult: Codable where Object: Codable {
  /// Encodes the members, all of which are read.
  public func encode(to encoder: any Encoder) throws {
    try Array(self).encode(to: encoder)
    if let failure { throw failure }
  }

  /// Decodes members; the result belongs to no library, like one created from given objects.
  public init(from decoder: any Decoder) throws { self.init(try [Object](from: decoder)) }
}

extension FetchResultChangeDetails: Codable where Object: Codable {
  private enum CodingKeys: CodingKey {
    case before, after, changedIndexes
  }

  /// Encodes both results in full and the changed indexes; the other indexes follow from them.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(fetchResultBeforeChanges, forKey: .before)
    try container.encode(fetchResultAfterChanges, forKey: .after)
    try container.encodeIfPresent(changedIndexes, forKey: .changedIndexes)
  }

  /// Decodes details; their results belong to no library.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    let before = try container.decode(FetchResult<Object>.self, forKey: .before)
    let after = try container.decode(FetchResult<Object>.self, forKey: .after)
    let changed = try container.decodeIfPresent([Int].self, forKey: .changedIndexes)
    guard let changed else {
      self.init(before: before, after: after, difference: nil, changed: [])
      return
    }
    guard changed.allSatisfy(after.indices.contains) else {
      throw DecodingError.dataCorruptedError(
        forKey: .changedIndexes, in: container,
        debugDescription: "the change details expect \(after.count) members after the changes")
    }
    self.init(from: before, to: after, changedObjects: changed.map { after[$0] })
  }
}
