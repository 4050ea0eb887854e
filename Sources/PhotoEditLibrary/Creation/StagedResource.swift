// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditPlatform
import PhotoEditStorage

/// A file of a new asset: copied, synced, hashed and checked.
struct StagedResource: Sendable {
  enum Facts: Sendable {
    case image(ImageProperties)
    case movie(VideoProperties)
    case record(AdjustmentData)
    case sidecar(SidecarMetadata)
  }

  let type: AssetResourceType
  /// The path of the copy, or of the source if nothing is copied.
  var path: String
  /// The path of the source; a name for bytes.
  let source: String
  let digest: SHA256Digest
  /// The size in bytes.
  let size: Int
  var facts: Facts
  let uniformType: String
  /// The name of the file at import.
  let filename: String
  let consumed: MovedSource?
  /// Indicates whether the file was extracted from another file of the asset, so that it needs no
  /// content identifier to match.
  var isExtracted = false
  /// The digest of the video inside a motion photo.
  var embeddedMovie: SHA256Digest?
  /// Indicates whether the import wrote the file, so that it has no source.
  var isGenerated = false

  var content: FileContent { facts.content }

  /// The defects of a file that is accepted anyway.
  var notice: String? {
    var notices: [String] = []
    let ending = FileSystem.splitName(filename).fileExtension
    if let promised = FileContent.family(ofExtension: ending), !content.isNamedRightly(promised) {
      notices.append(
        "the extension is .\(ending), but the content is \(content.uniformType); stored as "
          + ".\(content.fileExtension)")
    }
    if let defect = image?.defect {
      let effect = defect.isDamage ? "" : "; it cannot be shown or edited here"
      notices.append("\(defect.reason)\(effect); imported unchanged")
    }
    if let refusal = image?.metadataRefusal {
      notices.append("its metadata is not read: \(refusal)")
    }
    if let damage = movie?.damage { notices.append("\(damage); imported unchanged") }
    return notices.isEmpty ? nil : notices.joined(separator: "; ")
  }

  /// The identifier that pairs the still and the video of a Live Photo.
  var contentIdentifier: String? {
    image?.capture.contentIdentifier ?? movie?.contentIdentifier
  }

  var image: ImageProperties? {
    if case .image(let facts) = facts { facts } else { nil }
  }

  var movie: VideoProperties? {
    if case .movie(let facts) = facts { facts } else { nil }
  }

  var sidecar: SidecarMetadata? {
    if case .sidecar(let metadata) = facts { metadata } else { nil }
  }

  /// The note about a date whose day or time does not exist; nil without one.
  var dateNote: String? {
    guard
      let text = image?.capture.impossibleDate ?? movie?.impossibleDate ?? sidecar?.impossibleDate
    else { return nil }
    let read = CaptureDate(exif: text) ?? CaptureDate(iso: text)
    // The month may be known even so.
    let isUsed =
      read != nil
      && ([image?.capture.date, sidecar?.date].contains(read)
        || movie?.media.creationDate?.timeIntervalSince1970 == read?.seconds)
    return isUsed
      ? "the day of its date '\(text)' is impossible; the first of the month is used"
      : "its date '\(text)' is impossible and is not used"
  }

  func retyped(_ type: AssetResourceType) -> StagedResource {
    StagedResource(
      type: type, path: path, source: source, digest: digest, size: size, facts: facts,
      uniformType: uniformType, filename: filename, consumed: consumed)
  }
}

extension StagedResource.Facts {
  var content: FileContent {
    switch self {
    case .image(let facts): facts.content
    case .movie(let facts): facts.content
    case .record: .record
    case .sidecar(let metadata): metadata.provenance == .description ? .takeout : .sidecar
    }
  }
}

/// The options for adding a file to an asset.
public struct AssetResourceCreationOptions: Sendable {
  /// The file name to record; the name of the source if nil.
  public var originalFilename: String?
  /// The uniform type identifier, such as "public.jpeg"; must not contradict the content.
  public var uniformTypeIdentifier: String?
  /// Indicates whether the source is removed after the asset is committed, and never before.
  ///
  /// A source that has additional hard links, is a symbolic link or is open in another process is
  /// rejected; the last if the file system can determine it. A source that has changed meanwhile is
  /// kept.
  public var shouldMoveFile = false

  /// Creates the default options: the file is copied and keeps its name and type.
  public init(
    originalFilename: String? = nil, uniformTypeIdentifier: String? = nil,
    shouldMoveFile: Bool = false
  ) {
    self.originalFilename = originalFilename
    self.uniformTypeIdentifier = uniformTypeIdentifier
    self.shouldMoveFile = shouldMoveFile
  }
}

/// A file or bytes to be added to an asset.
struct ResourceSource: Sendable {
  enum Origin: Sendable {
    case file(String)
    /// A file found in a folder, with its name beneath it; links are not followed.
    case beneath(OpenFolder, String)
    case data([UInt8])
  }

  let type: AssetResourceType
  let origin: Origin
  let options: AssetResourceCreationOptions
  /// Indicates whether the file is one of the library's temporary files and is used only once.
  var isTemporary = false
  /// Indicates whether the file is one of the library, which is linked and stays as it is.
  var isOfLibrary = false

  /// The path, or a name for messages.
  var name: String {
    switch origin {
    case .file(let path): path
    case .beneath(let folder, let name): folder.path(of: name)
    case .data: options.originalFilename ?? "the data of \(type)"
    }
  }
}

/// A source to be removed after the commit.
struct MovedSource: Sendable {
  let origin: ResourceSource.Origin
  let version: FileVersion

  let name: String

  /// Removes the source, unless it has been replaced or changed; returns the reason why it is still
  /// there.
  func remove() -> String? {
    let now: FileVersion? =
      switch origin {
      case .file(let path): FileVersion(path)
      case .beneath(let folder, let name): folder.version(of: name)
      case .data: version
      }
    guard now == version else { return now == nil ? nil : "it has changed since" }
    do throws(FileError) {
      switch origin {
      case .file(let path): try FileSystem.remove(path)
      case .beneath(let folder, let name): try folder.remove(name)
      case .data: break
      }
    } catch {
      return error.reason
    }
    return nil
  }
}

extension StagedResource {
  /// The same video as the paired video of a Live Photo; nil if it is not suitable.
  var paired: StagedResource? {
    guard let movie, movie.hasVideo, movie.duration > 0,
      movie.content.kind == .movie(.quickTime)
    else { return nil }
    return retyped(.pairedVideo)
  }
}
