// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The rules for replacing and removing files; all other files next to a photo belong to the user.
extension SidecarStore {
  /// Checks early whether a rendering could be written to its destination; nothing is written.
  public func checkDestination(after state: EditState) throws(EditingError) {
    try consistently(state.sidecar) { document throws(EditingError) in
      if document == nil { try checkSidecarPath() }
      try checkDestination(
        try renderingPath(after: document),
        document ?? SidecarDocument(original: SHA256Digest(of: [])))
    }
  }

  /// Compares a document with the files, without the lock; repeats if this fails because another
  /// process committed in the meantime.
  func consistently<Result>(
    _ document: SidecarDocument?, _ body: (SidecarDocument?) throws(EditingError) -> Result
  ) throws(EditingError) -> Result {
    var document = document
    for _ in 0..<Self.maximumAttempts {
      do throws(EditingError) {
        return try body(document)
      } catch {
        let now = try load().document
        guard now?.revision != document?.revision else { throw error }
        document = now
      }
    }
    throw .editedByAnotherProcess(paths.photo)
  }

  /// Rejects a path that is not allowed for a rendering, or that holds a file which must be kept.
  @discardableResult
  func checkDestination(
    _ target: String, _ document: SidecarDocument
  ) throws(EditingError) -> FileClaim {
    try check(target, as: .rendering, document.ownRenderings, document)
  }

  /// Refuses to replace a file at the base's path that was not created by photoedit.
  @discardableResult
  func checkBasePath(_ document: SidecarDocument) throws(EditingError) -> FileClaim {
    try check(paths.base, as: .base, document.ownBases, document)
  }

  private func check(
    _ target: String, as use: ClaimedUse, _ digests: Set<SHA256Digest>, _ document: SidecarDocument
  ) throws(EditingError) -> FileClaim {
    let claim = try claim(on: target, as: use, digests, document)
    switch claim {
    case .absent, .proven, .named, .forced: return claim
    case .doubtful(let error), .barred(let error): throw error
    }
  }

  /// Refuses to overwrite a third-party sidecar that has the name of photoedit's.
  ///
  /// - Parameter document: The document of photoedit, if it was already read from this path.
  func checkSidecarPath(knowing document: SidecarDocument? = nil) throws(EditingError) {
    guard FileSystem.lastName(of: paths.sidecar).utf8.count <= 255 else {
      throw EditingError(.nameTooLong(paths.sidecar))
    }
    let entry = try mapFileErrors(FileSystem.entry(at: paths.sidecar))
    guard let entry else { return }
    guard entry == .file else {
      throw .occupiedSidecarPath(paths.sidecar, writer: "a folder or special file")
    }
    if document != nil { return }
    if try load().document == nil {
      throw .occupiedSidecarPath(paths.sidecar, writer: "a file written by another program")
    }
  }

  /// Returns the path for the rendering of a state that was recorded with some path.
  ///
  /// Sidecars travel with photos and must not choose paths on their own: a path next to the photo
  /// is accepted if there is no file or if photoedit created the file; a path in another folder
  /// must be given by the user.
  ///
  /// - Parameter digest: The contents that may be pending at the path.
  /// - Throws: `EditingError` if a file exists that must be kept, so that only the user can decide.
  func target(
    _ recorded: String, _ document: SidecarDocument, _ digest: SHA256Digest? = nil
  ) throws(EditingError) -> String {
    let path = paths.resolved(recorded)
    if paths.isSame(path, paths.rendering) { return paths.rendering }
    let pending = (digest ?? document.record?.current).map { paths.pending(path, $0) }
    let isPending = pending.map { entry(at: $0) == .file } ?? false
    let known = document.ownRenderings
    guard paths.isHere(path) else {
      let isKnown = entry(at: path) == .file && isImage(path) && hasDigest(in: known, at: path)
      if isPending || isKnown { throw .inAnotherFolder(path) }
      return paths.rendering
    }
    switch try claim(on: path, as: .rendering, known, document) {
    case .proven, .named, .forced: return path
    case .barred: return paths.rendering
    case .doubtful(let error):
      if paths.isDefaultName(path) { return paths.rendering }
      throw error
    case .absent:
      if isPending { return path }
      // The rendering was renamed together with its photo, or has a name other than the default.
      let isNextToPhoto =
        (digest ?? document.record?.current).map { hasDigest($0, at: paths.rendering) } ?? false
      return paths.canName(path) && !isNextToPhoto ? path : paths.rendering
    }
  }

  /// Returns whether a file begins like a rendering of photoedit.
  func isImage(_ path: String) -> Bool {
    do throws(FileError) {
      let file = try open(path)
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

  func hasDigest(_ digest: SHA256Digest, at path: String) -> Bool {
    hasDigest(in: [digest], at: path)
  }

  func hasDigest(in digests: Set<SHA256Digest>, at path: String) -> Bool {
    (try? digest(of: path)).map(digests.contains) ?? false
  }
}
