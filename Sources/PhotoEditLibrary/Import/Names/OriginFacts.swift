// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage

/// The camera and the time of a photo or video, by which files of one name are paired.
struct OriginFacts: Sendable {
  /// The identifier shared by the still and the video of a Live Photo.
  var contentIdentifier: String?
  /// The model of the camera, in lower case.
  var model: String?
  /// Indicates whether the camera is one of Apple's.
  var isApple = false
  /// The capture time in seconds since 1970; of the clock if the offset is unknown.
  var seconds: Double?
  /// Seconds by which the clock was ahead of UTC; nil if unknown.
  var offset: Int?

  /// The capture time of the clock at the place of capture.
  var clock: Double? { seconds.map { $0 + Double(offset ?? 0) } }

  /// The number of bytes of an image that usually contain its metadata.
  private static let headLength = 1 << 20

  /// Reads a file; nil if it cannot be read.
  init?(_ file: ImportScan.File) {
    if file.kind == .movie {
      guard let video = try? VideoProperties.reading(file.path, acceptsMissingEnd: true) else {
        return nil
      }
      contentIdentifier = video.contentIdentifier
      setCamera(make: nil, model: video.device.camera)
      (seconds, offset) = (video.media.creationDate?.timeIntervalSince1970, video.media.utcOffset)
      return
    }
    guard let head = try? ResourceStager.head(of: file.path, count: Self.headLength), !head.isEmpty
    else { return nil }
    if read(FileBytes(head)), isKnown || head.count < Self.headLength { return }
    guard
      let bytes = try? FileBytes.reading(file.path, maximumBytes: ResourceStager.maximumImageBytes),
      read(bytes)
    else { return nil }
  }

  init(_ subject: SidecarSubject) {
    setCamera(make: nil, model: subject.model)
    (seconds, offset) = (subject.date?.seconds, subject.date?.offset)
  }

  private var isKnown: Bool { contentIdentifier != nil || seconds != nil }

  private mutating func setCamera(make: String?, model: String?) {
    self.model = model?.lowercased()
    isApple = make?.lowercased() == "apple" || self.model?.contains("iphone") == true
  }

  /// Reads an image, possibly without its end; returns false if that is not possible.
  private mutating func read(_ bytes: FileBytes) -> Bool {
    let metadata: ImageMetadata
    if let raw = try? CameraRawFormat(bytes) {
      metadata = raw.metadata
    } else {
      guard (try? ImageFormat.detect(bytes.buffer)) != nil,
        let image = try? ImageMetadata.read(bytes)
      else { return false }
      metadata = image
    }
    let capture = metadata.captureFacts(of: nil)
    contentIdentifier = capture.contentIdentifier
    setCamera(make: metadata.summary.make, model: metadata.summary.model)
    (seconds, offset) = (capture.date?.seconds, capture.date?.offset)
    return true
  }

  // MARK: Comparison

  /// The maximum number of seconds between the files of one shot.
  private static let sameShot = 10.0

  /// Returns whether the times differ by at most a number of seconds; nil if one is unknown.
  ///
  /// Clocks are compared if one of the offsets is unknown.
  func isWithin(_ reach: Double, of other: OriginFacts) -> Bool? {
    guard let seconds, let clock, let otherSeconds = other.seconds, let otherClock = other.clock
    else { return nil }
    guard (offset == nil) != (other.offset == nil) else {
      return abs(seconds - otherSeconds) <= reach
    }
    return abs(clock - otherClock) <= reach
  }

  /// Returns whether the cameras are of one model; nil if one is unknown.
  func hasModel(of other: OriginFacts) -> Bool? {
    guard let model, let otherModel = other.model else { return nil }
    return model.contains(otherModel) || otherModel.contains(model)
  }

  /// Returns whether both are of the same camera and time; nil if neither is known of both files.
  func isSameShot(as other: OriginFacts) -> Bool? {
    let answers = [hasModel(of: other), isWithin(Self.sameShot, of: other)].compactMap(\.self)
    return answers.isEmpty ? nil : answers.allSatisfy(\.self)
  }

  /// Returns whether both are known to be of the same time, and not of different cameras.
  func isCertainlySameShot(as other: OriginFacts) -> Bool {
    isWithin(Self.sameShot, of: other) == true && hasModel(of: other) != false
  }

  // MARK: Reading

  /// The facts of the files of an import, each read once, when first needed.
  final class Cache: Sendable {
    private let known = LockedValue<[PathKey: OriginFacts?]>([:])

    subscript(_ file: ImportScan.File) -> OriginFacts? {
      if let known = known.withLock({ $0[file.key] }) { return known }
      let facts = OriginFacts(file)
      known.withLock { $0[file.key] = .some(facts) }
      return facts
    }

    /// Reads files on all cores.
    func load(_ files: [ImportScan.File]) {
      ThreadGroup.forEach(files.count) { _ = self[files[$0]] }
    }
  }
}
