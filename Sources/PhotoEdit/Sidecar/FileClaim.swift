// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// The answer of the one rule for what may become of a file that a sidecar names.
///
/// A sidecar is data from a stranger: what it says of a file is a claim, and the file itself has
/// to bear it out.
enum FileClaim {
  /// Nothing is there.
  case absent
  /// The mark on the file proves that it was written here, for this photo, with these bytes.
  case proven(Digest)
  /// The name follows from the photo's, or the user gave it, and the digest is recorded, but there
  /// is no mark: an edit of an earlier version, or a copy. Its bytes go to the journal first.
  case named(Digest)
  /// The user gives the file up, by `--force` and by its place. Its bytes go to the journal first
  /// where a state can hold them.
  case forced(Digest)
  /// It may be somebody's picture: it was changed, or nothing but the sidecar says that it is ours.
  case doubtful(EditingError)
  /// It is never replaced or removed: the original, a file with an edit of its own, a file of
  /// another edit, a link, and anything in another folder that was not named again.
  case barred(EditingError)
}

/// The place for which a file is claimed.
enum ClaimedUse {
  /// The output of the edit.
  case rendering
  /// The input of the edit, when it is not the original.
  case base
}

extension SidecarStore {
  /// The one rule: whether a file may be replaced or removed, and why not.
  ///
  /// Everything that writes over a file or removes one asks here: commits, revert, undo and redo,
  /// what a crash left to be done, and the removal of superseded files.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - use: What it is claimed to be.
  ///   - digests: The contents that the sidecar knows; only a file with one of them is ours.
  ///   - document: The sidecar.
  func claim(
    on path: String, as use: ClaimedUse, _ digests: Set<Digest>, _ document: SidecarDocument
  ) throws(EditingError) -> FileClaim {
    if let bar = try bar(on: path, as: use) { return .barred(bar) }
    let entry = try filing { () throws(FileError) in try FileSystem.entry(at: path) }
    guard let entry else { return .absent }
    guard entry == .file else { return .barred(.specialFile(path)) }
    if paths.hasOwnEdit(path) { return .barred(.hasOwnEdit(path)) }
    let found = try filing { () throws(FileError) in try FileBytes.digest(of: path) }
    let isDefault = paths.isSame(path, use == .base ? paths.base : paths.rendering)
    let mark = RenderingMark(of: path).flatMap { $0.rendering == found ? $0 : nil }
    let isOthers = mark.map { isOfAnotherPhoto($0, document, isDefault: isDefault) } ?? false
    if digests.contains(found), !isOthers {
      if let mark, try isOfThisPhoto(mark, document, isDefault: isDefault) { return .proven(found) }
      if isDefault || isGiven(path), journalDepth > 0, document.stateDigests.contains(found) {
        return .named(found)
      }
    }
    if replacesForeignFiles, isDefault || isGiven(path) { return .forced(found) }
    if isOthers { return .barred(.occupied(path, isNamed: isDefault || isGiven(path))) }
    return .doubtful(.occupied(path, isNamed: isDefault || isGiven(path)))
  }

  /// Why a place is never one to be replaced, whatever is there.
  private func bar(on path: String, as use: ClaimedUse) throws(EditingError) -> EditingError? {
    guard FileSystem.lastName(of: path).utf8.count <= 255 else {
      throw EditingError(.nameTooLong(path))
    }
    if FileSystem.isSameFile(path, paths.photo) { return .isOriginal(path) }
    if use == .rendering, paths.isReserved(path) { return .reservedPlace(path) }
    return paths.isHere(path) || isGiven(path) ? nil : .elsewhere(path)
  }

  /// Whether the user named this place for the call.
  func isGiven(_ path: String) -> Bool {
    requestedRendering.map { paths.isSame(path, $0) } ?? false
  }

  private func isOfThisPhoto(
    _ mark: RenderingMark, _ document: SidecarDocument, isDefault: Bool
  ) throws(EditingError) -> Bool {
    // In the place that follows from the photo's name the record need not be doubted as well.
    if isDefault, document.photoDigests.contains(mark.photo) { return true }
    return try filing { () throws(FileError) in try photoDigests.all(of: paths.photo) }
      .contains(mark.photo)
  }

  /// Whether a mark is of a photo that is still there, with an edit, and is not this one.
  private func isOfAnotherPhoto(
    _ mark: RenderingMark, _ document: SidecarDocument, isDefault: Bool
  ) -> Bool {
    guard mark.photoName != paths.name, paths.hasSidecar(ofPhotoNamed: mark.photoName) else {
      return false
    }
    return !isDefault || !document.photoDigests.contains(mark.photo)
  }

  /// The mark for a file that this commit writes.
  func mark(_ rendering: Digest, _ document: SidecarDocument) -> RenderingMark {
    RenderingMark(
      photo: document.originalPixels ?? document.original, rendering: rendering,
      photoName: paths.name)
  }
}

extension SidecarPaths {
  /// Whether two paths are one place; the folders are resolved and the names are not.
  func isSame(_ a: String, _ b: String) -> Bool { a == b || recorded(a) == recorded(b) }

  /// Whether a path leads into the folder of the edit, and through no link to another one.
  func isHere(_ path: String) -> Bool {
    do throws(FileError) {
      return try FileSystem.resolved(FileSystem.folder(of: path)) == FileSystem.resolved(folder)
    } catch {
      // The folder of a first edit in a state directory is made by the commit.
      return isInState && FileSystem.folder(of: path) == folder && !FileSystem.isThere(folder)
    }
  }

  /// Whether a file is a photo that is edited itself, here or by another program.
  func hasOwnEdit(_ path: String) -> Bool {
    let other = SidecarPaths(photo: path, contentExtension: contentExtension)
    return ([other.sidecar] + other.foreignSidecars).contains {
      FileSystem.isThere($0) && !isSame($0, sidecar)
    }
  }

  /// Whether a photo beside this one has a sidecar.
  func hasSidecar(ofPhotoNamed name: String) -> Bool {
    !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/"))
      && FileSystem.isThere(folder + "/" + name + ".aae")
  }
}
