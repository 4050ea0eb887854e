// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The events in a folder as reported by the kernel; the C interface is inotify.
///
/// The folder is watched even if it is moved; files are reported by name, and subfolders are watched
/// only if they are added. Writes through a memory map are not reported.
package final class DirectoryWatcher: Sendable {
  package enum Event: Sendable, Hashable {
    /// A file was written to, or was closed after being open for writing.
    case written(String)
    /// A name was created, removed or given to another file.
    case named(String)
    /// The folder itself was moved or removed, or its disk was unmounted.
    case folderRemoved
    /// The kernel dropped events.
    case lost
  }

  /// A descriptor that is readable when there are events; for `poll` and similar functions.
  package let descriptor: Int32

  /// Starts watching a folder.
  ///
  /// - Throws: `FileError`; of kind `io` if the user's watch limit is reached.
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

  /// Also watches a subfolder, whose end is reported as a change of a name without letters; does
  /// nothing if it does not exist, or if the user's watch limit is reached.
  package func add(folder path: String) {
    _ = inotify_add_watch(descriptor, path, Self.mask | UInt32(IN_DONT_FOLLOW))
  }

  /// Ends the watch; a thread that waits for the descriptor gets `folderRemoved`.
  package func cancel() {
    // The kernel reports removed watches.
    inotify_rm_watch(descriptor, Self.first)
  }

  deinit { close(descriptor) }

  /// The number that the kernel gives to the watch of the folder itself.
  private static let first: Int32 = 1

  private static let written = UInt32(IN_MODIFY | IN_CLOSE_WRITE)
  private static let named = UInt32(IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO)
  private static let removed = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT | IN_IGNORED)
  private static let mask = written | named | UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR)

  /// Returns all events since the last call; never blocks.
  package func consume() -> [Event] {
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

  /// Parses the records of the kernel: a header of fixed size and a name padded with zeros.
  private static func events(_ bytes: UnsafeRawBufferPointer) -> [Event] {
    let head = MemoryLayout<inotify_event>.size
    var events: [Event] = []
    var rest = bytes[...]
    while rest.count >= head {
      let record = UnsafeRawBufferPointer(rebasing: rest)
      let (watch, mask, length) = (
        record.loadUnaligned(fromByteOffset: 0, as: Int32.self),
        record.loadUnaligned(fromByteOffset: 4, as: UInt32.self),
        Int(record.loadUnaligned(fromByteOffset: 12, as: UInt32.self))
      )
      let name = String(untilZero: record.dropFirst(head).prefix(length))
      if mask & UInt32(IN_Q_OVERFLOW) != 0 { events.append(.lost) }
      if mask & removed != 0 { events.append(watch == first ? .folderRemoved : .named("")) }
      if mask & written != 0 { events.append(.written(name)) }
      if mask & named != 0 { events.append(.named(name)) }
      rest = rest.dropFirst(head + length)
    }
    return events
  }
}
