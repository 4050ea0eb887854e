// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// The content of a file according to its first bytes, as far as resources distinguish it.
struct FileContent: Sendable, Hashable {
  enum Kind: Sendable, Hashable {
    /// An image whose pixels can be decoded.
    case image(ImageFormat)
    /// A camera raw file.
    case raw
    /// A video or an audio recording.
    case movie(MovieContainer)
    /// The adjustment data of an edit.
    case record
    /// XMP next to another file.
    case sidecar
  }

  let kind: Kind
  /// The uniform type identifier, such as "public.jpeg".
  let uniformType: String
  /// The file extension in lower case, without the dot.
  let fileExtension: String

  init(_ kind: Kind, uniformType: String, fileExtension: String) {
    self.kind = kind
    self.uniformType = uniformType
    self.fileExtension = fileExtension
  }

  init(_ format: ImageFormat) {
    let name =
      switch format {
      case .jpeg: "jpg"
      case .heif: "heic"
      case .tiff: "tif"
      case .png, .avif, .webp, .gif: format.rawValue
      case .raw: "raw"
      }
    self.init(
      format == .raw ? .raw : .image(format), uniformType: format.uniformTypeIdentifier,
      fileExtension: name)
  }

  init(_ container: MovieContainer, isAudio: Bool = false) {
    let name =
      switch container {
      case .quickTime: "mov"
      case .mpeg4: isAudio ? "m4a" : "mp4"
      case .matroska: isAudio ? "mka" : "mkv"
      case .avi: "avi"
      }
    let type =
      isAudio && container == .mpeg4 ? "public.mpeg-4-audio" : container.typeIdentifier
    self.init(.movie(container), uniformType: type, fileExtension: name)
  }

  static let record = FileContent(
    .record, uniformType: "com.apple.photos.apple-adjustment-envelope", fileExtension: "aae")

  static let sidecar = FileContent(.sidecar, uniformType: "com.adobe.xmp", fileExtension: "xmp")

  /// The JSON file of Google Takeout next to another file.
  static let takeout = FileContent(.sidecar, uniformType: "public.json", fileExtension: "json")

  // MARK: Names

  /// Groups of file types that share file extensions.
  enum Family: Sendable, Hashable {
    case jpeg, png, heif, webp, tiff, gif, raw, isoMovie, matroska, avi, record, sidecar

    var isMovie: Bool { [.isoMovie, .matroska, .avi].contains(self) }
  }

  var family: Family {
    switch kind {
    case .image(.jpeg): .jpeg
    case .image(.png): .png
    case .image(.heif), .image(.avif): .heif
    case .image(.webp): .webp
    case .image(.tiff): .tiff
    case .image(.gif): .gif
    case .raw, .image(.raw): .raw
    case .movie(.quickTime), .movie(.mpeg4): .isoMovie
    case .movie(.matroska): .matroska
    case .movie(.avi): .avi
    case .record: .record
    case .sidecar: .sidecar
    }
  }

  /// Returns the family of a file extension; nil for an unknown one.
  static func family(ofExtension name: String) -> Family? {
    let name = name.lowercased()
    return CameraRawFormat.fileExtensions.contains(name) ? .raw : families[name]
  }

  /// Returns whether a name is that of a photo or video, by its extension.
  static func isMedia(named name: String) -> Bool {
    let family = family(ofExtension: FileSystem.splitName(name).fileExtension)
    return family != nil && family != .record && family != .sidecar
  }

  private static let families: [String: Family] = [
    "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "png": .png, "apng": .png,
    "heic": .heif, "heif": .heif, "hif": .heif, "avif": .heif, "webp": .webp, "tif": .tiff,
    "tiff": .tiff, "gif": .gif, "mov": .isoMovie, "qt": .isoMovie, "mp4": .isoMovie,
    "m4v": .isoMovie, "m4a": .isoMovie, "3gp": .isoMovie, "3g2": .isoMovie, "mkv": .matroska,
    "webm": .matroska, "mka": .matroska, "avi": .avi, "aae": .record, "xmp": .sidecar,
  ]

  /// Returns whether a name or a stated type matches the content.
  ///
  /// Raw files of some manufacturers have TIFF names.
  func isNamedRightly(_ family: Family) -> Bool {
    self.family == family || (self.family == .raw && family == .tiff)
  }

  /// Returns whether a stated uniform type identifier matches the content.
  func isStatedRightly(_ type: String) -> Bool {
    if type == uniformType || Self.genericTypes.contains(type) { return true }
    switch kind {
    case .image(.heif): return ["public.heic", "public.heif-standard"].contains(type)
    case .image: return type == "public.image"
    case .raw: return ["public.image", "public.camera-raw-image"].contains(type)
    case .movie: return Self.movieTypes.contains(type)
    case .record: return type == "com.apple.property-list" || type == "public.xml"
    case .sidecar: return type == "public.xml"
    }
  }

  private static let genericTypes: Set<String> = ["public.data", "public.item", "public.content"]
  private static let movieTypes: Set<String> = [
    "public.movie", "public.audiovisual-content", "public.video", "public.audio",
    "com.apple.m4v-video", "com.apple.m4a-audio", "public.3gpp", "public.3gpp2",
    "org.webmproject.webm",
  ]

  // MARK: Detection

  static let detectionLength = 1024

  /// Detects a movie container from the first bytes; returns nil for any other file.
  static func container(_ head: [UInt8]) -> MovieContainer? {
    // Image sequences and stills use the same boxes as movies; brands distinguish them.
    let format = head.withUnsafeBytes { try? ImageFormat.detect($0) }
    return format == nil ? MovieContainer.detect(head) : nil
  }
}
