// SPDX-License-Identifier: Apache-2.0
import CPhotoEditArchive
import CPhotoEditMicroHTTPD
import PhotoEditPlatform

/// A ZIP file that is made while it is sent; at most one block of one file, or one smaller copy of
/// a photo, is in memory.
final class ZipStream: ResponseStream {
  private static let blockSize = 256 << 10
  /// The threads that render copies, since those of the transport must not wait.
  private static let renderers = WorkerPool(limit: 2)

  // Safe: the writer and the request are used under the lock; the request is cleared before it is
  // freed.
  private struct State: @unchecked Sendable {
    let writer: OpaquePointer
    /// The photos of which no file was begun.
    var ids: ArraySlice<String>
    /// The files of the last photo that were not begun.
    var files: ArraySlice<(path: String, name: String)> = []
    var asset = ""
    /// The copy of the last photo and the number of bytes of it that were added.
    var copy: (bytes: [UInt8], count: Int)?
    /// Indicates whether the copy of the last photo is not rendered yet.
    var isWaiting = false
    /// Indicates whether its rendering has begun.
    var isRendering = false
    /// The request that sleeps until the copy is there.
    var request: OpaquePointer?
    var isAsleep = false
    /// The open file and the number of bytes of it that are missing.
    var file: (descriptor: Int32, rest: Int)?
    /// The names so far, in lower case, since other systems do not distinguish it.
    var names: Set<String> = []
    var isComplete = false
    var isStopped = false
  }

  private let source: any PhotoSource
  private let version: FileVersion
  private let side: Int?
  private let state: LockedValue<State>

  /// Creates the file after the library was loaded; nil if there is not enough memory.
  init?(_ download: Download, of source: any PhotoSource) {
    guard let writer = pe_archive_writer_create() else { return nil }
    (self.source, version, side) = (source, download.version, download.side)
    state = LockedValue(State(writer: writer, ids: download.ids[...]))
  }

  deinit {
    state.withLock { state in
      if let file = state.file { PhotoEditPlatform.close(file.descriptor) }
      pe_archive_writer_destroy(state.writer)
    }
  }

  func open(_ request: OpaquePointer) { state.withLock { $0.request = request } }

  func close() {
    state.withLock { state in
      state.request = nil
      state.isStopped = true
    }
  }

  /// A part of an archive looks like a damaged one, so the connection ends with an error.
  func finish() {
    state.withLock { state in
      state.isStopped = true
      Self.wake(&state)
    }
  }

