// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditPixels
import PhotoEditStorage

/// The properties of a still image, read from its file.
///
/// A time whose UTC offset is in the file, or can be derived from the GPS time, is exact. Any other
/// local time is interpreted as UTC, so that a file has the same date on every machine.
struct ImageProperties: Sendable, Hashable {
  var content: FileContent
  /// The size with the orientation applied.
  var size = PixelSize(width: 0, height: 0)
  var orientation = Orientation.up
  var capture: CaptureMetadata
  var device: DeviceProperties
  /// Indicates whether the metadata contains a camera model; images created by programs have none.
  var hasCamera = false
  var isFrontCamera = false
  /// The program that wrote the file, such as "darktable 4.2.1".
  var software: String?
  /// The byte range of the video of a motion photo.
  var motionMovie: Range<Int>?
  var hasBrokenMovie = false
  /// The still image time, in seconds from the start of the embedded video.
  var motionTime: Double?

  /// The defect found by a decoder; nil for an image that was decoded completely.
  var defect: Defect?

  /// The reason why the metadata is not read; nil if it is.
  private(set) var metadataRefusal: MetadataError?

  /// The reason why an image cannot be decoded completely.
  struct Defect: Sendable, Hashable {
    /// One clause.
    let reason: String
    /// Indicates whether the image is damaged; otherwise it is of a kind that is not supported.
    let isDamage: Bool

    /// Returns the defect of an image that caused an error; nil for the lack of memory, threads, a
    /// library or a confined process, which is not a property of the image.
    init?(_ error: CodecError) {
      switch error {
      case .cancelled, .libraryMissing, .noThreads, .notBuilt, .notConfined, .outOfMemory:
        return nil
      case .damaged, .decoderFailed: isDamage = true
      case .empty, .encoding, .limitExceeded, .notAnImage, .unsupported: isDamage = false
      }
      reason = "\(error)"
    }
  }

  /// The date and location of capture and the PhotoKit subtypes.
  var media: MediaProperties { MediaProperties(capture) }

  /// Reads a whole file; returns nil if it is not an image.
  ///
  /// - Parameter keepsUnsupported: Whether an image is accepted that cannot be decoded because it is
  ///   of a kind that is not supported.
  /// - Throws: `CodecError` for an image that cannot be read.
  static func reading(
    _ bytes: FileBytes, keepsUnsupported: Bool = true
  ) throws(CodecError) -> ImageProperties? {
    if let raw = try CameraRawFormat(bytes, limits: keptLimits) {
      let content = FileContent(
        .raw, uniformType: raw.uniformTypeIdentifier, fileExtension: raw.fileExtension)
      // The developed image has neither the margins of the sensor nor, often, the size in EXIF.
      let developed = (try? ImageDecoders.open(bytes))?.header.size
      let swapsAxes = raw.metadata.orientation.swapsAxes
      return ImageProperties(
        content, raw.metadata, format: nil,
        stored: developed.map { swapsAxes ? $0.transposed : $0 } ?? raw.size)
    }
    let format: ImageFormat
    do throws(CodecError) {
      format = try ImageFormat.detect(bytes.buffer)
    } catch {
      switch error {
      case .notAnImage, .empty: return nil
      default: throw error
      }
    }
    let size = try storedSize(bytes, format, keepsUnsupported: keepsUnsupported)
    // Metadata beyond the limits is not a reason to reject the image.
    var metadata = ImageMetadata()
    var refusal: MetadataError?
    do throws(MetadataError) { metadata = try ImageMetadata.read(bytes) } catch { refusal = error }
    var properties = ImageProperties(
      FileContent(format), metadata, format: format, stored: size)
    properties.metadataRefusal = refusal
    return properties
  }

  /// The limits for the header of an image that is kept without being decoded.
  private static let keptLimits = ImageLimits(maximumPixels: 1 << 40, maximumSide: 1 << 24)

  /// Returns the size of an image; nil for one that is over the limits of its format, too, and for
  /// one of a kind that is not supported and whose size is unknown.
  private static func storedSize(
    _ bytes: FileBytes, _ format: ImageFormat, keepsUnsupported: Bool
  ) throws(CodecError) -> PixelSize? {
    do throws(CodecError) {
      return try ImageDecoders.open(bytes).header.size
    } catch {
      // A library also takes images that cannot be decoded or are over the limits.
      switch error {
      case .unsupported where keepsUnsupported: return format.statedSize(of: bytes)
      case .limitExceeded: break
      default: throw error
      }
    }
    let options = DecoderOptions(limits: keptLimits)
    return (try? ImageDecoders.open(bytes, options: options))?.header.size
  }

