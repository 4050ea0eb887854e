// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditSQLite

/// Photos taken around the same time and location, without gaps of over six hours or fifty
/// kilometers.
///
/// The assets of a default fetch that have a date are ordered by date and row. A moment ends where
/// two neighbors are more than 6 h apart, or more than 50 km if both locations are known. Its
/// identifier is derived from its first asset, so it is stable as long as that asset stays the
/// first.
struct MomentClustering {
  private let session: FetchSession
  private let condition: SQLFragment

  struct Point: Hashable {
    let row: Int64
    /// Seconds since 1970.
    let date: Double
    let latitude: Double?
    let longitude: Double?
    /// The seconds by which the clock at the place was ahead of UTC; nil if unknown.
    var utcOffset: Int?
    /// The names of the place, such as "Sintra, Lisbon, PT"; nil if unknown.
    var place: String?
  }

  private struct Cluster {
    let first: Int64
    var last: Point
    var summary: AlbumSummary
    /// The number of assets at each town.
    private var towns: [Substring: Int] = [:]

    /// The town of most assets, the first one in alphabetical order; nil without any.
    var town: String? {
      let most = towns.values.max()
      return towns.filter { $0.value == most }.keys.min().map { String($0) }
    }

    init(_ point: Point) {
      first = point.row
      last = point
      summary = AlbumSummary()
      (summary.start, summary.startOffset) = (point.date, point.utcOffset)
      add(point)
    }

    mutating func add(_ point: Point) {
      summary.count += 1
      if let town = point.place?.prefix(while: { $0 != "," }) { towns[town, default: 0] += 1 }
      (summary.end, summary.endOffset) = (point.date, point.utcOffset)
      last = point
    }
  }

  init(_ session: FetchSession) {
    self.session = session
    condition = .all(
      AssetScope(session, otherwise: .own).conditions + [SQLFragment("creationDate IS NOT NULL")])
  }

  static func split(_ first: Point, _ second: Point) -> Bool {
    MomentBoundary.separates(second.date - first.date, first.coordinates, second.coordinates)
  }

  // MARK: All moments

  /// Returns all moments, the oldest first.
  func all() throws(LibraryError) -> [AssetCollection] {
    var clusters: [Cluster] = []
    try session.database.calling(
      session.database.connection.each(
        "\(Self.points) WHERE \(condition.text) ORDER BY creationDate, id", condition.values
      ) { row in
        let point = Point(row)
        if let last = clusters.last?.last, !Self.split(last, point) {
          clusters[clusters.count - 1].add(point)
        } else {
          clusters.append(Cluster(point))
        }
      })
    return try clusters.map(collection).compactMap(\.self)
  }

  /// Returns the lists of moments by the year in which they start, in UTC, the oldest first.
  func years() throws(LibraryError) -> [CollectionList] {
    var years: [(year: Int, start: Date?, end: Date?)] = []
    for moment in try all() {
      guard let year = Self.year(of: moment) else { continue }
      if years.last?.year == year {
        years[years.count - 1].end = moment.endDate
      } else {
        years.append((year, moment.startDate, moment.endDate))
      }
    }
    return years.compactMap { year, start, end in
      ComputedIdentifier.momentList(year: year).map { identifier in
        var list = CollectionList(
          localIdentifier: identifier.description, kind: .momentList, subtype: .momentListYear,
          localizedTitle: nil, startDate: start, endDate: end, row: nil)
        list.isLibraryChangeable = session.isChangeable
        return list
      }
    }
  }

  static func year(of moment: AssetCollection) -> Int? {
    moment.startDate.map { CivilDate(seconds: $0.timeIntervalSince1970).year }
  }

  // MARK: Single moments

  /// Returns the moment with an identifier; nil if it no longer exists.
  func moment(_ identifier: LocalIdentifier) throws(LibraryError) -> AssetCollection? {
    guard let points = try points(of: identifier), let first = points.first else { return nil }
    return try collection(Self.cluster(first, points))
  }

  /// Returns the moment that contains an asset; nil if it is in no moment.
  func moment(containing asset: Int64) throws(LibraryError) -> AssetCollection? {
    guard let point = try point("id", .integer(asset)) else { return nil }
    let before = try walk(from: point, isBackward: true)
    let first = before.last ?? point
    return try collection(
      Self.cluster(first, before.reversed() + [point] + walk(from: point, isBackward: false)))
  }

  /// Returns the rows of the assets of a moment, the oldest first; empty if the moment does not
  /// exist.
  func rows(of identifier: LocalIdentifier) throws(LibraryError) -> [Int64] {
    try points(of: identifier)?.map(\.row) ?? []
  }

