// SPDX-License-Identifier: Apache-2.0
import CPhotoEditSystem
import PhotoEditPlatform

/// The bytes of a whole file in memory, at a fixed address.
///
/// Files are read, not memory-mapped: if another process truncates a mapped file, accessing it ends
/// the process.
public final class FileBytes: Sendable {
  /// The bytes; valid during the lifetime of this object, which `withExtendedLifetime` ensures.
  ///
  /// Marked unsafe, but the memory is written only before it is shared and never afterwards.
  public nonisolated(unsafe) let buffer: UnsafeRawBufferPointer

  /// The object that owns the memory of `buffer`.
  private let owner: any AnyObject & Sendable
  private let cachedCopy = LockedValue<SharedMemory?>(nil)
  private let cachedDigest = LockedValue<SHA256Digest?>(nil)

  /// Copies bytes in memory.
  public convenience init(_ bytes: [UInt8]) {
    let memory = HugePageMemory(byteCount: bytes.count)
    memory.buffer.copyBytes(from: bytes)
    self.init(memory)
  }

  private init(_ memory: HugePageMemory) {
    owner = memory
    buffer = UnsafeRawBufferPointer(memory.buffer)
  }

  /// Maps the bytes of another process, which must not be able to change them; nil on failure.
  package init?(mapping descriptor: Int32, byteCount: Int) {
    guard let memory = MappedMemory(descriptor, byteCount: byteCount) else { return nil }
    owner = memory
    buffer = memory.buffer
  }

  /// Returns a copy for other processes, which is made once; nil if there is not enough memory.
  package func sharedCopy() -> SharedMemory? {
    cachedCopy.withLock { cachedCopy in
      if cachedCopy == nil { cachedCopy = SharedMemory(copying: buffer) }
      return cachedCopy
    }
  }

  /// The number of bytes.
  public var count: Int { buffer.count }

  /// A copy of the bytes.
  public var array: [UInt8] { withExtendedLifetime(self) { Array(buffer) } }

  /// Returns the SHA-256 of the bytes, which is computed once.
  public func digest() -> SHA256Digest {
    cachedDigest.withLock { cachedDigest in
      if let cachedDigest { return cachedDigest }
      var builder = DigestBuilder()
      builder.update(buffer)
      let digest = builder.finish()
      cachedDigest = digest
      return digest
    }
  }

  /// Reads a whole regular file, without updating its access time if the system allows that.
  ///
  /// A pipe, socket, device or directory is rejected without blocking.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - maximumBytes: The size limit; larger files, and sparse files without content, are
  ///     rejected before memory is allocated.
  ///   - followsLinks: Whether the file and the folders of its path may be symbolic links; their
  ///     target must be a regular file.
  /// - Throws: `FileError`, also if the file grows or shrinks while it is read.
  public static func reading(
    _ path: String, maximumBytes: Int = 4 << 30, followsLinks: Bool = true
  ) throws(FileError) -> FileBytes {
    try reading(try OpenFile(reading: path, followsLinks: followsLinks), maximumBytes: maximumBytes)
  }

  /// Reads a whole open file.
  package static func reading(
    _ file: borrowing OpenFile, maximumBytes: Int = 4 << 30
  ) throws(FileError) -> FileBytes {
    let path = file.path
    let size = try file.acceptedSize(maximumBytes: maximumBytes)
    guard size > 0 else { throw FileError(.empty, path: path, reason: "file is empty") }
    let memory = HugePageMemory(byteCount: size)
    let filled = try file.read(into: memory.buffer, at: 0)
    guard filled == size, try file.regularSize() == size else {
      throw FileError(.changed, path: path, reason: "file changed while being read")
    }
    return FileBytes(memory)
  }

  /// Hashes a regular file in chunks, without loading all of it into memory.
  ///
  /// - Parameter followsLinks: As in `reading(_:maximumBytes:followsLinks:)`.
  public static func digest(
    of path: String, followsLinks: Bool = true
  ) throws(FileError) -> SHA256Digest {
    try digest(of: try OpenFile(reading: path, followsLinks: followsLinks))
  }

  /// Hashes an open file, whose position is neither used nor changed.
  package static func digest(of file: borrowing OpenFile) throws(FileError) -> SHA256Digest {
    let path = file.path
    let size = try file.regularSize()
    var offset = 0
    var builder = DigestBuilder()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { chunk.deallocate() }
    while true {
      let filled = try file.read(into: chunk, at: offset)
      if filled == 0 { break }
      builder.update(UnsafeRawBufferPointer(rebasing: chunk[0..<filled]))
      offset += filled
    }
    guard offset == size else {
      throw FileError(.changed, path: path, reason: "file changed while being read")
    }
    return builder.finish()
  }

  /// Reads a descriptor, such as standard input, to its end.
  ///
  /// - Throws: `FileError` with `name` as the file's name.
  public static func readingToEnd(
    of descriptor: Int32, name: String, maximumBytes: Int = 4 << 30
  ) throws(FileError) -> FileBytes {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 1 << 18)
    while true {
      let count = PhotoEditPlatform.read(descriptor, &chunk, chunk.count)
      if count < 0 && errno == EINTR { continue }
      guard count >= 0 else { throw FileError(errno: errno, "cannot read", path: name) }
      if count == 0 { break }
      guard bytes.count + count <= maximumBytes else {
        throw FileError(.tooLarge, path: name, reason: "more than \(maximumBytes) bytes")
      }
      bytes.append(contentsOf: chunk[0..<count])
    }
    guard !bytes.isEmpty else { throw FileError(.empty, path: name, reason: "no data received") }
    return FileBytes(bytes)
  }
}
