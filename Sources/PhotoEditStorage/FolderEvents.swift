// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// What happens in a folder, told by the kernel while it happens; the C interface is inotify.
///
/// The folder is watched wherever it is moved; files are told by their names, and folders in it are
/// not looked into. Writes through a memory map are not told.
package final class FolderEvents: Sendable {
  /// Something that happened.
  package enum Event: Sendable, Hashable {
    /// A file was written to, or was closed by somebody who might have.
    case written(String)
    /// A name came, went, or was given to another file.
    case named(String)
    /// The folder itself was moved or removed, or its disk was taken away.
    case folderGone
    /// The kernel had to leave events out.
    case lost
  }

  /// Readable when there are events; for `poll` and its relatives.
  package let descriptor: Int32

  /// Begins to watch a folder.
  ///
  /// - Throws: `FileError`; of kind `io` when this user watches too much already.
  package init(folder path: String) throws(FileError) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw FileError(errno: errno, "cannot watch", path: path) }
    guard inotify_add_watch(descriptor, path, Self.mask) >= 0 else {
      let code = errno
      close(descriptor)
      throw FileError(errno: code, "cannot watch", path: path)
    }
    self.descriptor = descriptor
  }

  deinit { close(descriptor) }

  private static let written = UInt32(IN_MODIFY | IN_CLOSE_WRITE)
  private static let named = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
  private static let gone = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)
  private static let mask = written | named | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Everything that has happened since the last call; never waits.
  package func take() -> [Event] {
    var events: [Event] = []
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 8)
    defer { memory.deallocate() }
    while true {
      let count = read(descriptor, memory.baseAddress, memory.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return events }
      events += Self.events(UnsafeRawBufferPointer(rebasing: memory[0..<count]))
    }
  }

  /// Reads the records that the kernel gives: a head of fixed size and a name padded with zeros.
  private static func events(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    let head = MemoryLayout<inotify_event>.size
    var events: [Event] = []
    var rest = bytes[...]
    while rest.count >= head {
      let record = UnsafeRawBufferPointer(rebasing: rest)
      let (mask, length) = (
        record.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
        Int(record.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      )
      let name = String(
        decoding: record.dropFirst(head).prefix(length).prefix { $0 != 0 }, as: UTF8.self)
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { events.append(.lost) }
      if mask & gone != 0 { events.append(.folderGone) }
      if mask & written != 0 { events.append(.written(name)) }
      if mask & named != 0 { events.append(.named(name)) }
      rest = rest.dropFirst(head + length)
    }
    return events
  }
}
