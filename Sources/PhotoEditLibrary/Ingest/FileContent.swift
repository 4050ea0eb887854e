// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// What a file is by its first bytes, as far as resources tell files apart.
struct FileContent: Sendable, Hashable {
  /// What a file can be to an asset.
  enum Kind: Sendable, Hashable {
    /// A picture whose pixels are read.
    case picture(ImageFormat)
    /// A raw file of a camera.
    case raw
    /// A movie or a recording.
    case movie(MovieContainer)
    /// The record of an edit.
    case record
    /// XMP beside another file.
    case sidecar
  }

  let kind: Kind
  /// Such as "public.jpeg".
  let uniformType: String
  /// In lower case, without the dot.
  let fileExtension: String

  init(_ kind: Kind, uniformType: String, fileExtension: String) {
    self.kind = kind
    self.uniformType = uniformType
    self.fileExtension = fileExtension
  }

  /// A picture of a format.
  init(_ format: ImageFormat) {
    let name =
      switch format {
      case .jpeg: "jpg"
      case .heif: "heic"
      case .tiff: "tif"
      case .png, .avif, .webp, .gif: format.rawValue
      }
    self.init(
      .picture(format), uniformType: format.uniformTypeIdentifier, fileExtension: name)
  }

  /// A movie in a container, or a recording.
  init(_ container: MovieContainer, isSound: Bool = false) {
    let name =
      switch container {
      case .quickTime: "mov"
      case .mpeg4: isSound ? "m4a" : "mp4"
      case .matroska: isSound ? "mka" : "mkv"
      case .avi: "avi"
      }
    let type =
      isSound && container == .mpeg4 ? "public.mpeg-4-audio" : container.typeIdentifier
    self.init(.movie(container), uniformType: type, fileExtension: name)
  }

  /// The record of an edit.
  static let record = FileContent(
    .record, uniformType: "com.apple.photos.apple-adjustment-envelope", fileExtension: "aae")

  /// XMP beside another file.
  static let sidecar = FileContent(.sidecar, uniformType: "com.adobe.xmp", fileExtension: "xmp")

  /// The JSON of Google Takeout beside another file.
  static let takeout = FileContent(.sidecar, uniformType: "public.json", fileExtension: "json")

  // MARK: Names

  /// Kinds of files that people give the same extensions.
  enum Family: Sendable, Hashable {
    case jpeg, png, heif, webp, tiff, gif, raw, isoMovie, matroska, avi, record, sidecar
  }

  /// The family of the content.
  var family: Family {
    switch kind {
    case .picture(.jpeg): .jpeg
    case .picture(.png): .png
    case .picture(.heif), .picture(.avif): .heif
    case .picture(.webp): .webp
    case .picture(.tiff): .tiff
    case .picture(.gif): .gif
    case .raw: .raw
    case .movie(.quickTime), .movie(.mpeg4): .isoMovie
    case .movie(.matroska): .matroska
    case .movie(.avi): .avi
    case .record: .record
    case .sidecar: .sidecar
    }
  }

  /// The family that an extension promises; nil for one that is not known.
  static func family(ofExtension name: String) -> Family? {
    let name = name.lowercased()
    return RawPicture.fileExtensions.contains(name) ? .raw : families[name]
  }

  private static let families: [String: Family] = [
    "jpg": .jpeg, "jpeg": .jpeg, "jpe": .jpeg, "jfif": .jpeg, "png": .png, "apng": .png,
    "heic": .heif, "heif": .heif, "hif": .heif, "avif": .heif, "webp": .webp, "tif": .tiff,
    "tiff": .tiff, "gif": .gif, "mov": .isoMovie, "qt": .isoMovie, "mp4": .isoMovie,
    "m4v": .isoMovie, "m4a": .isoMovie, "3gp": .isoMovie, "3g2": .isoMovie, "mkv": .matroska,
    "webm": .matroska, "mka": .matroska, "avi": .avi, "aae": .record, "xmp": .sidecar,
  ]

  /// Whether a name or a stated type goes with the content.
  ///
  /// Raw files of some makers are called TIFF.
  func isNamedRightly(_ family: Family) -> Bool {
    self.family == family || (self.family == .raw && family == .tiff)
  }

  /// Whether a stated type can be that of the content.
  func isStatedRightly(_ type: String) -> Bool {
    if type == uniformType || Self.genericTypes.contains(type) { return true }
    switch kind {
    case .picture(.heif): return ["public.heic", "public.heif-standard"].contains(type)
    case .picture: return type == "public.image"
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

  /// How many bytes `detect` looks at.
  static let detectionLength = 1024

  /// Judges a movie or a record by the first bytes; everything else needs the whole file.
  static func container(_ head: [UInt8]) -> MovieContainer? {
    // An image sequence and a still share the boxes of movies; brands tell them apart.
    let format = head.withUnsafeBytes { try? ImageFormat.detect($0) }
    return format == nil ? MovieContainer.detect(head) : nil
  }
}
