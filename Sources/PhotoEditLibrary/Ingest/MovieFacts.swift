// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditPixels

/// What a library is told of a movie or a recording, read from its file.
struct MovieFacts: Sendable, Hashable {
  var content: FileContent
  /// As people see it; zero for sound.
  var size = PixelSize(width: 0, height: 0)
  /// Seconds.
  var duration: Double
  var date: Date?
  var location: GeoPoint?
  var title: String?
  var caption: String?
  /// Common to the still and the movie of a Live Photo.
  var contentIdentifier: String?
  /// Why the moment that the still of a Live Photo shows cannot be right; nil when it can.
  var stillTimeProblem: String?
  /// Whether nobody can play it without a key.
  var isEncrypted = false
  /// Whether the camera looks at who holds it.
  var isFrontCamera = false
  /// Frames per second; nil when only playing would tell.
  var frameRate: Double?
  /// Frames per second with which the camera took it, where that is not how it plays.
  var captureRate: Double?

  /// Whether there are moving pictures.
  var hasPictures: Bool { size.width > 0 }

  /// Reads what a movie says about itself; no frame is read.
  static func reading(_ path: String) throws(MovieError) -> MovieFacts {
    MovieFacts(try MoviePassThrough.inspect(path))
  }

  init(_ info: MovieInfo) {
    let picture = info.streams.filter { $0.kind == .video && $0.width > 0 && $0.height > 0 }
      .max { $0.width * $0.height < $1.width * $1.height }
    content = FileContent(info.container, isSound: picture == nil)
    isEncrypted = info.isEncrypted
    duration = info.duration.isFinite ? max(info.duration, 0) : 0
    if let picture {
      let isTurned = picture.rotation == 90 || picture.rotation == 270
      size = PixelSize(
        width: isTurned ? picture.height : picture.width,
        height: isTurned ? picture.width : picture.height)
      if let frames = picture.packets, picture.duration > 0 {
        frameRate = Double(frames) / picture.duration
      }
    }
    let tags = info.tags
    func first(_ names: String...) -> String? {
      names.lazy.compactMap { tags[$0] }.first { !$0.isEmpty }
    }
    let apple = "com.apple.quicktime."
    let dates = [apple + "creationdate", "©day", "creation_time", "date"]
    let written = dates.lazy.compactMap { tags[$0].flatMap { CaptureDate(iso: $0) } }.first
    let seconds = written?.seconds ?? info.creationDate
    date = seconds.map { Date(timeIntervalSince1970: $0) }
    location = first(apple + "location.ISO6709", "©xyz", "loci", "location").flatMap {
      GeoPoint(iso6709: $0)
    }
    title = ObjectText.fitting(
      first(apple + "title", apple + "displayname", "©nam", "title"))
    caption = ObjectText.fitting(
      first(apple + "description", "©des", "desc", "description"))
    contentIdentifier = first(apple + "content.identifier")
    if info.isStillImageTimeOutside, let time = info.stillImageTime {
      stillTimeProblem =
        "the still is said to show the moment at \(time) s, the pictures of the movie last "
        + "\(info.pictureDuration) s"
    }
    isFrontCamera =
      first(apple + "camera.lens_model")?.lowercased().contains("front") == true
    captureRate = first("com.android.capture.fps").flatMap { Double($0) }
  }

  /// What PhotoKit's bits say.
  ///
  /// A camera that took more frames a second than are played made slow motion, and one that took
  /// far fewer a time lapse; without its word only many frames a second are a sign.
  var subtypes: MediaSubtype {
    guard hasPictures else { return [] }
    if captureRate ?? 0 >= Self.highRate || frameRate ?? 0 >= Self.highRate {
      return .videoHighFrameRate
    }
    if let captureRate, let frameRate, captureRate > 0, captureRate < frameRate / 2 {
      return .videoTimelapse
    }
    return []
  }

  /// From how many frames per second a movie can be slowed down.
  static let highRate = 99.5

  /// By which smart albums are filled.
  var traits: AssetTraits { isFrontCamera ? .selfPortrait : [] }
}

extension GeoPoint {
  /// Reads "+37.3318-122.0312+010.00/" of ISO 6709: degrees, or degrees and minutes and seconds
  /// without a separator.
  init?(iso6709 text: String) {
    var numbers: [(digits: String, value: Double)] = []
    var current = ""
    func take() -> Bool {
      guard !current.isEmpty else { return true }
      guard let value = Double(current), value.isFinite else { return false }
      numbers.append((current, value))
      return true
    }
    for character in text.utf8.prefix(100) {
      switch character {
      case UInt8(ascii: "+"), UInt8(ascii: "-"):
        guard take() else { return nil }
        current = character == UInt8(ascii: "-") ? "-" : "+"
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."):
        guard !current.isEmpty else { return nil }
        current.unicodeScalars.append(Unicode.Scalar(character))
      default:
        // The reference system or the slash ends it.
        guard take(), numbers.count >= 2 else { return nil }
        current = ""
      }
      if current.isEmpty { break }
    }
    guard take(), numbers.count >= 2 else { return nil }
    self.init(
      latitude: Self.degrees(numbers[0], whole: 2), longitude: Self.degrees(numbers[1], whole: 3),
      altitude: numbers.count > 2 ? numbers[2].value : nil)
  }

  /// Takes "+4852.5" apart into degrees and minutes by the number of its digits.
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
