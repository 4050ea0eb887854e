// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditLibrary

@Suite("Resource combinations of an asset")
struct ResourceCombinationTests {
  /// All supported sets of at most four types, as PhotoKit raw values.
  private static let accepted: Set<Set<Int>> = [
    [1], [2], [3], [1, 4], [1, 9],
    // A photo with rendering and adjustment data, and with its base.
    [1, 5, 7], [1, 5, 7, 8],
    // The same for a RAW+JPEG pair, and for a Live Photo edited as a still.
    [1, 4, 5, 7], [1, 9, 5, 7],
    // A video.
    [2, 6, 7], [2, 6, 7, 12],
    // XMP can accompany all of them.
    [1, 1001], [2, 1001], [3, 1001], [1, 4, 1001], [1, 9, 1001], [1, 5, 7, 1001],
    [2, 6, 7, 1001],
  ]

  @Test(.requirement("resource-combinations"))
  func `exactly the listed sets of up to four types are supported`() {
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

  @Test(
    .requirement("resource-combinations"),
    arguments: [
      [1, 9, 5, 10, 7], [1, 9, 5, 10, 7, 8, 11], [1, 9, 5, 7, 8], [1, 9, 5, 7, 8, 11],
      [1, 4, 5, 7, 8],
    ])
  func `larger sets of Live Photos and RAW pairs are supported`(_ numbers: [Int]) {
    let types = numbers.compactMap { AssetResourceType(rawValue: $0) }
    #expect(AssetCreationRequest.supportsAssetResourceTypes(types))
  }

  @Test(
    .requirement("resource-combinations"),
    arguments: [
      [1, 1], [1, 2], [1, 5], [5, 7], [1, 9, 10, 5], [1, 9, 5, 10, 7, 8], [1, 9, 5, 10, 7, 11],
      [1, 4, 9], [1, 19], [1, 7], [2, 9], [2, 6, 7, 8],
    ])
  func `incomplete pairs, duplicates and sets without an original are not supported`(
    _ numbers: [Int]
  ) {
    let types = numbers.compactMap { AssetResourceType(rawValue: $0) }
    #expect(!AssetCreationRequest.supportsAssetResourceTypes(types))
  }
}
