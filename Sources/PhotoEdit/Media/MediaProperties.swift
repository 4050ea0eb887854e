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
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { tags[$0] }.first { !$0.isEmpty }
    }
    let apple = "com.apple.quicktime."
    let dates = [apple + "creationdate", "©day", "creation_time", "date"]
    let written = dates.lazy.compactMap { tags[$0].flatMap { CaptureDate(iso: $0) } }.first
    self.init(
      creationDate: (written?.seconds ?? created).map { Date(timeIntervalSince1970: $0) },
      location: first(apple + "location.ISO6709", "©xyz", "loci", "location").flatMap {
        LocationCoordinate(iso6709: $0)
      })
    utcOffset = written?.offset
    guard hasVideo else { return }
    let captureRate = first("com.android.capture.fps").flatMap { Double($0) } ?? 0
    let frameRate = frameRate ?? 0
    if max(captureRate, frameRate) >= Self.highRate {
      subtypes = .videoHighFrameRate
    } else if captureRate > 0, captureRate < frameRate / 2 {
      subtypes = .videoTimelapse
    }
  }

  /// The number of frames per second from which a video counts as having a high frame rate.
  private static let highRate = 99.5
}
