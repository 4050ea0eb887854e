// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditStorage

/// Brings a source into the library's file system and finds out what it is.
enum ResourceStaging {
  /// Most bytes of a still, which is held in memory while it is looked at.
  static let maximumPictureBytes = 2 << 30
  /// Most bytes of the record of an edit: two MiB of data in base64, and room for the rest.
  static let maximumRecordBytes = 64 << 20

  /// Most bytes of a file that is read into memory.
  private static func maximumBytes(of type: AssetResourceType) -> Int {
    switch type {
    case .adjustmentData: maximumRecordBytes
    case .sidecar: SidecarMetadata.maximumBytes
    default: maximumPictureBytes
    }
  }

  /// Copies a source and reads the copy, so that what is hashed and checked is what is kept.
  ///
  /// A pipe, a socket, a device or a folder is refused without blocking; a symbolic link leads to
  /// the file that is copied. The copy is durable, and who may read it is known from it when it leaves
  /// the library, whose folder is its owner's alone.
  ///
  /// - Parameter staged: Where the copy goes; nil to read the source where it is and copy nothing.
  /// - Throws: `LibraryError`; the copy may be there then, for its folder to be discarded.
  static func stage(
    _ source: ResourceSource, to staged: String?
  ) throws(LibraryError) -> StagedResource {
    switch source.place {
    case .data(let bytes):
      guard !bytes.isEmpty else { throw .emptyResource(source.name) }
      if let staged { try inFiles(write(bytes, to: staged)) }
      return try examine(FileBytes(bytes), staged ?? "", source, consumed: nil)
    case .file(let path): return try stageFile(path, source, to: staged)
    }
  }

  private static func stageFile(
    _ path: String, _ source: ResourceSource, to staged: String?
  ) throws(LibraryError) -> StagedResource {
    let file = try inFiles(OpenFile(reading: path))
    let size = try inFiles(file.regularSize())
    guard size > 0 else { throw .emptyResource(path) }
    let version = try inFiles(FileVersion(of: file))
    if source.options.shouldMoveFile { try checkMove(file, version) }
    if let staged {
      try inFiles(FileSystem.copy(file, to: staged))
      FileSystem.share(staged, like: path)
      try checkUnchanged(file, since: version)
    }
    let consumed =
      source.options.shouldMoveFile ? ConsumedSource(path: path, version: version) : nil
    let resource = try examine(staged ?? path, source, consumed)
    if staged == nil { try checkUnchanged(file, since: version) }
    guard resource.size == version.size else { throw .changedResource(path) }
    return resource
  }

  /// A file with further names would live on under them, a link is not the file, and who has a file
  /// open may still write to it.
  private static func checkMove(
    _ file: borrowing OpenFile, _ version: FileVersion
  ) throws(LibraryError) {
    let path = file.path
    guard version.names == 1 else { throw .linkedSource(path, names: version.names) }
    let entry = try inFiles(FileSystem.entry(at: path))
    guard entry == .file else { throw .symbolicSource(path) }
    guard file.isOpenElsewhere() != true else { throw .openSource(path) }
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

  // MARK: Looking

  /// Looks at a file; a movie stays on disk, everything else comes into memory.
  private static func examine(
    _ path: String, _ source: ResourceSource, _ consumed: ConsumedSource?
  ) throws(LibraryError) -> StagedResource {
    if source.type != .adjustmentData, source.type != .sidecar {
      if FileContent.container(try head(of: path)) != nil {
        return try examineMovie(path, source, consumed)
      }
    }
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(path, maximumBytes: maximumBytes(of: source.type))
    } catch {
      throw LibraryError(error, insteadOf: path, source.name)
    }
    return try examine(bytes, path, source, consumed: consumed)
  }

  /// The bytes by which a file is judged.
  static func head(of path: String) throws(LibraryError) -> [UInt8] {
    try inFiles(firstBytes(of: path))
  }

  private static func firstBytes(of path: String) throws(FileError) -> [UInt8] {
    let file = try OpenFile(reading: path)
    // Reading a pipe or a device would wait or never end.
    _ = try file.regularSize()
    let memory = UnsafeMutableRawBufferPointer.allocate(
      byteCount: FileContent.detectionLength, alignment: 16)
    defer { memory.deallocate() }
    let filled = try file.read(into: memory)
    return Array(memory[0..<filled])
  }