  private static func wake(_ state: inout State) {
    guard state.isAsleep, let request = state.request else { return }
    state.isAsleep = false
    pe_http_wake(request)
  }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    let (count, next) = state.withLock { read(into: buffer, &$0) }
    // Outside of the lock, since a pool without threads renders at once.
    if let next { Self.renderers.perform { self.render(next) } }
    return count
  }

  /// Returns the number of bytes, and the photo of which a copy is to be rendered.
  private func read(
    into buffer: UnsafeMutableRawBufferPointer, _ state: inout State
  ) -> (count: Int, next: String?) {
    while !state.isStopped {
      let count = pe_archive_writer_take(state.writer, buffer.baseAddress, buffer.count)
      if count > 0 { return (count, nil) }
      if state.isComplete { return (-1, nil) }
      if state.isWaiting {
        guard let request = state.request else { break }
        state.isAsleep = true
        pe_http_sleep(request)
        let isNew = !state.isRendering
        state.isRendering = true
        return (0, isNew ? state.asset : nil)
      }
      if !advance(&state) { break }
    }
    return (-2, nil)
  }

  /// Makes more bytes, or begins what comes next; returns false if that is not possible.
  private func advance(_ state: inout State) -> Bool {
    if let file = state.file {
      guard file.rest > 0 else {
        PhotoEditPlatform.close(file.descriptor)
        state.file = nil
        return true
      }
      return add(from: file, &state)
    }
    if let copy = state.copy {
      guard copy.count < copy.bytes.count else {
        state.copy = nil
        return true
      }
      return add(from: copy, &state)
    }
    do throws(Problem) {
      if let next = state.files.popFirst() { return try begin(next, &state) }
      if let id = state.ids.popFirst() {
        state.asset = id
        if side != nil, try source.asset(id).mediaType == .image {
          // Without a request that can sleep, this thread waits.
          guard state.request != nil else { return add(copy(of: id), &state) }
          state.isWaiting = true
          return true
        }
        state.files = try source.downloadedFiles(of: id, version)[...]
        return true
      }
    } catch {
      return false
    }
    state.isComplete = true
    return pe_archive_writer_finish(state.writer) == .PE_ARCHIVE_OK
  }

  private func render(_ id: String) {
    let copy = copy(of: id)
    state.withLock { state in
      (state.isWaiting, state.isRendering) = (false, false)
      if state.isStopped || !add(copy, &state) { state.isStopped = true }
      Self.wake(&state)
    }
  }

  /// Returns a JPEG of the photo in sRGB, without metadata, and its name; nil without one.
  private func copy(of id: String) -> (bytes: [UInt8], name: String)? {
    guard let side else { return nil }
    do throws(Problem) {
      let asset = try source.asset(id)
      let shape = ThumbnailShape(side: side, mode: .fit)
      let bytes = try source.image(of: asset, shape, isOriginal: version == .original)
      let stem = FileSystem.splitName(FileSystem.lastName(of: asset.originalFilename)).stem
      return (bytes, "\(stem)-\(side).jpg")
    } catch {
      return nil
    }
  }

  /// Begins the entry of a copy.
  private func add(_ copy: (bytes: [UInt8], name: String)?, _ state: inout State) -> Bool {
    guard let copy else { return false }
    state.copy = (copy.bytes, 0)
    let name = Self.unique(copy.name, &state.names)
    return pe_archive_writer_begin(
      state.writer, name, Int64(copy.bytes.count), Int64(time(nil))) == .PE_ARCHIVE_OK
  }

  private func add(from copy: (bytes: [UInt8], count: Int), _ state: inout State) -> Bool {
    let count = min(Self.blockSize, copy.bytes.count - copy.count)
    state.copy?.count += count
    return copy.bytes.withUnsafeBytes { bytes in
      pe_archive_writer_add(state.writer, bytes.baseAddress.map { $0 + copy.count }, count)
        == .PE_ARCHIVE_OK
    }
  }

  private func begin(
    _ next: (path: String, name: String), _ state: inout State
  ) throws(Problem) -> Bool {
    let file = try source.open(next.path, of: state.asset)
    var status = stat()
    guard fstat(file.descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
      return false
    }
    let descriptor = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
    guard descriptor >= 0 else { return false }
    state.file = (descriptor, Int(status.st_size))
    let name = Self.unique(FileSystem.lastName(of: next.name), &state.names)
    let modified = Int64(status.st_mtim.tv_sec)
    return pe_archive_writer_begin(state.writer, name, Int64(status.st_size), modified)
      == .PE_ARCHIVE_OK
  }

  private func add(from file: (descriptor: Int32, rest: Int), _ state: inout State) -> Bool {
    withUnsafeTemporaryAllocation(byteCount: Self.blockSize, alignment: 1) { block in
      let count = PhotoEditPlatform.read(
        file.descriptor, block.baseAddress, min(block.count, file.rest))
      guard count > 0 else { return false }
      state.file?.rest -= count
      return pe_archive_writer_add(state.writer, block.baseAddress, count) == .PE_ARCHIVE_OK
    }
  }

  /// Returns a name that no other file has, with a number if necessary.
  static func unique(_ name: String, _ names: inout Set<String>) -> String {
    let parts = FileSystem.splitName(name)
    var (candidate, number) = (name, 1)
    while !names.insert(candidate.lowercased()).inserted {
      number += 1
      let fileExtension = parts.fileExtension.isEmpty ? "" : "." + parts.fileExtension
      candidate = "\(parts.stem) (\(number))\(fileExtension)"
    }
    return candidate
  }
}
