// SPDX-License-Identifier: Apache-2.0
public import PhotoEditFilters

/// An edit of a video that leaves every kept packet unchanged.
public enum MovieEdit: Sendable, Hashable {
  /// The direction of a flip.
  public enum Axis: String, Sendable, Hashable, CaseIterable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
  }

  /// Keeps the seconds from `start` to `end`, or to the end of the video.
  ///
  /// The video starts at the last key frame at or before `start`, and all other tracks start with
  /// it; the report contains the actual start. The end is exact.
  case trim(start: Double, end: Double? = nil)
  /// Rotates the video clockwise in 90° steps, any integer, by its display matrix.
  case rotate90(turns: Int)
  /// Flips the video by its display matrix.
  case flip(Axis)
  case mute
  /// Sets the playback volume to a fraction from 0 to 1 in the headers of the audio tracks; rounded
  /// to 1/256.
  case volume(Double)
  /// Sets the creation date, 1904 to 2040.
  case creationDate(MovieDate)
  /// Sets the location; nil removes all locations.
  case location(MovieLocation?)
  /// Sets a text by its QuickTime key, such as "com.apple.quicktime.title"; nil removes it.
  case text(key: String, value: String?)
  /// Pairs the video with the still image of a Live Photo; 1 to 256 printable characters.
  case contentIdentifier(String)
  /// Sets the still image time of a Live Photo, in seconds from the beginning.
  case stillImageTime(Double)
}

/// A date and time with its offset from UTC.
public struct MovieDate: Sendable, Hashable, CustomStringConvertible {
  /// Seconds since 1970-01-01 00:00 UTC.
  public var seconds: Int
  /// Seconds by which local clocks were ahead of UTC.
  public var utcOffset: Int

  /// Creates a date.
  public init(seconds: Int, utcOffset: Int = 0) {
    self.seconds = seconds
    self.utcOffset = utcOffset
  }

  /// Seconds since 1904 UTC, as stored in 32-bit header fields; nil before 1904 and after 2040.
  var secondsSince1904: Int? {
    let (sum, overflows) = seconds.addingReportingOverflow(2_082_844_800)
    return !overflows && (1...Int(UInt32.max)).contains(sum) ? sum : nil
  }

  /// The date in the ISO 8601 notation used by cameras: "2024-05-06T12:34:56+0200".
  public var description: String {
    let local = min(max(seconds, -(1 << 40)), 1 << 40) + min(max(utcOffset, -86_400), 86_400)
    let day = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
    let second = local - day * 86_400

    let offset = utcOffset.magnitude / 60
    return "\(CivilDate(number: day))T\(zeroPadded(second / 3600)):"
      + "\(zeroPadded(second / 60 % 60)):\(zeroPadded(second % 60))"
      + (utcOffset < 0 ? "-" : "+") + zeroPadded(Int(offset / 60 % 100))
      + zeroPadded(Int(offset % 60))
  }

  /// Parses ISO 8601: a date, "T" or a space, a time, and "Z", "+02:00", "+0200" or nothing for
  /// UTC.
  public init?(_ text: String) {
    let parts = text.split(maxSplits: 1, omittingEmptySubsequences: false) { "T ".contains($0) }
    guard parts.count == 2 else { return nil }
    let date = parts[0].split(separator: "-", omittingEmptySubsequences: false).map(Self.number)
    let zoneStart = parts[1].firstIndex { "Zz+-".contains($0) } ?? parts[1].endIndex
    let time = parts[1][..<zoneStart].split(separator: ":", omittingEmptySubsequences: false)
      .map(Self.number)
    guard date.count == 3, time.count == 3, let year = date[0], let month = date[1],
      let day = date[2], let hour = time[0], let minute = time[1], let second = time[2],
      (1...9999).contains(year), let day = CivilDate(year: year, month: month, day: day)?.number,
      (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second),
      let offset = Self.offset(parts[1][zoneStart...])
    else { return nil }
    seconds = day * 86_400 + hour * 3600 + minute * 60 + second - offset
    utcOffset = offset
  }

  private static func number(_ text: Substring) -> Int? {
    text.utf8.allSatisfy { (0x30...0x39).contains($0) } && text.utf8.count <= 4 ? Int(text) : nil
  }

  private static func offset(_ text: Substring) -> Int? {
    guard let sign = text.first else { return 0 }
    if text.lowercased() == "z" { return 0 }
    let digits = text.dropFirst().filter { $0 != ":" }
    guard digits.utf8.count == 4, let value = number(Substring(digits)), value / 100 <= 18,
      value % 100 < 60
    else { return nil }
    return (value / 100 * 3600 + value % 100 * 60) * (sign == "-" ? -1 : 1)
  }

