// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Storage

/// What may be replaced and removed; everything else beside a photo is somebody's work.
extension SidecarStore {
  /// Says early whether a rendering could be put in its place; nothing is written.
  package func checkPlace() throws(EditingError) {
    let stored = try load()
    if stored.document == nil { try checkSidecarPlace() }
    try checkPlace(
      renderingPath(after: stored.document),
      stored.document ?? SidecarDocument(original: Digest(of: [])))
  }

  /// Refuses to replace anything but a rendering of ours that nobody touched.
  func checkPlace(_ target: String, _ document: SidecarDocument) throws(EditingError) {
    if Self.isSameFile(target, paths.photo) { throw .isOriginal(target) }
    if paths.isReserved(target) { throw .reservedPlace(target) }
    try checkReplacing(target, document.ownRenderings)
  }

  /// Refuses to replace a file of somebody else in the base's place.
  func checkBasePlace(_ document: SidecarDocument) throws(EditingError) {
    if Self.isSameFile(paths.base, paths.photo) { throw .isOriginal(paths.base) }
    try checkReplacing(paths.base, document.ownBases)
  }

  private func checkReplacing(_ target: String, _ ours: Set<Digest>) throws(EditingError) {
    guard FileSystem.lastName(of: target).utf8.count <= 255 else {
      throw EditingError(.nameTooLong(target))
    }
    let entry = try filing { () throws(FileError) in try FileSystem.entry(at: target) }
    guard let entry else { return }
    guard entry == .file else {
      throw EditingError(
        FileError(.exists, path: target, reason: "a folder or special file is in the way"))
    }
    if replacesForeignFiles { return }
    let found = try filing { () throws(FileError) in try FileBytes.digest(of: target) }
    guard ours.contains(found) else { throw .occupied(target) }
  }

  /// Refuses to remove a rendering that somebody changed.
  func checkRemoval(
    _ state: EditState, _ document: SidecarDocument
  ) throws(EditingError) {
    guard !state.isForeign, !replacesForeignFiles, let digest = document.record?.current,
      entry(at: state.current.path) != nil
    else { return }
    guard hasDigest(digest, at: state.current.path) else { throw .occupied(state.current.path) }
  }

  /// What may be removed although it is not what we wrote, because the user gives it up.
  func digestToRemove(at path: String) -> Digest? {
    guard replacesForeignFiles, entry(at: path) == .file else { return nil }
    do throws(FileError) { return try FileBytes.digest(of: path) } catch { return nil }
  }

  /// The sidecar of another program under our name is never overwritten.
  ///
  /// - Parameter document: Ours, when it was read from there already.
  func checkSidecarPlace(knowing document: SidecarDocument? = nil) throws(EditingError) {
    guard FileSystem.lastName(of: paths.sidecar).utf8.count <= 255 else {
      throw EditingError(.nameTooLong(paths.sidecar))
    }
    let entry = try filing { () throws(FileError) in try FileSystem.entry(at: paths.sidecar) }
    guard let entry else { return }
    guard entry == .file else { throw .foreignSidecar(paths.sidecar, writer: "another kind") }
    if document != nil { return }
    if try load(isDecisive: true).document == nil {
      throw .foreignSidecar(paths.sidecar, writer: "another program")
    }
  }

  /// Where a recorded place leads, when it can be believed.
  ///
  /// Sidecars travel with photos. A place elsewhere is followed only to a picture that is there and
  /// that the sidecar knows, so that no sidecar can make us write to a place of its choice.
  ///
  /// - Parameter digest: The content that may wait there for its name.
  func followed(
    _ recorded: String, _ document: SidecarDocument, _ digest: Digest? = nil
  ) -> String {
    if SidecarPaths.isBeside(recorded) { return paths.resolved(recorded) }
    guard recorded.utf8.first == UInt8(ascii: "/") || SidecarPaths.isBelow(recorded) else {
      return paths.rendering
    }
    let path = paths.resolved(recorded)
    let pending = (digest ?? document.record?.current).map { paths.pending(path, $0) }
    if let pending, entry(at: pending) == .file { return path }
    guard entry(at: path) == .file, isPicture(path), isOne(of: document.ownRenderings, at: path)
    else { return paths.rendering }
    return path
  }

  /// Whether a file begins as our renderings do.
  func isPicture(_ path: String) -> Bool {
    do throws(FileError) {
      let file = try OpenFile(reading: path)
      _ = try file.regularSize()
      let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 8, alignment: 8)
      defer { memory.deallocate() }
      guard try file.read(into: memory) == 8 else { return false }
      let head = Array(memory)
      return head.starts(with: [0xFF, 0xD8, 0xFF])
        || head[4...].elementsEqual("ftyp".utf8) || head[4...].elementsEqual("moov".utf8)
    } catch {
      return false
    }
  }

  func hasDigest(_ digest: Digest, at path: String) -> Bool { isOne(of: [digest], at: path) }

  func isOne(of digests: Set<Digest>, at path: String) -> Bool {
    do throws(FileError) {
      return digests.contains(try FileBytes.digest(of: path))
    } catch {
      return false
    }
  }

  private static func isSameFile(_ a: String, _ b: String) -> Bool {
    do throws(FileError) {
      return try FileSystem.resolved(a) == FileSystem.resolved(b)
    } catch {
      return false
    }
  }
}
