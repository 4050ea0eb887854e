// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// A file that is invisible until it is complete, and of which nothing remains if the process ends
/// before that.
///
/// It has no name until it is published. On file systems that have no such files, it is in a
/// staging folder, which the next session that starts next to that folder removes.
package final class StagedFile: Sendable {
  package let file: OpenFile
  private let path: String
  /// The folder of the session that will publish the file again.
  private let session: StagingFolder?
  /// The folder in which the file has a name before it is published.
  private let staging: StagingFolder?
  private let progress: LockedValue<Progress>
  private let earlyByteCount: Int
  private let originals = LockedValue<[String]>([])

  /// A name that no other file of the same session has.
  private let temporaryName = "part-" + String(UInt64.random(in: 0...UInt64.max), radix: 16)

  /// Creates a file, which is empty.
  ///
  /// - Parameters:
  ///   - path: The path at which it is published.
  ///   - session: The session whose folder contains the path. Only the owner can read the file then,
  ///     until the session publishes it.
  ///   - keepsDigest: Whether `complete(with:)` returns the digest of the contents.
  ///   - earlyByteCount: The fewest bytes that `grow(to:)` writes; smaller files are written when
  ///     they are complete.
  package init(
    for path: String, of session: StagingFolder? = nil, keepsDigest: Bool = false,
    earlyByteCount: Int = 512 << 10
  ) throws(FileError) {
    self.path = path
    self.session = session
    self.earlyByteCount = earlyByteCount
    progress = LockedValue(Progress(keepsDigest: keepsDigest))
    let folder = FileSystem.folder(of: path)
    let descriptor = pe_open_unnamed(folder)
    if descriptor >= 0 {
      file = OpenFile(descriptor: descriptor, path: path)
      staging = nil
      return
    }
    let code = errno
    // Kernels without such files report that the folder is a folder.
    guard [EOPNOTSUPP, EISDIR, EINVAL, ENOSYS].contains(code) else {
      throw StagingFolder.failure(code, in: folder)
    }
    // The next session would not look for a staging folder in the folder of this one.
    let staging = if let session { session } else { try StagingFolder(in: folder) }
    file = try OpenFile(creating: staging.file(temporaryName))
    self.staging = staging
  }

  // MARK: Contents that grow in memory

  /// The bytes of growing contents that are in the file.
  private struct Progress: ~Copyable {
    let keepsDigest: Bool
    /// The digest of the bytes in the file.
    var digest: DigestBuilder?
    /// The number of bytes that are in the file and final.
    var byteCount = 0

    init(keepsDigest: Bool) {
      self.keepsDigest = keepsDigest
      digest = keepsDigest ? DigestBuilder() : nil
    }

    /// Writes the bytes that the file does not have yet.
    mutating func write(
      _ contents: UnsafeRawBufferPointer, to file: borrowing OpenFile
    ) throws(FileError) {
      let new = UnsafeRawBufferPointer(rebasing: contents[byteCount...])
      try file.write(new, at: byteCount)
      digest?.update(new)
      byteCount = contents.count
    }
  }

  /// Writes what contents that grow in memory have gained, and lets the kernel pass it on to the
  /// disk.
  ///
  /// A failure has no effect: `complete(with:)` writes the same bytes again.
  ///
  /// - Parameter contents: All bytes so far, which do not change any more.
  package func grow(to contents: UnsafeRawBufferPointer) {
    progress.withLock { progress in
      let start = progress.byteCount
      guard contents.count - start >= earlyByteCount else { return }
      do throws(FileError) {
        try progress.write(contents, to: file)
        file.beginWriteback(from: start, byteCount: contents.count - start)
      } catch {}
    }
  }

  /// Discards the contents so far: others follow, from their first byte.
  package func restart() {
    progress.withLock { $0 = Progress(keepsDigest: $0.keepsDigest) }
  }

  /// Writes the rest of the contents; returns their digest if the file keeps one.
  ///
  /// Called once.
  ///
  /// - Parameter contents: All bytes; they begin with those that were passed to `grow(to:)` since
  ///   the last restart.
  @discardableResult
  package func complete(with contents: [UInt8]) throws(FileError) -> SHA256Digest? {
    try progress.withLock { progress throws(FileError) in
      // Contents that did not grow are hashed while they are written.
      var whole: BackgroundValue<SHA256Digest>?
      if progress.keepsDigest, progress.byteCount == 0, contents.count >= earlyByteCount {
        progress.digest = nil
        whole = BackgroundValue { SHA256Digest(of: contents) }
      }
      defer { whole?.wait() }
      try contents.withUnsafeBufferPointer { contents throws(FileError) in
        try progress.write(UnsafeRawBufferPointer(contents), to: file)
      }
      // Discarded contents may have been longer.
      if try file.regularSize() > contents.count { try file.truncate(to: contents.count) }
      return whole?.wait() ?? progress.digest.take()?.finish()
    }
  }

  // MARK: Publication

  /// Notes a file whose contents are in this one, which is not published with wider permissions.
  package func note(original: String) { originals.withLock { $0.append(original) } }

  /// Sets the permissions of the finished file and gives it its name atomically; nothing is synced.
  ///
  /// - Parameters:
  ///   - replacing: Whether an existing file is replaced; otherwise the path must be free.
  ///   - original: The file from which this one was created; see `FileSystem.share(_:like:)`.
  package func publish(replacing: Bool = false, like original: String? = nil) throws(FileError) {
    if session == nil {
      let noted = originals.withLock { $0 }
      FileSystem.share(file.descriptor, like: (original.map { [$0] } ?? []) + noted)
    }
    if staging == nil {
      if pe_link_unnamed(file.descriptor, path) == 0 { return }
      let code = errno
      guard code == EEXIST, replacing else {
        guard code != ENAMETOOLONG else { throw .nameTooLong(path) }
        throw FileError(errno: code, "cannot create", path: path)
      }
    }
    // Only a file with a name can replace another one.
    let folder =
      if let named = staging ?? session { named } else {
        try StagingFolder(in: FileSystem.folder(of: path))
      }
    defer { if session == nil { folder.discard() } }
    let named = folder.file(temporaryName)
    if staging == nil, pe_link_unnamed(file.descriptor, named) != 0 {
      throw FileError(errno: errno, "cannot create", path: path)
    }
    try FileSystem.rename(named, to: path, replacing: replacing)
  }

  /// Writes bytes to a path, with permissions by the umask.
  ///
  /// - Parameters:
  ///   - replacing: Whether an existing file is replaced; otherwise the path must be free.
  ///   - isSynced: Whether the contents are synced; the name never is.
  package static func write(
    _ bytes: [UInt8], to path: String, replacing: Bool = false, isSynced: Bool = true
  ) throws(FileError) {
    let staged = try StagedFile(for: path)
    try staged.complete(with: bytes)
    if isSynced { try staged.file.sync() }
    try staged.publish(replacing: replacing)
  }
}
