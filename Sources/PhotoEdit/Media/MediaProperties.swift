// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
package import PhotoEditCodecs

/// The capture date, the capture location, and the media subtypes of an asset.
public struct MediaProperties: Sendable, Hashable {
  /// The capture date; a local time without an offset is interpreted as UTC.
  public var creationDate: Date?
  /// The capture location.
  public var location: LocationCoordinate?
  /// The seconds by which the clock was ahead of UTC at capture; nil if unknown.
  package var utcOffset: Int?
  /// Indicates whether the date is from a clock in UTC, so that it is exact, but not from the place
  /// of capture.
  package var isDateUTC = false
  /// The media subtypes, with PhotoKit's raw values.
  public var subtypes: MediaSubtype

  /// Creates a description; by default, nothing is known.
  public init(
    creationDate: Date? = nil, location: LocationCoordinate? = nil, subtypes: MediaSubtype = []
  ) {
    self.creationDate = creationDate
    self.location = location
    self.subtypes = subtypes
  }

  /// Creates a description from a still; the Live Photo subtype depends on another file and is not
  /// set.
  package init(_ capture: CaptureMetadata) {
    self.init(creationDate: capture.date.map { Date(timeIntervalSince1970: $0.seconds) })
    utcOffset = capture.date?.offset
    if let latitude = capture.latitude, let longitude = capture.longitude {
      location = LocationCoordinate(
        latitude: latitude, longitude: longitude, altitude: capture.altitude)
    }
    if capture.isPanorama { subtypes.insert(.photoPanorama) }
    if capture.isHighDynamicRange { subtypes.insert(.photoHDR) }
    if capture.isScreenshot { subtypes.insert(.photoScreenshot) }
    if capture.hasDepth { subtypes.insert(.photoDepthEffect) }
  }

  /// Creates a description from a video's metadata.
  ///
  /// A video has a high frame rate if its capture rate or its frame rate is high, and is a time
  /// lapse if its capture rate is less than half of its frame rate. Without a recorded capture
  /// rate, only the frame rate is used.
  ///
  /// - Parameters:
  ///   - tags: The metadata, with the keys of QuickTime, MP4, or FFmpeg.
  ///   - created: The creation time from the header, in seconds since 1970.
  ///   - frameRate: Frames per second; nil if it can only be determined by playing the video.
  ///   - hasVideo: Whether the file contains video and not only audio.
  package init(
    movie tags: [String: String], created: Double?, frameRate: Double?, hasVideo: Bool
  ) {
    let moment = StatedDate(tags, created: created)
    let place = MetadataName.location.text(ofMovie: tags).flatMap {
      LocationCoordinate(iso6709: $0)
    }
    self.init(
      creationDate: (moment?.date.seconds).map { Date(timeIntervalSince1970: $0) },
      // Zero for both is what receivers without a fix write.
      location: place.flatMap { $0.latitude == 0 && $0.longitude == 0 ? nil : $0 })
    utcOffset = moment?.isHeader == true ? nil : moment?.date.offset
    isDateUTC = moment?.isUTC == true
    guard hasVideo else { return }
    let captureRate = tags["com.android.capture.fps"].flatMap { Double($0) } ?? 0
    let frameRate = frameRate ?? 0
    if max(captureRate, frameRate) >= Self.highRate {
      subtypes = .videoHighFrameRate
    } else if captureRate > 0, captureRate < frameRate / 2 {
      subtypes = .videoTimelapse
    }
  }

  /// One of the dates that a video states.
  private struct StatedDate {
    let date: CaptureDate
    /// Indicates whether it is that of the header.
    let isHeader: Bool
    /// Indicates whether it is from a clock in UTC.
    let isUTC: Bool

    /// Returns the first date; one that is more precise replaces a year, a month or a day.
    init?(_ tags: [String: String], created: Double?) {
      let stated = MetadataName.date.movie.compactMap { name in
        tags[name].flatMap { CaptureDate(iso: $0) }.map {
          StatedDate(
            date: $0, isHeader: false,
            isUTC: name == MetadataName.movieCreationTime && $0.offset == 0)
        }
      }
      let header = created.flatMap { CaptureDate(stated: $0) }.map {
        StatedDate(date: $0, isHeader: true, isUTC: true)
      }
      let dates = (stated + [header].compactMap(\.self)).filter {
        !$0.date.isClockZero && !($0.isUTC && $0.date.seconds == CaptureDate.reference)
      }
      guard let first = dates.first else { return nil }
      self = dates.first { first.date.includes($0.date) } ?? first
    }

    private init(date: CaptureDate, isHeader: Bool, isUTC: Bool) {
      (self.date, self.isHeader, self.isUTC) = (date, isHeader, isUTC)
    }
  }

  /// The number of frames per second from which a video counts as having a high frame rate.
  private static let highRate = 99.5
}

