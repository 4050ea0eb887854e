// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// Copies a source to the library's file system and determines its content.
enum ResourceStager {
  /// The maximum size of a still in bytes; stills are examined in memory.
  static let maximumImageBytes = 2 << 30
  /// The maximum size of adjustment data in bytes: 2 MiB of data in base64, plus a margin.
  static let maximumRecordBytes = 64 << 20

  /// Returns the maximum size of a file that is read into memory, in bytes.
  private static func maximumBytes(of type: AssetResourceType) -> Int {
    switch type {
    case .adjustmentData: maximumRecordBytes
    case .sidecar: SidecarMetadata.maximumBytes
    default: maximumImageBytes
    }
  }

  /// Copies a source and reads the copy, so that exactly the stored bytes are hashed and checked.
  ///
  /// A pipe, a socket, a device or a folder is rejected without blocking; a symbolic link is
  /// followed. The copy is synced, and it has the permissions of the source, which apply when it is
  /// exported from the library, whose folder only its owner can access.
  ///
  /// - Parameter staged: The path of the copy; nil to read the source without copying it.
  /// - Throws: `LibraryError`; a partial copy may remain, to be discarded with its folder.
  static func stage(
    _ source: ResourceSource, to staged: String?
  ) throws(LibraryError) -> StagedResource {
    switch source.origin {
    case .data(let bytes):
      guard !bytes.isEmpty else { throw .emptyResource(source.name) }
      if let staged { try inFiles(write(bytes, to: staged)) }
      return try examine(FileBytes(bytes), staged ?? "", source, consumed: nil)
    case .file(let path): return try stage(try inFiles(OpenFile(reading: path)), source, to: staged)
    case .beneath(let folder, let name):
      return try stage(try inFiles(folder.open(name)), source, to: staged)
    }
  }

  /// Stages an open file: what is checked is what is copied, whatever its path leads to meanwhile.
  static func stage(
    _ file: borrowing OpenFile, _ source: ResourceSource, to staged: String?
  ) throws(LibraryError) -> StagedResource {
    do throws(LibraryError) {
      return try stageFile(file, source, staged)
    } catch {
      throw error.naming(file.path, insteadOf: file.pathByDescriptor)
    }
  }

  private static func stageFile(
    _ file: borrowing OpenFile, _ source: ResourceSource, _ staged: String?
  ) throws(LibraryError) -> StagedResource {
    let path = file.path
    let size = try inFiles(file.regularSize())
    guard size > 0 else { throw .emptyResource(path) }
    let version = try inFiles(FileVersion(of: file))
    if source.options.shouldMoveFile { try checkMove(file, version) }
    try checkBeforeCopying(file, source, copies: staged != nil)
    if let staged {
      if source.isTemporary || source.isOfLibrary {
        try inFiles(FileSystem.duplicate(path, to: staged))
        try inFiles(OpenFile(reading: staged).sync())
      } else {
        try inFiles(FileSystem.copy(file, to: staged))
      }
      if !source.isOfLibrary {
        FileSystem.share(staged, like: source.isTemporary ? nil : file.pathByDescriptor)
      }
      // A further link changes the times of the file.
      if !source.isTemporary, !source.isOfLibrary { try checkUnchanged(file, since: version) }
    }
    let consumed =
      source.options.shouldMoveFile
      ? MovedSource(origin: source.origin, version: version, name: source.name) : nil
    var resource = try examine(staged ?? file.pathByDescriptor, source, consumed)
    if staged == nil {
      try checkUnchanged(file, since: version)
      resource.path = path
    }
    guard resource.size == version.size else { throw .changedResource(path) }
    return resource
  }

  /// Refuses a file that cannot be of its type, by its size and its first bytes.
  ///
  /// Nothing of a refused file is copied, so that it does not fill the disk of the library. Only
  /// the head of a photo and the boxes of a video are read.
  ///
  /// - Parameter copies: Whether the file is copied; otherwise its content is examined next anyway.
  private static func checkBeforeCopying(
    _ file: borrowing OpenFile, _ source: ResourceSource, copies: Bool
  ) throws(LibraryError) {
    let isSeparate = source.type == .adjustmentData || source.type == .sidecar
    let head = isSeparate ? [] : try head(of: file.pathByDescriptor)
    guard FileContent.container(head) == nil else {
      _ = try inFiles(file.acceptedSize())
      if copies { _ = try movieProperties(file.pathByDescriptor, source) }
      return
    }
    if !isSeparate { try checkStill(head, source) }
    _ = try inFiles(file.acceptedSize(maximumBytes: maximumBytes(of: source.type)))
  }