  private func points(of identifier: LocalIdentifier) throws(LibraryError) -> [Point]? {
    guard let asset = ComputedIdentifier.firstAsset(of: identifier),
      let first = try point("uuid", .blob(asset.bytes))
    else { return nil }
    // It was the first asset once; an older neighbor may have been added since.
    if let before = try neighbors(of: first, isBackward: true, limit: 1).first,
      !Self.split(before, first)
    {
      return nil
    }
    return [first] + (try walk(from: first, isBackward: false))
  }

  // MARK: Traversal

  private static let points =
    "SELECT id, creationDate, latitude, longitude, utcOffset, place FROM asset"

  private func point(_ column: String, _ value: DatabaseValue) throws(LibraryError) -> Point? {
    try session.database.first(
      "\(Self.points) WHERE \(column) = ? AND \(condition.text)", [value] + condition.values
    ) { Point($0) }
  }

  /// Returns the neighbors of a point up to the end of its moment, the nearest first.
  private func walk(from start: Point, isBackward: Bool) throws(LibraryError) -> [Point] {
    var found: [Point] = []
    var last = start
    while true {
      let points = try neighbors(of: last, isBackward: isBackward, limit: 500)
      if points.isEmpty { return found }
      for point in points {
        if isBackward ? Self.split(point, last) : Self.split(last, point) { return found }
        found.append(point)
        last = point
      }
    }
  }

  private func neighbors(
    of point: Point, isBackward: Bool, limit: Int
  ) throws(LibraryError) -> [Point] {
    let direction = isBackward ? " DESC" : ""
    return try session.database.all(
      """
      \(Self.points) WHERE \(condition.text)
        AND (creationDate, id) \(isBackward ? "<" : ">") (?, ?)
      ORDER BY creationDate\(direction), id\(direction) LIMIT ?
      """, condition.values + [.real(point.date), .integer(point.row), .init(limit)]
    ) { Point($0) }
  }

  private static func cluster(_ first: Point, _ points: [Point]) -> Cluster {
    var cluster = Cluster(first)
    for point in points.dropFirst() { cluster.add(point) }
    return cluster
  }

  private func collection(_ cluster: Cluster) throws(LibraryError) -> AssetCollection? {
    let bytes = try session.database.first(
      "SELECT uuid FROM asset WHERE id = ?", [.integer(cluster.first)]
    ) { $0.blob(0) }
    guard let bytes, let asset = LocalIdentifier(bytes: bytes, .asset),
      let identifier = ComputedIdentifier.moment(first: asset)
    else { return nil }
    return AssetCollection(
      localIdentifier: identifier.description, kind: .moment, subtype: .any, title: cluster.town,
      summary: cluster.summary, row: nil, isLibraryChangeable: session.isChangeable)
  }
}

/// The rule that divides a sequence of photos into moments.
package enum MomentBoundary {
  static let longestPause = 6.0 * 3600
  static let farthestStep = 50_000.0

  /// A latitude and a longitude in degrees.
  package typealias Coordinates = (latitude: Double, longitude: Double)

  /// Returns whether two neighbors belong to different moments.
  ///
  /// - Parameters:
  ///   - pause: The seconds between them.
  ///   - first: The location of one; nil if it is unknown.
  ///   - second: The location of the other.
  package static func separates(
    _ pause: Double, _ first: Coordinates?, _ second: Coordinates?
  ) -> Bool {
    if abs(pause) > longestPause { return true }
    guard let first, let second else { return false }
    return distance(first, second) > farthestStep
  }

  /// Returns the great-circle distance in meters on a sphere with Earth's mean radius, using the
  /// haversine formula.
  static func distance(_ first: Coordinates, _ second: Coordinates) -> Double {
    let radian = Double.pi / 180
    let haversine =
      GreatCircle.haversine((second.latitude - first.latitude) * radian)
      + cos(first.latitude * radian) * cos(second.latitude * radian)
      * GreatCircle.haversine((second.longitude - first.longitude) * radian)
    return GreatCircle.earthRadius * GreatCircle.angle(haversine: haversine)
  }
}

extension MomentClustering.Point {
  fileprivate var coordinates: MomentBoundary.Coordinates? {
    guard let latitude, let longitude else { return nil }
    return (latitude, longitude)
  }

  init(_ row: Row) {
    self.init(
      row: row.int(0), date: row.real(1), latitude: row.optionalReal(2),
      longitude: row.optionalReal(3), utcOffset: row.optionalInt(4).map { Int($0) },
      place: row.optionalText(5))
  }
}
