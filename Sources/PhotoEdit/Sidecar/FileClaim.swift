// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The result of checking a file that a sidecar names, before it is replaced or removed.
///
/// A sidecar is untrusted data: a statement in it about a file is a claim that the file itself must
/// confirm.
enum FileClaim {
  /// The file does not exist.
  case absent
  /// The mark on the file proves that photoedit wrote it, for this photo, with these bytes.
  case proven(SHA256Digest)
  /// The name is derived from the photo's or was given by the user, and the digest is recorded, but
  /// there is no mark: the file is from an earlier version, or a copy. Its bytes are first saved in
  /// the journal.
  case named(SHA256Digest)
  /// The user permits the replacement with `--force` and the path. Its bytes are first saved in the
  /// journal if a state can refer to them.
  case forced(SHA256Digest)
  /// The file may be the user's own: it was changed, or only the sidecar claims that photoedit
  /// created it.
  case doubtful(EditingError)
  /// The file is never replaced or removed: the original, a file with an edit of its own, a file of
  /// another edit, a link, or a file in another folder that was not named again.
  case barred(EditingError)

  /// Indicates whether nothing is lost if the file is replaced without a copy in the journal.
  var needsNoCopy: Bool {
    switch self {
    case .absent, .proven: true
    case .named, .forced, .doubtful, .barred: false
    }
  }
}

/// The role for which a file is claimed.
enum ClaimedUse {
  /// The output of the edit.
  case rendering
  /// The input of the edit, if it is not the original.
  case base
}

extension SidecarStore {
  /// Checks whether a file may be replaced or removed, and if not, why.
  ///
  /// All code that overwrites or removes a file calls this function: commits, revert, undo and
  /// redo, recovery after a crash, and the removal of superseded files.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - use: The claimed role.
  ///   - digests: The contents that the sidecar records; other files were not created by photoedit.
  ///   - document: The sidecar.
  func claim(
    on path: String, as use: ClaimedUse, _ digests: Set<SHA256Digest>, _ document: SidecarDocument
  ) throws(EditingError) -> FileClaim {
    if let bar = try bar(on: path, as: use) { return .barred(bar) }
    let entry = try mapFileErrors(FileSystem.entry(at: path))
    guard let entry else { return .absent }
    guard entry == .file else { return .barred(.specialFile(path)) }
    if paths.hasOwnEdit(path) { return .barred(.hasOwnEdit(path)) }
    let found = try mapFileErrors(digest(of: path))
    let isDefault = paths.isSame(path, use == .base ? paths.base : paths.rendering)
    let mark = RenderingMark(of: path).flatMap { $0.rendering == found ? $0 : nil }
    let isOthers = mark.map { isOfAnotherPhoto($0, document, isDefault: isDefault) } ?? false
    if digests.contains(found), !isOthers {
      if let mark, try isOfThisPhoto(mark, document, isDefault: isDefault) { return .proven(found) }
      if isDefault || isRequested(path), journalDepth > 0, document.stateDigests.contains(found) {
        return .named(found)
      }
    }
    if replacesExternalFiles, isDefault || isRequested(path) { return .forced(found) }
    if isOthers { return .barred(.occupied(path, isNamed: isDefault || isRequested(path))) }
    return .doubtful(.occupied(path, isNamed: isDefault || isRequested(path)))
  }

  /// Returns the reason why a path must never be replaced, regardless of the file; nil if none
  /// applies.
  private func bar(on path: String, as use: ClaimedUse) throws(EditingError) -> EditingError? {
    guard FileSystem.lastName(of: path).utf8.count <= 255 else {
      throw EditingError(.nameTooLong(path))
    }
    if FileSystem.isSameFile(path, paths.photo) { return .isOriginal(path) }
    if use == .rendering, paths.isReserved(path) { return .reservedPath(path) }
    return paths.isHere(path) || isRequested(path) ? nil : .inAnotherFolder(path)
  }

  /// Returns whether the user gave this path for the call.
  func isRequested(_ path: String) -> Bool {
    requestedRendering.map { paths.isSame(path, $0) } ?? false
  }

  private func isOfThisPhoto(
    _ mark: RenderingMark, _ document: SidecarDocument, isDefault: Bool
  ) throws(EditingError) -> Bool {
    // At the path derived from the photo's name, the record need not be verified as well.
    if isDefault, document.photoDigests.contains(mark.photo) { return true }
    return try mapFileErrors(photoDigests.all(of: paths.photo))
      .contains(mark.photo)
  }

