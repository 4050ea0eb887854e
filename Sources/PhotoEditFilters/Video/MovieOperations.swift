// SPDX-License-Identifier: Apache-2.0

/// A change to a video that leaves its frames unchanged.
public protocol MovieOperation: Filter {}

extension MovieOperation {
  /// Throws an error for images.
  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    throw conflict("only videos are supported; this is an image")
  }
}

public struct Trim: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "trim", "Trims a video; starts at the preceding key frame.",
    aliases: ["cut"],
    equivalents: "ffmpeg -ss/-to -c copy; avconvert --start/--duration",
    formula: "out(t) = in(k + t), k = the last key frame at or before start",
    source: "ISO/IEC 14496-12, 8.6 (sample times and key frames)", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "start", \.start, unit: .seconds, in: 0...1_000_000, ui: 0...60, identity: 0,
        "Start time."),
      Parameter(
        "end", \.end, unit: .seconds, in: 0...1_000_000, ui: 0...60, identity: 0,
        "End time; 0 keeps the end of the video."),
    ])

  public var start = 0.0
  public var end = 0.0

  public init() {}

  /// Creates the operation.
  public init(start: Double, end: Double = 0) { (self.start, self.end) = (start, end) }

  public func validate() throws(ParameterError) {
    guard end == 0 || end > start else {
      throw conflict("end (\(end) s) must be after start (\(start) s)")
    }
  }
}

public struct Mute: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "mute", "Removes the audio tracks.",
    equivalents: "ffmpeg -an -c copy",
    formula: "audio tracks are left out",
    source: "ISO/IEC 14496-12, 8.3 (tracks)", dependency: .movie,
    tolerance: "packets are copied unchanged", parameters: [])

  public init() {}
}

public struct Volume: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "volume", "Lowers the playback volume.",
    equivalents:
      "AVMutableAudioMix; MP4Box -set-track-volume; ffmpeg -filter:a volume, which re-encodes",
    formula: "the volume of each audio track, in steps of 1/256, is multiplied by amount",
    source: "ISO/IEC 14496-12, 8.3.2 (track header)", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 1, argument: 0.5,
        "Volume factor; 0 is silent, but keeps the audio.")
    ])

  public var amount = 1.0

  public init() {}

  /// Creates the operation.
  public init(_ amount: Double) { self.amount = amount }
}

public struct CreationDate: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "creationDate", "Sets the creation date of a video.",
    equivalents: "exiftool -CreateDate -Keys:CreationDate; ffmpeg -metadata creation_time",
    formula: "sets the headers and com.apple.quicktime.creationdate",
    source: "QuickTime File Format, movie header atoms and metadata keys", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "date", \.date, count: 3, in: 1...2039, identity: [1970, 1, 1],
        "Year, month and day, such as 2024:5:31; years 1904–2039."),
      Parameter(
        "time", \.time, count: 3, in: 0...59, identity: [0, 0, 0],
        "Hour, minute and second, such as 12:34:56."),
      Parameter(
        "utcOffset", \.utcOffset, unit: .minutes, in: -1080...1080, identity: 0,
        "Offset of local time from UTC."),
    ])

  public var date: [Double] = [1970, 1, 1]
  public var time: [Double] = [0, 0, 0]
  /// Minutes by which local time is ahead of UTC.
  public var utcOffset = 0

  public init() {}

  /// Creates the operation.
  public init(date: [Double], time: [Double], utcOffset: Int = 0) {
    (self.date, self.time, self.utcOffset) = (date, time, utcOffset)
  }

  public func validate() throws(ParameterError) {
    guard (date + time).allSatisfy({ $0 == $0.rounded() }), date[0] >= 1904, time[0] <= 23,
      CivilDate(year: Int(date[0]), month: Int(date[1]), day: Int(date[2])) != nil
    else { throw conflict("invalid date or time") }
  }
}

public struct Location: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "location", "Sets the location of a video.",
    equivalents: "exiftool -Keys:GPSCoordinates; ffmpeg -metadata location",
    formula: "sets com.apple.quicktime.location.ISO6709 and ©xyz",
    source: "ISO 6709, annex H; QuickTime File Format, metadata keys", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "latitude", \.latitude, unit: .degrees, in: -90...90, identity: 0,
        "Latitude in degrees north."),
      Parameter(
        "longitude", \.longitude, unit: .degrees, in: -180...180, identity: 0,
        "Longitude in degrees east."),
      Parameter(
        "altitude", \.altitude, counts: [0, 1], in: -100_000...100_000,
        "Altitude in meters above sea level, or empty."),
    ])

  public var latitude = 0.0
  public var longitude = 0.0
  /// Meters above sea level; empty if unknown.
  public var altitude: [Double] = []

  public init() {}

  /// Creates the operation.
  public init(latitude: Double, longitude: Double, altitude: Double? = nil) {
    (self.latitude, self.longitude) = (latitude, longitude)
    self.altitude = altitude.map { [$0] } ?? []
  }
}

public struct RemoveLocation: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "removeLocation", "Removes all location data from a video.",
    equivalents: "exiftool -Keys:GPSCoordinates= -UserData:GPSCoordinates=",
    formula:
      "removes keys, user data, XMP, telemetry and subtitles with a location, and unknown boxes "
      + "and data tracks",
    source: "ISO 6709, annex H; QuickTime File Format, metadata keys", dependency: .movie,
    tolerance: "packets are copied unchanged", parameters: [])

  public init() {}
}
