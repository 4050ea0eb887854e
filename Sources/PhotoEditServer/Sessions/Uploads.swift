// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform

/// The files that browsers have sent, in a private folder until they are used or the server ends.
final class Uploads: Sendable {
  /// The largest size of a file.
  static let maximumBytes = 4 << 30
  /// The space that uploads leave free on the disk.
  static let reservedBytes = 1 << 30
  static let maximumCount = 20_000

  /// A file that was received completely.
  struct File: Sendable {
    let id: String
    /// The name that the browser sent; it is only used in folders of this server.
    let name: String
    fileprivate let path: String
    let byteCount: Int
  }

  private struct State {
    var folder: StagingFolder?
    var files: [String: File] = [:]
    /// The bytes that uploads in progress have announced and not written yet.
    var expectedBytes = 0
  }

  private let state = LockedValue(State())
  private let parent: String
  private let createParent: @Sendable () throws(FileError) -> Void
  private let available: @Sendable (String) -> Int

  /// - Parameters:
  ///   - variable: Returns the value of an environment variable.
  ///   - available: Returns the free space in bytes on the disk of a folder.
  init(
    _ variable: @escaping @Sendable (String) -> String?,
    available: @escaping @Sendable (String) -> Int = Uploads.availableBytes
  ) {
    let parent = Drafts.stateFolder(variable).parent + "/photoedit/uploads"
    (self.parent, self.available) = (parent, available)
    createParent = { () throws(FileError) in
      try Drafts.createStateFolder(variable)
      try FileSystem.createFolder(parent)
    }
  }

  /// Returns the free space on the disk of a folder, or of its closest parent that exists.
  static func availableBytes(_ folder: String) -> Int {
    var (folder, status) = (folder, statvfs())
    while statvfs(folder, &status) != 0 {
      guard folder.count > 1 else { return 0 }
      folder = FileSystem.folder(of: folder)
    }
    return Int(
      clamping: UInt64(status.f_bavail).multipliedReportingOverflow(
        by: UInt64(status.f_frsize)
      ).partialValue)
  }

  // MARK: Receiving

  /// Begins to receive a file; called before its contents are read.
  func begin(_ name: String, byteCount: Int) throws(Problem) -> Upload {
    guard (1...255).contains(name.utf8.count), name.utf8.first != UInt8(ascii: ".") else {
      throw Problem(.badRequest, "a file name must have 1 to 255 bytes and not begin with a dot")
    }
    guard byteCount > 0 else { throw Problem(.badRequest, "the file is empty") }
    guard byteCount <= Self.maximumBytes else {
      throw Problem(.tooLarge, "the file exceeds \(Self.maximumBytes) bytes")
    }
    let free = available(parent) - Self.reservedBytes
    try state.withLock { state throws(Problem) in
      guard state.files.count < Self.maximumCount else {
        throw Problem(.busy, "too many files were sent; import them first")
      }
      guard byteCount <= free - state.expectedBytes else {
        throw Problem(.diskFull, "less than 1 GiB would stay free on the disk")
      }
      state.expectedBytes += byteCount
    }
    return Upload(name, byteCount: byteCount, self)
  }

  fileprivate func newPath() throws(FileError) -> String {
    try createParent()
    let (parent, id) = (parent, Secret.random(bits: 96))
    return try state.withLock { state throws(FileError) in
      if let folder = state.folder { return folder.file(id) }
      let folder = try StagingFolder(in: parent)
      state.folder = folder
      return folder.file(id)
    }
  }

  fileprivate func release(_ byteCount: Int) {
    state.withLock { $0.expectedBytes -= byteCount }
  }

  fileprivate func add(_ path: String, _ upload: Upload) -> File {
    let file = File(
      id: FileSystem.lastName(of: path), name: upload.name, path: path,
      byteCount: upload.byteCount)
    state.withLock { $0.files[file.id] = file }
    return file
  }

  // MARK: Using

