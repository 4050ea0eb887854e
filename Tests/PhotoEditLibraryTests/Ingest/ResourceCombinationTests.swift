// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditLibrary

@Suite("Which files make an asset")
struct ResourceCombinationTests {
  /// Every accepted set of at most four types, by PhotoKit's numbers.
  private static let accepted: Set<Set<Int>> = [
    [1], [2], [3], [1, 4], [1, 9],
    // A still with its rendering and record, and with its base.
    [1, 5, 7], [1, 5, 7, 8],
    // The same of a pair with a RAW, and of a Live Photo whose edit is a still.
    [1, 4, 5, 7], [1, 9, 5, 7],
    // A movie.
    [2, 6, 7], [2, 6, 7, 12],
    // XMP goes with all of them.
    [1, 1001], [2, 1001], [3, 1001], [1, 4, 1001], [1, 9, 1001], [1, 5, 7, 1001],
    [2, 6, 7, 1001],
  ]

  @Test func `K4: of all sets of up to four types, these make an asset`() {
    let types = AssetResourceType.allCases
    #expect(types.count == 14)
    var found: Set<Set<Int>> = []
    var count = 0
    for bits in 0..<(1 << types.count) where bits.nonzeroBitCount <= 4 {
      count += 1
      let set = types.indices.filter { bits >> $0 & 1 == 1 }.map { types[$0] }
      let isSupported = AssetCreationRequest.supportsAssetResourceTypes(set)
      #expect(isSupported == AssetCreationRequest.supportsAssetResourceTypes(set.reversed()))
      if isSupported { found.insert(Set(set.map(\.rawValue))) }
    }
    #expect(count == 1 + 14 + 91 + 364 + 1001)
    #expect(found == Self.accepted)
  }

  @Test(arguments: [
    [1, 9, 5, 10, 7], [1, 9, 5, 10, 7, 8, 11], [1, 9, 5, 7, 8], [1, 9, 5, 7, 8, 11],
    [1, 4, 5, 7, 8],
  ])
  func `K4: larger sets of Live Photos and RAW pairs make an asset`(_ numbers: [Int]) {
    let types = numbers.compactMap { AssetResourceType(rawValue: $0) }
    #expect(AssetCreationRequest.supportsAssetResourceTypes(types))
  }

  @Test(arguments: [
    [1, 1], [1, 2], [1, 5], [5, 7], [1, 9, 10, 5], [1, 9, 5, 10, 7, 8], [1, 9, 5, 10, 7, 11],
    [1, 4, 9], [1, 19], [1, 7], [2, 9], [2, 6, 7, 8],
  ])
  func `K4: half a pair, two of a kind and what has no original make none`(_ numbers: [Int]) {
    let types = numbers.compactMap { AssetResourceType(rawValue: $0) }
    #expect(!AssetCreationRequest.supportsAssetResourceTypes(types))
  }
}
