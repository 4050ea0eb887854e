// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// What may be replaced and removed; everything else beside a photo is somebody's work.
extension SidecarStore {
  /// Says early whether a rendering could be put in its place; nothing is written.
  public func checkPlace(after state: EditState) throws(EditingError) {
    try consistently(state.sidecar) { document throws(EditingError) in
      if document == nil { try checkSidecarPlace() }
      try checkPlace(
        try renderingPath(after: document), document ?? SidecarDocument(original: Digest(of: [])))
    }
  }

  /// Compares what was read with the files, without the lock; repeated when it failed because
  /// another process committed meanwhile.
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
    throw .editedElsewhere(paths.photo)
  }

  /// Refuses a place that no rendering may take, or that holds a file which must stay.
  @discardableResult
  func checkPlace(
    _ target: String, _ document: SidecarDocument
  ) throws(EditingError) -> FileClaim {
    try check(target, as: .rendering, document.ownRenderings, document)
  }

  /// Refuses to replace a file of somebody else in the base's place.
  @discardableResult
  func checkBasePlace(_ document: SidecarDocument) throws(EditingError) -> FileClaim {
    try check(paths.base, as: .base, document.ownBases, document)
  }

  private func check(
    _ target: String, as use: ClaimedUse, _ digests: Set<Digest>, _ document: SidecarDocument
  ) throws(EditingError) -> FileClaim {
    let claim = try claim(on: target, as: use, digests, document)
    switch claim {
    case .absent, .proven, .named, .forced: return claim
    case .doubtful(let error), .barred(let error): throw error
    }
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
    if try load().document == nil {
      throw .foreignSidecar(paths.sidecar, writer: "another program")
    }
  }

  /// Where the rendering of a state goes that was recorded in some place.
  ///
  /// Sidecars travel with photos, and by themselves choose no place: one beside the photo is taken
  /// when nothing is there or when the file is ours; one in another folder is for the user to name.
  ///
  /// - Parameter digest: The content that may wait there for its name.
  /// - Throws: `EditingError` when a file is there that must stay, and only the user can tell.
  func target(
    _ recorded: String, _ document: SidecarDocument, _ digest: Digest? = nil
  ) throws(EditingError) -> String {
    let path = paths.resolved(recorded)
    if paths.isSame(path, paths.rendering) { return paths.rendering }
    let pending = (digest ?? document.record?.current).map { paths.pending(path, $0) }
    let isPending = pending.map { entry(at: $0) == .file } ?? false
    let known = document.ownRenderings
    guard paths.isHere(path) else {
      let isKnown = entry(at: path) == .file && isPicture(path) && isOne(of: known, at: path)
      if isPending || isKnown { throw .elsewhere(path) }
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
      // Renamed together with its photo, or a name that no rendering has by itself.
      let isBesidePhoto =
        (digest ?? document.record?.current).map { hasDigest($0, at: paths.rendering) } ?? false
      return paths.canName(path) && !isBesidePhoto ? path : paths.rendering
    }
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
}
