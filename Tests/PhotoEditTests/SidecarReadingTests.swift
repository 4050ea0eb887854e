// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Reads of a sidecar")
struct SidecarReadingTests {
  private let folder: TemporaryFolder
  private let store: SidecarStore

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
    store = SidecarStore(path: folder.path("photo.jpg"))
  }

  private func edit(_ filter: any Filter, with store: SidecarStore) throws {
    let session = try PhotoEditor(store).begin()
    try session.commit(session.graph.appending([filter]))
  }

  /// The session reads the sidecar, and the commit compares its revision under the lock.
  @Test func `an edit reads the stored data once`() throws {
    try edit(Sepia(amount: 0.5), with: store)
    let reads = try Reads(of: "photo.jpg.aae", in: folder.path)
    let session = try PhotoEditor(store).begin()
    #expect(try reads.count() == 1)
    try session.commit(session.graph.appending([Invert(amount: 1)]))
    #expect(try reads.count() == 1)
  }

  @Test func `commits of another store are visible immediately`() throws {
    #expect(try store.state().isEdited == false)
    let other = SidecarStore(path: folder.path("photo.jpg"))
    for count in 1...3 {
      try edit(Sepia(amount: 0.5), with: other)
      let state = try store.state()
      #expect(state.undoable.count == count)
      #expect(state.revision == (try other.state().revision))
    }
    _ = try other.perform(.revert, expecting: other.state().revision)
    #expect(try store.state().isEdited == false)
  }

  @Test func `a removed or damaged sidecar is noticed immediately`() throws {
    try edit(Invert(amount: 1), with: store)
    let sidecar = try FileBytes.reading(folder.path("photo.jpg.aae")).array
    #expect(try store.state().isEdited)
    try folder.write(Array(sidecar.dropLast(100)), to: "photo.jpg.aae")
    #expect(throws: EditingError.self) { _ = try store.state() }
    try FileSystem.remove(folder.path("photo.jpg.aae"))
    #expect(try store.state().isEdited == false)
    try folder.write(sidecar, to: "photo.jpg.aae")
    #expect(try store.state().isEdited)
  }
}

/// Counts the opens of a file in a folder.
private final class Reads {
  private let descriptor: Int32
  private let name: String

  init(of name: String, in folder: String) throws {
    self.name = name
    descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    try #require(inotify_add_watch(descriptor, folder, UInt32(IN_OPEN)) >= 0)
  }

  deinit { close(descriptor) }

  /// The number of opens since the last call.
  func count() throws -> Int {
    var bytes = [UInt8](repeating: 0, count: 1 << 16)
    let length = read(descriptor, &bytes, bytes.count)
    try #require(length >= 0 || errno == EAGAIN)
    var (count, offset) = (0, 0)
    let head = MemoryLayout<inotify_event>.size
    while offset + head <= length {
      let event = bytes.withUnsafeBytes {
        $0.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
      }
      let name = bytes[(offset + head)..<(offset + head + Int(event.len))].prefix { $0 != 0 }
      if name.elementsEqual(self.name.utf8) { count += 1 }
      offset += head + Int(event.len)
    }
    return count
  }
}