  /// Returns the defect of an image; nil for an intact image and for one that cannot be checked.
  static func defect(of bytes: FileBytes) -> Defect? {
    do throws(CodecError) { try ImageDecoders.verify(bytes) } catch { return Defect(error) }
    return nil
  }

  private init(
    _ content: FileContent, _ metadata: ImageMetadata, format: ImageFormat?, stored: PixelSize?
  ) {
    self.content = content
    capture = metadata.captureFacts(of: format, texts: PhotoProperties.textNames)
    orientation = metadata.orientation
    if let stored {
      size =
        metadata.orientation.swapsAxes
        ? PixelSize(width: stored.height, height: stored.width) : stored
    }
    motionMovie = metadata.motionPhotoRange
    hasBrokenMovie =
      motionMovie == nil && metadata.losses.contains { $0.kind == .motionPhoto }
    motionTime = metadata.motionPhotoTime
    device = DeviceProperties(metadata.summary)
    hasCamera = metadata.summary.model != nil
    software = metadata.summary.software
    isFrontCamera = metadata.summary.lens?.lowercased().contains("front") == true
  }

  /// Returns the regions of a file that describes this image; nil if they do not fit it.
  func regions(_ tags: PhotoTags) -> [Asset.Region]? {
    guard !tags.regions.regions.isEmpty else { return [] }
    return tags.regions.displayed(size, orientation)?.map { Asset.Region($0) }
  }

  /// The properties that determine membership in smart albums.
  var traits: AssetTraits {
    var traits: AssetTraits = []
    if content.kind == .raw { traits.insert(.raw) }
    if capture.isAnimated { traits.insert(.animated) }
    if isFrontCamera { traits.insert(.selfPortrait) }
    return traits
  }
}

/// The properties of a video or an audio recording, read from its file.
struct VideoProperties: Sendable, Hashable {
  var content: FileContent
  /// The size with the orientation applied; zero for audio.
  var size = PixelSize(width: 0, height: 0)
  var duration: Double
  /// The date and location of capture and the PhotoKit subtypes.
  var media: MediaProperties
  /// The texts, keywords, rating, label and people.
  var tags = PhotoTags()
  var device: DeviceProperties
  /// The identifier shared by the still and the video of a Live Photo.
  var contentIdentifier: String?
  /// The reason why the still image time of a Live Photo is invalid; nil if it is valid.
  var stillTimeProblem: String?
  /// Indicates whether playback requires a key.
  var isEncrypted = false
  /// The reason why the end of the video is missing; nil for a whole video.
  var damage: MovieError?
  var isFrontCamera = false
  /// A date whose day or time does not exist, as written; nil without one.
  var impossibleDate: String?

  var hasVideo: Bool { size.width > 0 }

  /// Reads a file.
  ///
  /// - Parameter acceptsMissingEnd: Whether a file with a whole header may lack its end.
  static func reading(
    _ path: String, acceptsMissingEnd: Bool = false
  ) throws(MovieError) -> VideoProperties {
    VideoProperties(
      try PassthroughExport.inspect(path, acceptsMissingEnd: acceptsMissingEnd))
  }

  init(_ info: MovieInfo) {
    content = FileContent(info.container, isAudio: info.videoStream == nil)
    (isEncrypted, damage) = (info.isEncrypted, info.damage)
    duration = info.playingTime
    size = info.shownSize
    media = MediaProperties(
      movie: info.tags, created: info.creationDate, frameRate: info.frameRate,
      hasVideo: info.videoStream != nil)
    impossibleDate =
      MetadataName.date.movie.lazy.compactMap {
        CaptureDate.impossible(info.tags[$0])
      }.first
    func text(_ name: MetadataName) -> String? { name.text(ofMovie: info.tags) }
    for name in PhotoProperties.textNames { tags[name] = text(name) }
    let keywords = (text(.keywords) ?? "").split(separator: ",")
    tags.keywords = KeywordPath.set(
      keywords.compactMap { KeywordPath.normalized(String($0), separator: nil) })
    let stars = text(.rating).flatMap { Double($0) }.flatMap {
      (-1...5).contains($0) ? Int($0) : nil
    }
    tags.rating = stars == 0 ? nil : stars
    device = DeviceProperties(movie: info.tags)
    contentIdentifier = info.contentIdentifier.flatMap { $0.isEmpty ? nil : $0 }
    if info.isStillImageTimeOutside, let time = info.stillImageTime {
      stillTimeProblem =
        "the still image time \(time) s is outside the video, which lasts "
        + "\(info.videoDuration) s"
    }
    isFrontCamera = text(.lens)?.lowercased().contains("front") == true
    let packet = info.packet.flatMap { SidecarMetadata($0, texts: PhotoProperties.textNames) }
    if let packet { add(packet) }
  }

