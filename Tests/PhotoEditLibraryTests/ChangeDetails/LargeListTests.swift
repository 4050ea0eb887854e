// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

/// Uses lists of several chunks and commits that change many members.
@Suite("Updating long fetch results", .seeded)
struct LargeListTests {
  @Test(arguments: [1, 2, 3, 4])
  func `updates of hundreds of members match a comparison of the lists`(seed: Int) throws {
    var random = SeededNumbers(seed)
    let folder = try TestLibrary()
    let library = folder.library
    let assets = try folder.addAssets(3_000) { i, record in
      record.creationDate =
        i % 50 == 0 ? nil : Date(timeIntervalSince1970: Double(random.below(2_000)))
    }
    let album = try folder.addAlbum(assets.shuffled(using: &random))
    let dates = [true, false].map { ascending in
      FetchOptions<Asset>(sortDescriptors: [
        FetchSort(AssetKey.creationDate, ascending: ascending)
      ])
    }
    var results = [
      try library.fetchAssets(), try library.fetchAssets(dates[0]),
      try library.fetchAssets(dates[1]), try library.fetchAssets(in: album),
    ]
    for count in [1, 40, 300] {
      let chosen = Array(assets.shuffled(using: &random).prefix(count))
      let kinds = chosen.map { _ in random.below(4) }
      let numbers = chosen.map { _ in random.below(2_000) }
      let base = try folder.version()
      try library.performChangesAndWait { changes in
        for (i, asset) in chosen.enumerated() {
          switch kinds[i] {
          case 0: try changes.change(asset).setFavorite(!asset.isFavorite)
          case 1:
            try changes.change(asset).setCreationDate(
              Date(timeIntervalSince1970: Double(numbers[i])))
          case 2: try changes.change(asset).setHidden(numbers[i] % 2 == 0)
          default: try changes.change(asset).setCreationDate(nil)
          }
        }
      }
      // A single asset may get its present value; then nothing is committed.
      guard try folder.version() > base else { continue }
      let change = LibraryChange(in: library, from: base, through: base + 1)
      let fresh = [
        try library.fetchAssets(), try library.fetchAssets(dates[0]),
        try library.fetchAssets(dates[1]), try library.fetchAssets(in: album),
      ]
      for i in results.indices {
        let details = try change.changeDetails(for: results[i])
        let compared = FetchResultChangeDetails(from: results[i], to: fresh[i])
        let after = details?.fetchResultAfterChanges ?? results[i]
        #expect(after.rows == fresh[i].rows, "result \(i), seed \(seed), \(count) assets")
        if let details { #expect(details.difference == compared.difference) }
        results[i] = after
      }
    }
  }
}