  private static func checkStill(
    _ head: [UInt8], _ source: ResourceSource
  ) throws(LibraryError) {
    let failure = head.withUnsafeBytes { bytes -> CodecError? in
      do throws(CodecError) {
        _ = try ImageFormat.detect(bytes)
        return nil
      } catch {
        return error
      }
    }
    // Raw files are among the formats that the detection does not accept but recognizes.
    if case .notAnImage(let found) = failure {
      throw .wrongContent(source.name, source.type, found: found)
    }
  }

  /// Refuses to move a file that has additional hard links, is a symbolic link, or is open in
  /// another process, which may still write to it.
  private static func checkMove(
    _ file: borrowing OpenFile, _ version: FileVersion
  ) throws(LibraryError) {
    let path = file.path
    guard version.names == 1 else { throw .linkedSource(path, names: version.names) }
    let entry = try inFiles(FileSystem.entry(at: path))
    guard entry == .file else { throw .symbolicSource(path) }
    guard file.isOpenInAnotherProcess() != true else { throw .openSource(path) }
  }

  private static func checkUnchanged(
    _ file: borrowing OpenFile, since version: FileVersion
  ) throws(LibraryError) {
    let now = try inFiles(FileVersion(of: file))
    guard now == version else { throw .changedResource(file.path) }
  }