  private static func examineMovie(
    _ path: String, _ source: ResourceSource, _ consumed: ConsumedSource?
  ) throws(LibraryError) -> StagedResource {
    let facts: MovieFacts
    do throws(MovieError) {
      facts = try MovieFacts.reading(path)
    } catch {
      throw .unreadableResource(source.name, "\(error)")
    }
    guard !facts.isEncrypted else {
      throw .unreadableResource(
        source.name, "it is encrypted, so that nothing could be shown of it")
    }
    let digest = try inFiles(FileBytes.digest(of: path))
    guard let size = FileVersion(path)?.size else { throw .changedResource(source.name) }
    return try resource(source, path, digest, size, .movie(facts), consumed)
  }

  private static func examine(
    _ bytes: FileBytes, _ path: String, _ source: ResourceSource, consumed: ConsumedSource?
  ) throws(LibraryError) -> StagedResource {
    if source.type == .adjustmentData {
      guard let record = AdjustmentData(fileBytes: bytes.array) else {
        throw .wrongContent(source.name, source.type, found: "no property list of an edit")
      }
      return try resource(source, path, bytes.digest(), bytes.count, .record(record), consumed)
    }
    if source.type == .sidecar {
      guard let metadata = SidecarMetadata(bytes.array) ?? TakeoutMetadata.reading(bytes.array)
      else {
        throw .wrongContent(source.name, source.type, found: "no XMP packet")
      }
      return try resource(source, path, bytes.digest(), bytes.count, .sidecar(metadata), consumed)
    }
    var facts: PictureFacts?
    do throws(CodecError) {
      facts = try PictureFacts.reading(bytes)
      if source.type.isDecodedByChecks { facts?.damage = PictureFacts.damage(of: bytes) }
    } catch {
      throw .unreadableResource(source.name, "\(error)")
    }
    guard let facts else {
      // A movie that came as bytes.
      guard !path.isEmpty, FileContent.container(Array(bytes.buffer.prefix(1024))) != nil else {
        throw .wrongContent(source.name, source.type, found: foreignName(bytes))
      }
      return try examineMovie(path, source, consumed)
    }
    return try resource(source, path, bytes.digest(), bytes.count, .picture(facts), consumed)
  }

  private static func foreignName(_ bytes: FileBytes) -> String {
    do throws(CodecError) {
      return try ImageFormat.detect(bytes.buffer).nameWithArticle
    } catch {
      if case .notAnImage(let found) = error { return found }
      return "\(error)"
    }
  }

  // MARK: Checking

  private static func resource(
    _ source: ResourceSource, _ path: String, _ digest: Digest, _ size: Int,
    _ facts: StagedResource.Facts, _ consumed: ConsumedSource?
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
    _ source: ResourceSource, _ content: FileContent, _ digest: Digest
  ) -> String {
    if let name = source.options.originalFilename, !name.isEmpty { return name }
    if case .file(let path) = source.place { return FileSystem.lastName(of: path) }
    return "IMG_" + digest.hex.prefix(8).uppercased() + "." + content.fileExtension
  }
}

extension AssetResourceType {
  /// Whether a file can be what the type says.
  fileprivate func accepts(_ facts: StagedResource.Facts) -> Bool {
    switch (self, facts) {
    case (.photo, .picture), (.alternatePhoto, .picture): true
    case (.fullSizePhoto, .picture(let facts)), (.adjustmentBasePhoto, .picture(let facts)):
      facts.content.kind != .raw
    case (.video, .movie(let facts)): facts.hasPictures
    case (.audio, .movie(let facts)): !facts.hasPictures && facts.duration > 0
    case (.pairedVideo, .movie(let facts)), (.fullSizeVideo, .movie(let facts)),
      (.fullSizePairedVideo, .movie(let facts)), (.adjustmentBaseVideo, .movie(let facts)),
      (.adjustmentBasePairedVideo, .movie(let facts)):
      facts.hasPictures && facts.duration > 0 && facts.content.kind == .movie(.quickTime)
    case (.adjustmentData, .record), (.sidecar, .sidecar): true
    default: false
    }
  }
}

/// Runs file operations and gives their failures as the library's.
func inFiles<Value: ~Copyable>(
  _ body: () throws(FileError) -> Value
) throws(LibraryError) -> Value {
  try translating(LibraryError.init, body)
}

/// Evaluates an expression that fails with a file error.
func inFiles<Value: ~Copyable>(
  _ body: @autoclosure () throws(FileError) -> Value
) throws(LibraryError) -> Value {
  try translating(LibraryError.init, body)
}
