// SPDX-License-Identifier: Apache-2.0
import CPhotoEditArchive
import PhotoEditPlatform

/// A ZIP file that is made while it is sent; at most one block of one file is in memory.
final class ZipStream: ResponseStream {
  private static let blockSize = 256 << 10

  // Safe: the writer is used under the lock.
  private struct State: @unchecked Sendable {
    let writer: OpaquePointer
    /// The photos of which no file was begun.
    var ids: ArraySlice<String>
    /// The files of the last photo that were not begun.
    var files: ArraySlice<(path: String, name: String)> = []
    var asset = ""
    /// The open file and the number of bytes of it that are missing.
    var file: (descriptor: Int32, rest: Int)?
    /// The names so far, in lower case, since other systems do not distinguish it.
    var names: Set<String> = []
    var isComplete = false
    var isStopped = false
  }

  private let source: any PhotoSource
  private let version: FileVersion
  private let state: LockedValue<State>

  /// Creates the file after the library was loaded; nil if there is not enough memory.
  init?(_ download: Download, of source: any PhotoSource) {
    guard let writer = pe_archive_writer_create() else { return nil }
    (self.source, version) = (source, download.version)
    state = LockedValue(State(writer: writer, ids: download.ids[...]))
  }

  deinit {
    state.withLock { state in
      if let file = state.file { PhotoEditPlatform.close(file.descriptor) }
      pe_archive_writer_destroy(state.writer)
    }
  }

  func open(_ request: OpaquePointer) {}

  func close() { finish() }

  /// A part of an archive looks like a damaged one, so the connection ends with an error.
  func finish() { state.withLock { $0.isStopped = true } }

  func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
    state.withLock { state in
      while !state.isStopped {
        let count = pe_archive_writer_take(state.writer, buffer.baseAddress, buffer.count)
        if count > 0 { return count }
        if state.isComplete { return -1 }
        if !advance(&state) { break }
      }
      return -2
    }
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
    do throws(Problem) {
      if let next = state.files.popFirst() { return try begin(next, &state) }
      if let id = state.ids.popFirst() {
        (state.asset, state.files) = (id, try source.downloadedFiles(of: id, version)[...])
        return true
      }
    } catch {
      return false
    }
    state.isComplete = true
    return pe_archive_writer_finish(state.writer) == .PE_ARCHIVE_OK
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