  /// Creates the date of a filter; nil for a date that its validation would reject.
  fileprivate init?(_ filter: CreationDate) {
    let numbers = (filter.date + filter.time).compactMap { Int(exactly: $0) }
    guard numbers.count == 6 else { return nil }
    let zone = filter.utcOffset.magnitude
    self.init(
      "\(zeroPadded(numbers[0], 4))-\(zeroPadded(numbers[1]))-\(zeroPadded(numbers[2]))"
        + "T\(zeroPadded(numbers[3])):\(zeroPadded(numbers[4])):\(zeroPadded(numbers[5]))"
        + (filter.utcOffset < 0 ? "-" : "+") + zeroPadded(Int(zone / 60))
        + zeroPadded(Int(zone % 60)))
  }
}

/// A geographic location.
public struct MovieLocation: Sendable, Hashable, CustomStringConvertible {
  /// Degrees north, -90 to 90.
  public let latitude: Double
  /// Degrees east, -180 to 180.
  public let longitude: Double
  /// Meters above sea level; nil if unknown.
  public let altitude: Double?

  /// Creates a location; nil outside the ranges, and for an altitude over ±100 km.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard abs(latitude) <= 90, abs(longitude) <= 180, abs(altitude ?? 0) <= 100_000 else {
      return nil
    }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// The location in the notation of ISO 6709, annex H: "+48.8577+002.2950+035.000/".
  public var description: String {
    Self.text(latitude, whole: 2, fraction: 4) + Self.text(longitude, whole: 3, fraction: 4)
      + (altitude.map { Self.text($0, whole: 3, fraction: 3) } ?? "") + "/"
  }

  private static func text(_ value: Double, whole: Int, fraction: Int) -> String {
    var unit = 1
    for _ in 0..<fraction { unit *= 10 }
    let number = Int((value.magnitude * Double(unit)).rounded())
    return (value < 0 && number > 0 ? "-" : "+") + zeroPadded(number / unit, whole) + "."
      + zeroPadded(number % unit, fraction)
  }
}

/// The effect of a filter graph on a video: edits of its packets and header, and filters that
/// require its frames to be decoded and re-encoded.
public struct MovieEditPlan: Sendable, Hashable {
  /// The edits that leave frames unchanged, in graph order.
  public private(set) var edits: [MovieEdit] = []
  /// The filters that are applied to the frames before `edits`; nil if no frame changes.
  ///
  /// Rotations and flips are included, because crops and similar filters depend on the order.
  public private(set) var frames: FilterGraph?
  /// The first node that requires frames, such as "node 'n2' (sepia)"; nil if absent.
  public private(set) var firstFrameNode: String?

  /// Classifies the nodes of a graph.
  ///
  /// - Throws: `UnsupportedNode` for the first node that is unsupported or cannot be applied to a
  ///   video.
  public init(_ graph: FilterGraph) throws(UnsupportedNode) {
    if let unsupportedNode = graph.blockingReasons.first { throw unsupportedNode }
    var frames = graph
    for node in graph.needed where node.isEnabled {
      let filter = try node.resolved()
      if type(of: filter).description.dependency == .movie {
        guard node.isPlain else {
          throw UnsupportedNode(
            node: node.id, .unsupported("inputs, a mask, a blend mode or an opacity for a video"))
        }
      } else if !(node.isPlain && Self.orientationEdit(filter) != nil) {
        firstFrameNode = firstFrameNode ?? "node '\(node.id)' (\(node.filter))"
      }
    }
    for node in graph.needed where node.isEnabled {
      let filter = try node.resolved()
      if let operation = Self.operation(filter) {
        edits.append(operation)
        do throws(GraphEditError) { try frames.remove(node: node.id) } catch {
          throw UnsupportedNode(node: node.id, .unsupported("an input of another node"))
        }
      } else if firstFrameNode == nil, let orientationEdit = Self.orientationEdit(filter) {
        edits.append(orientationEdit)
      }
    }
    if firstFrameNode != nil { self.frames = frames }
  }

  /// Returns the rotation or flip that the display matrix can express.
  private static func orientationEdit(_ filter: any Filter) -> MovieEdit? {
    switch filter {
    case let filter as Rotate90: .rotate90(turns: filter.turns)
    case let filter as Flip: .flip(filter.axis == .horizontal ? .horizontal : .vertical)
    default: nil
    }
  }

  private static func operation(_ filter: any Filter) -> MovieEdit? {
    switch filter {
    case let filter as Trim:
      .trim(start: filter.start, end: filter.end == 0 ? nil : filter.end)
    case is Mute: .mute
    case let filter as Volume: .volume(filter.amount)
    case let filter as CreationDate: MovieDate(filter).map { .creationDate($0) }
    case let filter as Location:
      MovieLocation(
        latitude: filter.latitude, longitude: filter.longitude, altitude: filter.altitude.first
      ).map { .location($0) }
    case is RemoveLocation: .location(nil)
    default: nil
    }
  }
}