  func discard(_ id: String) throws(Problem) {
    let file = try takeFile(id)
    try files(FileSystem.remove(file.path))
  }

  private func takeFile(_ id: String) throws(Problem) -> File {
    guard let file = state.withLock({ $0.files.removeValue(forKey: id) }) else { throw .noUpload }
    return file
  }

  /// Returns the contents of a file, which is removed.
  func takeBytes(_ id: String, maximumBytes: Int) throws(Problem) -> (name: String, [UInt8]) {
    let file = try takeFile(id)
    defer { try? FileSystem.remove(file.path) }
    guard file.byteCount <= maximumBytes else {
      throw Problem(.tooLarge, "\(file.name) exceeds \(maximumBytes) bytes")
    }
    let bytes = try files(
      FileBytes.reading(file.path, maximumBytes: maximumBytes, followsLinks: false).array)
    return (file.name, bytes)
  }

  /// Moves files into folders under the names that the browser sent; files of the same name are in
  /// different folders.
  func take(_ ids: [String]) throws(Problem) -> [StagingFolder] {
    let taken = try state.withLock { state throws(Problem) in
      let taken = ids.compactMap { state.files[$0] }
      guard taken.count == Set(ids).count else { throw Problem.noUpload }
      for file in taken { state.files[file.id] = nil }
      return taken
    }
    return try translating(Problem.init) { () throws(FileError) in
      var folders: [(folder: StagingFolder, names: Set<String>)] = []
      for file in taken {
        let key = file.name.lowercased()
        let index = folders.firstIndex { !$0.names.contains(key) } ?? folders.count
        if index == folders.count { folders.append((try StagingFolder(in: parent), [])) }
        folders[index].names.insert(key)
        try FileSystem.renameExclusively(file.path, to: folders[index].folder.file(file.name))
      }
      return folders.map(\.folder)
    }
  }

  /// Removes all files.
  func close() {
    state.withLock { state in
      state.folder?.discard()
      (state.folder, state.files) = (nil, [:])
    }
  }
}

/// A file that is being received; one thread at a time uses it.
final class Upload: Sendable {
  private final class Target: Sendable {
    let file: OpenFile
    init(_ path: String) throws(FileError) { file = try OpenFile(creating: path) }
  }

  private struct State {
    var target: Target?
    var written = 0
    var problem: Problem?
    var isFinished = false
  }

  let name: String
  let byteCount: Int
  private let uploads: Uploads
  private let state = LockedValue(State())

  fileprivate init(_ name: String, byteCount: Int, _ uploads: Uploads) {
    (self.name, self.byteCount, self.uploads) = (name, byteCount, uploads)
  }

  /// Writes a part; after a failure, further parts are ignored.
  func write(_ part: UnsafeRawBufferPointer) {
    state.withLock { state in
      guard state.problem == nil, !state.isFinished else { return }
      do throws(FileError) {
        if state.target == nil { state.target = try Target(uploads.newPath()) }
        try state.target?.file.write(part)
        state.written += part.count
        uploads.release(part.count)
      } catch {
        state.problem = Problem(error)
      }
    }
  }

  /// Ends the upload after its last part.
  func finish() throws(Problem) -> Uploads.File {
    let path = try state.withLock { state throws(Problem) in
      if let problem = state.problem { throw problem }
      guard let target = state.target, state.written == byteCount else {
        throw Problem(.badRequest, "the file is incomplete")
      }
      (state.isFinished, state.target) = (true, nil)
      return target.file.path
    }
    return uploads.add(path, self)
  }

  /// Removes what was received, unless the upload has ended.
  func discard() {
    state.withLock { state in
      guard !state.isFinished else { return }
      state.isFinished = true
      uploads.release(byteCount - state.written)
      if let path = state.target?.file.path { try? FileSystem.remove(path) }
      state.target = nil
    }
  }
}

extension Problem {
  static let noUpload = Problem(.notFound, "there is no such upload; send the file again")
}