/// The media type of an asset; raw values match PhotoKit.
public enum MediaType: Int, Sendable, Hashable, CaseIterable, Codable {
  /// An unknown type.
  case unknown = 0
  /// A still image.
  case image = 1
  /// A video.
  case video = 2
  /// An audio recording.
  case audio = 3

  /// Indicates whether assets of this type can be edited.
  package var hasEditableContent: Bool { self == .image || self == .video }
}

/// The media subtypes of an asset; raw values match PhotoKit.
///
/// A subtype is set only if the file specifies it; nothing is guessed.
public struct MediaSubtype: OptionSet, Sendable, Hashable, Codable {
  /// The stored value.
  public let rawValue: Int

  /// Creates a set of subtypes from a stored value.
  public init(rawValue: Int) { self.rawValue = rawValue }

  /// A panorama, according to its GPano properties.
  public static let photoPanorama = MediaSubtype(rawValue: 1 << 0)
  /// A high-dynamic-range photo.
  public static let photoHDR = MediaSubtype(rawValue: 1 << 1)
  /// A screenshot.
  public static let photoScreenshot = MediaSubtype(rawValue: 1 << 2)
  /// A Live Photo: a still with a paired video.
  public static let photoLive = MediaSubtype(rawValue: 1 << 3)
  /// A photo with a depth map.
  public static let photoDepthEffect = MediaSubtype(rawValue: 1 << 4)
  /// A stereoscopic image.
  public static let spatialMedia = MediaSubtype(rawValue: 1 << 10)
  /// A video whose content is stored elsewhere.
  public static let videoStreamed = MediaSubtype(rawValue: 1 << 16)
  /// A video with a high frame rate, for playback in slow motion.
  public static let videoHighFrameRate = MediaSubtype(rawValue: 1 << 17)
  /// A time-lapse video, with few frames per second of real time.
  public static let videoTimelapse = MediaSubtype(rawValue: 1 << 18)
  /// A video whose focus can be changed.
  public static let videoCinematic = MediaSubtype(rawValue: 1 << 21)
}

/// A location on Earth, in WGS 84.
public struct LocationCoordinate: Sendable, Hashable, Codable {
  /// Degrees north, from −90 to 90.
  public var latitude: Double
  /// Degrees east, from −180 to 180.
  public var longitude: Double
  /// Meters above sea level; nil if not known.
  public var altitude: Double?

  /// Creates a location; nil if a coordinate is out of range or not a number.
  public init?(latitude: Double, longitude: Double, altitude: Double? = nil) {
    guard (-90...90).contains(latitude), (-180...180).contains(longitude),
      altitude?.isFinite != false
    else { return nil }
    self.latitude = latitude
    self.longitude = longitude
    self.altitude = altitude
  }

  /// Creates a location from ISO 6709 text such as "+37.3318-122.0312+010.00/": degrees, or
  /// degrees, minutes, and seconds without a separator.
  package init?(iso6709 text: String) {
    var numbers: [(digits: String, value: Double)] = []
    var current = ""
    func appendNumber() -> Bool {
      guard !current.isEmpty else { return true }
      guard let value = Double(current), value.isFinite else { return false }
      numbers.append((current, value))
      return true
    }
    for character in text.utf8.prefix(100) {
      switch character {
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard appendNumber() else { return nil }
        current = character == UInt8(ascii: "-") ? "-" : "+"
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        guard !current.isEmpty else { return nil }
        current.unicodeScalars.append(Unicode.Scalar(character))
      default:
        // The reference system or the slash ends the coordinates.
        guard appendNumber(), numbers.count >= 2 else { return nil }
        current = ""
      }
      if current.isEmpty { break }
    }
    guard appendNumber(), numbers.count >= 2 else { return nil }
    self.init(
      latitude: Self.degrees(numbers[0], whole: 2), longitude: Self.degrees(numbers[1], whole: 3),
      altitude: numbers.count > 2 ? numbers[2].value : nil)
  }

  /// Converts a number such as "+4852.5" to degrees; the number of digits determines its format.
  private static func degrees(_ number: (digits: String, value: Double), whole: Int) -> Double {
    let digits = number.digits.dropFirst().prefix { $0 != "." }.count
    let magnitude = abs(number.value)
    let sign = number.value < 0 ? -1.0 : 1
    switch digits - whole {
    case 2:
      return sign
        * ((magnitude / 100).rounded(.down)
          + magnitude.truncatingRemainder(dividingBy: 100) / 60)
    case 4:
      let minutes = (magnitude / 100).rounded(.down).truncatingRemainder(dividingBy: 100)
      return sign
        * ((magnitude / 10_000).rounded(.down) + minutes / 60
          + magnitude.truncatingRemainder(dividingBy: 100) / 3600)
    default: return number.value
    }
  }
}