  /// Returns whether a mark belongs to another photo that still has a sidecar.
  private func isOfAnotherPhoto(
    _ mark: RenderingMark, _ document: SidecarDocument, isDefault: Bool
  ) -> Bool {
    guard mark.photoName != paths.name, paths.hasSidecar(ofPhotoNamed: mark.photoName) else {
      return false
    }
    return !isDefault || !document.photoDigests.contains(mark.photo)
  }

  /// Returns the mark for a file that this commit writes.
  func mark(_ rendering: SHA256Digest, _ document: SidecarDocument) -> RenderingMark {
    RenderingMark(
      photo: document.originalPixels ?? document.original, rendering: rendering,
      photoName: paths.name)
  }
}

extension SidecarPaths {
  /// Returns whether two paths are the same after resolving their folders, but not their names.
  func isSame(_ a: String, _ b: String) -> Bool { a == b || recorded(a) == recorded(b) }

  /// Returns whether a path is in the folder of the edit, and not in another folder through a link.
  func isHere(_ path: String) -> Bool {
    do throws(FileError) {
      return try FileSystem.resolved(FileSystem.folder(of: path)) == FileSystem.resolved(folder)
    } catch {
      // The folder of a first edit in a state directory is created by the commit.
      return isInState && FileSystem.folder(of: path) == folder && !FileSystem.itemExists(folder)
    }
  }

  /// Returns whether a file is a photo with an edit of its own, by photoedit or another program.
  func hasOwnEdit(_ path: String) -> Bool {
    let other = SidecarPaths(photo: path, contentExtension: contentExtension)
    return ([other.sidecar] + other.thirdPartySidecars).contains {
      FileSystem.itemExists($0) && !isSame($0, sidecar)
    }
  }

  /// Returns whether a photo in the same folder has a sidecar.
  func hasSidecar(ofPhotoNamed name: String) -> Bool {
    !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/"))
      && FileSystem.itemExists(folder + "/" + name + ".aae")
  }
}

/// The mark on a file written by photoedit, which identifies the photo and the written bytes.
///
/// It is an extended attribute of the file itself. A sidecar, an archive, or a message cannot add
/// one to an existing file, so it proves what a sidecar can only claim.
struct RenderingMark: Hashable {
  private static let attribute = "user.org.photoedit.rendering"
  private static let version = "1"

  /// The digest of the photo's pixels, or of its file if the pixels have no digest.
  var photo: SHA256Digest
  /// The digest of the written bytes; a file that was changed since is the user's work.
  var rendering: SHA256Digest
  /// The photo's name, which distinguishes copies of one photo.
  var photoName: String
}

extension RenderingMark {
  /// Reads the mark of a file; nil if there is no readable mark.
  init?(of path: String) {
    guard let value = FileSystem.attribute(Self.attribute, of: path) else { return nil }
    let fields = String(decoding: value, as: UTF8.self)
      .split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4, fields[0] == Self.version, let photo = SHA256Digest(String(fields[1])),
      let rendering = SHA256Digest(String(fields[2]))
    else { return nil }
    self.init(photo: photo, rendering: rendering, photoName: String(fields[3]))
  }

  /// Marks a file; if the file system has no extended attributes, the file remains unmarked.
  func write(to path: String) {
    let value = "\(Self.version) \(photo.hex) \(rendering.hex) \(photoName)"
    FileSystem.setAttribute(Self.attribute, of: path, to: Array(value.utf8))
  }
}

/// All digests by which a mark may identify a photo, read from the photo itself.
///
/// The last result is cached while the file is unchanged, because it is needed for each path of an
/// edit.
final class PhotoDigests: Sendable {
  private let last = LockedValue<(version: FileVersion, digests: Set<SHA256Digest>)?>(nil)

  /// Returns the digest of a photo's bytes and, if it has pixels, the digest of its pixels.
  func all(of photo: String) throws(FileError) -> Set<SHA256Digest> {
    let version = FileVersion(photo)
    if let version, let known = last.withLock({ $0?.version == version ? $0?.digests : nil }) {
      return known
    }
    let (file, pixels) = try PixelDigest.digests(of: photo)
    let digests = Set([file, pixels].compactMap { $0 })
    if let version { last.withLock { $0 = (version, digests) } }
    return digests
  }
}
