// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Moments", .seeded)
struct MomentTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  private func assets(_ points: [(hours: Double?, coordinate: (Double, Double)?)]) throws -> [Asset]
  {
    try folder.addAssets(points.count) { i, record in
      record.creationDate = points[i].hours.map { Date(timeIntervalSince1970: $0 * 3600) }
      record.location = points[i].coordinate.flatMap {
        LocationCoordinate(latitude: $0.0, longitude: $0.1)
      }
    }
  }

  private func members() throws -> [[Asset]] {
    try library.fetchMoments().map { try Array(library.fetchAssets(in: $0)) }
  }

  @Test(.requirement("moments")) func `a gap of more than six hours ends a moment`() throws {
    let assets = try assets([(0, nil), (6, nil), (12.001, nil), (nil, nil), (12.001, nil)])
    #expect(try members() == [[assets[0], assets[1]], [assets[2], assets[4]]])
    let moments = try library.fetchMoments()
    #expect(moments.map(\.estimatedAssetCount) == [2, 2])
    #expect(moments[0].startDate == assets[0].creationDate)
    #expect(moments[0].endDate == assets[1].creationDate)
    #expect(moments.allSatisfy { $0.kind == .moment && $0.localizedTitle == nil })
  }

  @Test(.requirement("moments")) func `a distance of more than 50 km ends a moment`() throws {
    // A degree of latitude is 111.195 km on the sphere.
    let near = (0.449, 0.0), far = (0.899, 0.0)
    let assets = try assets([(0, (0, 0)), (1, near), (2, far), (3, nil), (4, (0, 0))])
    // The asset between the last two locations has no location.
    #expect(try members() == [[assets[0], assets[1]], [assets[2], assets[3], assets[4]]])
    #expect(
      !MomentClustering.split(
        .init(row: 1, date: 0, latitude: 0, longitude: 179.9),
        .init(row: 2, date: 0, latitude: 0, longitude: -179.9)))
    #expect(
      MomentClustering.split(
        .init(row: 1, date: 0, latitude: 0, longitude: 0),
        .init(row: 2, date: 0, latitude: 0.45, longitude: 0)))
    #expect(abs(MomentBoundary.distance((90, 0), (-90, 0)) - .pi * 6_371_008.8) < 1)
  }

  @Test(.requirement("moments")) func `a moment has the name of the town of most assets`() throws {
    let names = [
      "Sintra, Lisbon, PT", "Lisbon, PT", "Lisbon, PT", nil, nil, "Évora, PT", "Beja, PT",
    ]
    let hours: [Double] = [0, 1, 2, 3, 20, 40, 41]
    let assets = try folder.addAssets(names.count) { i, record in
      record.creationDate = Date(timeIntervalSince1970: hours[i] * 3600)
      record.place = names[i]
    }
    let moments = try library.fetchMoments()
    #expect(moments.map(\.localizedTitle) == ["Lisbon", nil, "Beja"])
    for (index, asset) in [(0, assets[3]), (1, assets[4]), (2, assets[5])] {
      let found = try library.fetchAssetCollections(containing: asset, with: .moment)
      #expect(found.map(\.localizedTitle) == [moments[index].localizedTitle])
    }
    let lisbon = try library.fetchMoments(
      FetchOptions(predicate: AssetCollectionKey.localizedTitle == "Lisbon"))
    #expect(Array(lisbon) == [moments[0]])
  }

  @Test(.requirement("moments")) func `hidden assets are excluded from moments`() throws {
    let assets = try assets([(0, nil), (5, nil), (10, nil)])
    #expect(try members().count == 1)
    try library.performChangesAndWait { try $0.change(assets[1]).setHidden(true) }
    #expect(try members() == [[assets[0]], [assets[2]]])
    #expect(try library.fetchAssetCollections(containing: assets[1], with: .moment).isEmpty)
  }

  @Test(.requirement("moments"))
  func `a moment keeps its identifier while its first asset stays the same`() throws {
    let assets = try assets([(5, nil), (6, nil), (100, nil)])
    let before = try library.fetchMoments()
    let names = before.map(\.localIdentifier)
    #expect(try Array(library.fetchAssetCollections(withLocalIdentifiers: names)) == Array(before))
    #expect(
      try Array(library.fetchAssetCollections(containing: assets[1], with: .moment)) == [before[0]])
    let late = try self.assets([(7, nil)])
    #expect(try library.fetchMoments().map(\.localIdentifier) == names)
    #expect(try Array(library.fetchAssets(in: before[0])) == [assets[0], assets[1], late[0]])
    let early = try self.assets([(4, nil)])
    let after = try library.fetchMoments()
    #expect(after[0] != before[0] && after[1] == before[1])
    #expect(try library.fetchAssets(in: before[0]).isEmpty)
    #expect(try library.fetchAssetCollections(withLocalIdentifiers: [names[0]]).isEmpty)
    #expect(try library.fetchKeyAssets(in: after[0])?.first == early[0])
  }

  @Test(.requirement("moments")) func `moments are listed by year`() throws {
    let year = 8766.0
    let assets = try assets([(-1, nil), (2, nil), (100, nil), (40 * year, nil)])
    let lists = try library.fetchCollectionLists(with: .momentList, subtype: .momentListYear)
    // The moment that began an hour before 1970 continues into it.
    #expect(lists.map { MomentClustering.year(of: $0) } == [1969, 1970, 2010])
    #expect(lists.first?.endDate == assets[1].creationDate)
    let moments = try library.fetchMoments()
    #expect(try Array(library.fetchMoments(in: lists[1])) == [moments[1]])
    #expect(try Array(library.fetchCollections(in: lists[0])) == [.assets(moments[0])])
    #expect(try Array(library.fetchCollectionLists(containing: .assets(moments[2]))) == [lists[2]])
    let names = lists.reversed().map(\.localIdentifier)
    #expect(
      try library.fetchCollectionLists(withLocalIdentifiers: names).map(\.localIdentifier) == names)
    #expect(
      try library.fetchCollectionLists(with: .momentList, subtype: .momentListCluster).isEmpty)
  }

  @Test(.requirement("moments"), arguments: [31, 32, 33])
  func `moments match a sequential reference algorithm`(seed: Int) throws {
    var random = SeededNumbers(seed)
    let all = try assets(
      (0..<80).map { _ in
        let hours = Double(Int.random(in: 0..<300, using: &random))
        let coordinate = Double(Int.random(in: 0..<4, using: &random)) / 4
        return (hours, Bool.random(using: &random) ? (coordinate, 0) : nil)
      })
    let sorted = all.sorted {
      ($0.creationDate ?? .distantPast, $0.row) < ($1.creationDate ?? .distantPast, $1.row)
    }
    var expected: [[Asset]] = []
    for asset in sorted {
      guard let last = expected.last?.last, let date = asset.creationDate,
        let before = last.creationDate
      else {
        expected.append([asset])
        continue
      }
      let isFar =
        if let a = last.location, let b = asset.location {
          abs(a.latitude - b.latitude) * 111_195 > 50_000
        } else { false }
      if date.timeIntervalSince(before) > 6 * 3600 || isFar {
        expected.append([asset])
      } else {
        expected[expected.count - 1].append(asset)
      }
    }
    #expect(try members() == expected, "seed \(seed)")
    for moment in expected {
      for asset in [moment[0], moment[moment.count / 2], moment[moment.count - 1]] {
        let found = try library.fetchAssetCollections(containing: asset, with: .moment)
        #expect(found.map(\.estimatedAssetCount) == [moment.count], "seed \(seed)")
      }
    }
  }
}

extension MomentClustering {
  fileprivate static func year(of list: CollectionList) -> Int? {
    LocalIdentifier(list.localIdentifier).flatMap { ComputedIdentifier.year(of: $0) }
  }
}