  /// Adds what a packet of XMP states, which can express more than the keys of a video, and the
  /// place and the time of which the video has none.
  private mutating func add(_ packet: SidecarMetadata) {
    for name in packet.texts { tags[name] = packet[name] ?? tags[name] }
    if !packet.tags.keywords.isEmpty { tags.keywords = packet.tags.keywords }
    tags.rating = packet.tags.rating ?? tags.rating
    (tags.label, tags.people) = (packet.tags.label, packet.tags.people)
    device.place = DeviceProperties.place(packet.place)
    if media.location == nil, let latitude = packet.latitude, let longitude = packet.longitude {
      media.location = LocationCoordinate(
        latitude: latitude, longitude: longitude, altitude: packet.altitude)
    }
    // The time in the header is often that of a conversion.
    let isReplaced = media.isDateUTC && !packet.isDateOfFile
    if media.creationDate == nil || isReplaced, let date = packet.date {
      media.creationDate = Date(timeIntervalSince1970: date.seconds)
      (media.utcOffset, media.isDateUTC) = (date.offset, false)
    }
  }

  /// Returns whether another video lasts equally long, apart from a frame or two.
  func isOfSameLength(as other: VideoProperties) -> Bool { abs(duration - other.duration) < 0.1 }

  /// The properties that determine membership in smart albums.
  var traits: AssetTraits { isFrontCamera ? .selfPortrait : [] }
}

/// The camera, its settings, and the name of the place, as stated by a file.
package struct DeviceProperties: Sendable, Hashable {
  var camera: String?
  var lens: String?
  var iso: Int?
  var fNumber: Double?
  var focalLength: Double?
  var exposureTime: Double?
  var place: String?

  package init(_ summary: MetadataSummary) {
    camera = Self.camera(make: summary.make, model: summary.model)
    (lens, iso) = (Self.name(summary.lens), summary.iso)
    (fNumber, focalLength) = (summary.fNumber, summary.focalLength)
    exposureTime = summary.exposureTime
    place = Self.place(PlaceNames(summary))
  }

  static func place(_ names: PlaceNames?) -> String? { name(names?.text) }

  /// Reads the tags of a video.
  package init(movie tags: [String: String]) {
    func text(_ name: MetadataName) -> String? { name.text(ofMovie: tags) }
    self.init(camera: Self.camera(make: text(.make), model: text(.model)))
  }

  init(camera: String?, lens: String? = nil) {
    (self.camera, self.lens) = (camera, lens)
  }

  /// Returns the manufacturer and the model; models that repeat the manufacturer are returned alone.
  static func camera(make: String?, model: String?) -> String? {
    name(MetadataSummary.camera(make: name(make), model: name(model)))
  }

  private static func name(_ text: String?) -> String? {
    guard let text, let clean = SidecarMetadata.text(text) else { return nil }
    return String(clean.prefix(maximumLength))
  }

  private static let maximumLength = 200
}

extension PhotoProperties {
  mutating func apply(_ device: DeviceProperties) {
    (camera, lens, iso) = (device.camera, device.lens, device.iso)
    (fNumber, focalLength, place) = (device.fNumber, device.focalLength, device.place)
    exposureTime = device.exposureTime
  }

  mutating func apply(_ tags: PhotoTags) {
    for text in Self.texts { self[keyPath: text.path] = tags[text.metadata] }
    keywords = tags.keywords
    people = tags.people
    rating = tags.rating ?? 0
    label = tags.label.flatMap { Asset.Label(rawValue: $0) }
  }
}