  private static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let file = try OpenFile(creating: path)
    try file.write(bytes)
    try file.sync()
    FileSystem.share(path, like: nil)
  }

  // MARK: Inspection

  /// Examines a file; a video stays on disk, everything else is read into memory.
  private static func examine(
    _ path: String, _ source: ResourceSource, _ consumed: MovedSource?
  ) throws(LibraryError) -> StagedResource {
    if source.type != .adjustmentData, source.type != .sidecar {
      if FileContent.container(try head(of: path)) != nil {
        return try examineMovie(path, source, consumed)
      }
    }
    let bytes = try translating(
      { LibraryError($0, insteadOf: path, source.name) },
      FileBytes.reading(path, maximumBytes: maximumBytes(of: source.type)))
    return try examine(bytes, path, source, consumed: consumed)
  }

  /// Returns the first bytes, by default those needed to detect the content.
  static func head(
    of path: String, count: Int = FileContent.detectionLength
  ) throws(LibraryError) -> [UInt8] {
    try inFiles(firstBytes(of: path, count))
  }

  private static func firstBytes(of path: String, _ count: Int) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    // Reading a pipe or a device would block or never end.
    _ = try file.regularSize()
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 16)
    defer { memory.deallocate() }
    let filled = try file.read(into: memory)
    return Array(memory[0..<filled])
  }

  private static func movieProperties(
    _ path: String, _ source: ResourceSource
  ) throws(LibraryError) -> VideoProperties {
    let facts = try translating(
      { LibraryError.unreadableResource(source.name, "\($0 as MovieError)") },
      VideoProperties.reading(path, acceptsMissingEnd: source.type.mayLackItsEnd))
    guard !facts.isEncrypted else {
      throw .unreadableResource(
        source.name, "encrypted videos are not supported")
    }
    return facts
  }

  private static func examineMovie(
    _ path: String, _ source: ResourceSource, _ consumed: MovedSource?
  ) throws(LibraryError) -> StagedResource {
    let facts = try movieProperties(path, source)
    let digest = try inFiles(FileBytes.digest(of: path))
    guard let size = FileVersion(path)?.size else { throw .changedResource(source.name) }
    return try resource(source, path, digest, size, .movie(facts), consumed)
  }

  private static func examine(
    _ bytes: FileBytes, _ path: String, _ source: ResourceSource, consumed: MovedSource?
  ) throws(LibraryError) -> StagedResource {
    if source.type == .adjustmentData {
      guard let record = AdjustmentData(fileBytes: bytes.array) else {
        throw .wrongContent(source.name, source.type, found: "no adjustment data")
      }
      if let damage = EditFile.damage(of: bytes.array) {
        throw .unreadableResource(source.name, "the sidecar is damaged: \(damage)")
      }
      return try resource(source, path, bytes.digest(), bytes.count, .record(record), consumed)
    }
    if source.type == .sidecar {
      guard let metadata = SidecarMetadata(file: bytes) ?? TakeoutFile(bytes.array)?.metadata
      else {
        throw .wrongContent(source.name, source.type, found: "no XMP packet")
      }
      return try resource(source, path, bytes.digest(), bytes.count, .sidecar(metadata), consumed)
    }
    // An original is kept; a rendering that cannot be shown is of no use.
    let isOriginal = source.type == .photo || source.type == .alternatePhoto
    let found = try translating(
      { (error: CodecError) in
        LibraryError.unreadableResource(source.name, "\(error)", hint: error.hint)
      }, ImageProperties.reading(bytes, keepsUnsupported: isOriginal))
    guard var facts = found else {
      // A video that was added as bytes.
      guard !path.isEmpty, FileContent.container(Array(bytes.buffer.prefix(1024))) != nil else {
        throw .wrongContent(source.name, source.type, found: detectedTypeName(bytes))
      }
      return try examineMovie(path, source, consumed)
    }
    if source.type.isDecodedByChecks { facts.defect = ImageProperties.defect(of: bytes) }
    return try resource(source, path, bytes.digest(), bytes.count, .image(facts), consumed)
  }

  private static func detectedTypeName(_ bytes: FileBytes) -> String {
    do throws(CodecError) {
      return try ImageFormat.detect(bytes.buffer).nameWithArticle
    } catch {
      if case .notAnImage(let found) = error { return found }
      return "\(error)"
    }
  }

  // MARK: Checking

  private static func resource(
    _ source: ResourceSource, _ path: String, _ digest: SHA256Digest, _ size: Int,
    _ facts: StagedResource.Facts, _ consumed: MovedSource?
  ) throws(LibraryError) -> StagedResource {
    let content = facts.content
    guard source.type.accepts(facts) else {
      throw .wrongContent(source.name, source.type, found: content.uniformType)
    }
    let stated = source.options.uniformTypeIdentifier
    if let stated, !content.isStatedRightly(stated) {
      throw .contradictedType(source.name, stated: stated, found: content.uniformType)
    }
    return StagedResource(
      type: source.type, path: path, source: source.name, digest: digest, size: size,
      facts: facts, uniformType: stated ?? content.uniformType,
      filename: filename(source, content, digest), consumed: consumed)
  }

  private static func filename(
    _ source: ResourceSource, _ content: FileContent, _ digest: SHA256Digest
  ) -> String {
    if let name = source.options.originalFilename, !name.isEmpty { return name }
    switch source.origin {
    case .file(let path), .beneath(_, let path): return FileSystem.lastName(of: path)
    case .data: break
    }
    return "IMG_" + digest.hex.prefix(8).uppercased() + "." + content.fileExtension
  }
}

extension AssetResourceType {
  /// Indicates whether a video may lack its end: an original may be the only copy, and a rendering
  /// can be made again.
  fileprivate var mayLackItsEnd: Bool { [.video, .audio, .pairedVideo].contains(self) }

  fileprivate func accepts(_ facts: StagedResource.Facts) -> Bool {
    switch (self, facts) {
    case (.photo, .image), (.alternatePhoto, .image): true
    case (.fullSizePhoto, .image(let facts)), (.adjustmentBasePhoto, .image(let facts)):
      facts.content.kind != .raw
    case (.video, .movie(let facts)): facts.hasVideo
    case (.audio, .movie(let facts)): !facts.hasVideo && facts.duration > 0
    case (.fullSizeVideo, .movie(let facts)), (.adjustmentBaseVideo, .movie(let facts)):
      facts.hasVideo && facts.duration > 0 && facts.content.family == .isoMovie
    case (.pairedVideo, .movie(let facts)), (.fullSizePairedVideo, .movie(let facts)),
      (.adjustmentBasePairedVideo, .movie(let facts)):
      facts.hasVideo && facts.duration > 0 && facts.content.kind == .movie(.quickTime)
    case (.adjustmentData, .record), (.sidecar, .sidecar): true
    default: false
    }
  }
}

/// Evaluates an expression and converts its file error to a library error.
func inFiles<Value: ~Copyable>(
  _ body: @autoclosure () throws(FileError) -> Value
) throws(LibraryError) -> Value {
  try translating(LibraryError.init, body)
}
