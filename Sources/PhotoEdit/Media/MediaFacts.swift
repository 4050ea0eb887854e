// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
package import PhotoEditCodecs

/// When and where something was taken, and what is special about it.
public struct MediaFacts: Sendable, Hashable {
  /// When it was taken; a clock time without an offset counts as UTC.
  public var creationDate: Date?
  /// Where it was taken.
  public var location: GeoPoint?
  /// What PhotoKit's bits say of it.
  public var subtypes: MediaSubtype

  /// Makes a description; by default nothing is known.
  public init(
    creationDate: Date? = nil, location: GeoPoint? = nil, subtypes: MediaSubtype = []
  ) {
    self.creationDate = creationDate
    self.location = location
    self.subtypes = subtypes
  }

  /// What a still says of itself; being live depends on another file.
  package init(_ capture: CaptureFacts) {
    self.init(creationDate: capture.date.map { Date(timeIntervalSince1970: $0.seconds) })
    if let latitude = capture.latitude, let longitude = capture.longitude {
      location = GeoPoint(latitude: latitude, longitude: longitude, altitude: capture.altitude)
    }
    if capture.isPanorama { subtypes.insert(.photoPanorama) }
    if capture.isHighDynamicRange { subtypes.insert(.photoHDR) }
    if capture.isScreenshot { subtypes.insert(.photoScreenshot) }
    if capture.hasDepth { subtypes.insert(.photoDepthEffect) }
  }

  /// What a movie says of itself.
  ///
  /// A camera that took more frames a second than are played made slow motion, and one that took
  /// far fewer a time lapse; without its word only many frames a second are a sign.
  ///
  /// - Parameters:
  ///   - tags: Its metadata, by the keys of QuickTime, MP4 or FFmpeg.
  ///   - created: Seconds since 1970 that its header names.
  ///   - frameRate: Frames per second; nil when only playing would tell.
  ///   - hasPictures: Whether it is more than sound.
  package init(
    movie tags: [String: String], created: Double?, frameRate: Double?, hasPictures: Bool
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
        GeoPoint(iso6709: $0)
      })
    guard hasPictures else { return }
    let captureRate = first("com.android.capture.fps").flatMap { Double($0) } ?? 0
    let frameRate = frameRate ?? 0
    if max(captureRate, frameRate) >= Self.highRate {
      subtypes = .videoHighFrameRate
    } else if captureRate > 0, captureRate < frameRate / 2 {
      subtypes = .videoTimelapse
    }
  }

  /// From how many frames per second a movie can be slowed down.
  private static let highRate = 99.5
}
