// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

extension FileBytes {
  /// Reads a whole regular file, without updating its access time if the system allows that.
  ///
  /// A pipe, socket, device or directory is rejected without blocking.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - maximumBytes: The size limit; larger files are rejected before memory is allocated.
  ///   - followsLinks: Whether the file and the folders of its path may be symbolic links; their
  ///     target must be a regular file.
  /// - Throws: `FileError`, also if the file grows or shrinks while it is read.
  public static func reading(
    _ path: String, maximumBytes: Int = 4 << 30, followsLinks: Bool = true
  ) throws(FileError) -> FileBytes {
    let file = try OpenFile(reading: path, followsLinks: followsLinks)
    let size = try file.regularSize()
    guard size > 0 else { throw FileError(.empty, path: path, reason: "file is empty") }
    guard size <= maximumBytes else {
      throw FileError(
        .tooLarge, path: path, reason: "file has \(size) bytes (maximum: \(maximumBytes))")
    }
    let memory = HugePageBuffer.allocate(byteCount: size)
    do throws(FileError) {
      let filled = try file.read(into: memory)
      guard filled == size, try file.regularSize() == size else {
        throw FileError(.changed, path: path, reason: "file changed while being read")
      }
    } catch {
      memory.deallocate()
      throw error
    }
    return FileBytes(owning: memory, count: size)
  }

  /// Hashes a regular file in chunks, without loading all of it into memory.
  ///
  /// - Parameter followsLinks: As in `reading(_:maximumBytes:followsLinks:)`.
  public static func digest(
    of path: String, followsLinks: Bool = true
  ) throws(FileError) -> SHA256Digest {
    let file = try OpenFile(reading: path, followsLinks: followsLinks)
    var remaining = try file.regularSize()
    var builder = DigestBuilder()
    let chunk = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 20, alignment: 64)
    defer { chunk.deallocate() }
    while true {
      let filled = try file.read(into: chunk)
      if filled == 0 { break }
      builder.update(UnsafeRawBufferPointer(rebasing: chunk[0..<filled]))
      remaining -= filled
    }
    guard remaining == 0 else {
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
