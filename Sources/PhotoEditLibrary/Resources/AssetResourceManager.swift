// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import FoundationEssentials
import PhotoEdit
import PhotoEditStorage

/// The identifier of a request for the bytes of a resource: nonzero and unique within the process.
public struct AssetResourceDataRequestID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Creates an identifier from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// The options of a request for the bytes of a resource.
public struct AssetResourceRequestOptions: Sendable {
  /// Receives the progress, 0 to 1, on the queue of the other handlers.
  public var progressHandler: (@Sendable (Double) -> Void)?

  /// Creates the default options.
  public init() {}
}

/// Provides the bytes of resources.
///
/// The bytes are compared with the digest that was recorded at import: a request never succeeds
/// with different or missing bytes.
public struct AssetResourceManager: Sendable {
  let library: LibraryReader

  /// Creates a manager for the resources of a library.
  public init(_ library: PhotoLibrary) { self.library = library.reader }

  /// Reads a resource in chunks.
  ///
  /// The call returns at once. Handlers are called one at a time on a queue of the library; the
  /// last call is that of `completionHandler`, which is called exactly once.
  ///
  /// - Parameters:
  ///   - dataReceivedHandler: Receives the chunks in order.
  ///   - completionHandler: Receives nil after all chunks, or the error: `userCancelled`,
  ///     `missingResource` for a file that is gone, `invalidResource` for one that has changed.
  /// - Returns: An identifier for canceling the request.
  @discardableResult
  public func requestData(
    for resource: AssetResource,
    options: AssetResourceRequestOptions = AssetResourceRequestOptions(),
    dataReceivedHandler: @escaping @Sendable (Data) -> Void,
    completionHandler: @escaping @Sendable (LibraryError?) -> Void
  ) -> AssetResourceDataRequestID {
    let (id, cancellation) = RequestRegistry.shared.begin()
    Self.queue.async {
      let result = Result { () throws(LibraryError) in
        try read(resource, options, cancellation) { chunk throws(LibraryError) in
          dataReceivedHandler(Data(chunk))
        }
      }
      RequestRegistry.shared.end(id)
      completionHandler(result.error)
    }
    return AssetResourceDataRequestID(rawValue: id)
  }

  /// Cancels a request, which ends with `userCancelled`; has no effect on one that has ended.
  public func cancelDataRequest(_ id: AssetResourceDataRequestID) {
    RequestRegistry.shared.cancel(id.rawValue)
  }

  /// Writes a resource to a new file.
  ///
  /// The complete file is synced, then renamed into place; before that, and after a failure, no
  /// file exists at the path.
  ///
  /// - Throws: `LibraryError`; `invalidResource` if the file already exists, `userCancelled` if the
  ///   task is canceled.
  public func writeData(
    for resource: AssetResource, toFile url: URL,
    options: AssetResourceRequestOptions = AssetResourceRequestOptions()
  ) async throws(LibraryError) {
    try await blocking { cancellation throws(LibraryError) in
      try write(resource, to: url.path, options, cancellation)
    }
  }

  private static let queue = DispatchQueue(
    label: "org.photoedit.library.resources", attributes: .concurrent)

  private func read(
    _ resource: AssetResource, _ options: AssetResourceRequestOptions,
    _ cancellation: Cancellation, _ receive: ([UInt8]) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    func check() throws(LibraryError) {
      if cancellation.isCancelled { throw LibraryError(EditingError.cancelled) }
    }
    try check()
    var reader = try AssetResourceReader.opening(resource, in: library)
    options.progressHandler?(0)
    while let chunk = try reader.next() {
      try check()
      try receive(chunk)
      options.progressHandler?(reader.progress)
    }
    try check()
  }

  /// Returns the path of the asset's original file, whose permissions the copy must not exceed.
  private func original(of resource: AssetResource) throws(LibraryError) -> String {
    guard !resource.isOutside else { return resource.file }
    let identifier = LocalIdentifier(resource.assetLocalIdentifier, as: .asset)
    let files = try library.read { database throws(LibraryError) in
      try identifier.flatMap { identifier throws(LibraryError) in
        try database.resources(of: identifier, includesTrash: true)
      }
    }
    return library.layout.path(files?.first?.file ?? resource.file)
  }

  private func write(
    _ resource: AssetResource, to path: String, _ options: AssetResourceRequestOptions,
    _ cancellation: Cancellation
  ) throws(LibraryError) {
    let folder = FileSystem.folder(of: path)
    try translating(LibraryError.init) { () throws(FileError) in
      guard try FileSystem.entry(at: path) == nil else {
        throw FileError(.exists, path: path, reason: "already exists")
      }
    }
    let staging = try inFiles(StagingFolder(in: folder))
    defer { staging.discard() }
    let staged = staging.file("resource")
    let file = try inFiles(OpenFile(creating: staged))
    let descriptor = WritableFile(file)
    try read(resource, options, cancellation) { chunk throws(LibraryError) in
      try inFiles(descriptor.write(chunk))
    }
    let original = try original(of: resource)
    try translating(LibraryError.init) { () throws(FileError) in
      try descriptor.file.sync()
      try FileSystem.publish(staged, as: path, replacing: false, like: original)
      try FileSystem.syncFolder(folder)
    }
  }
}

/// An open file that a closure can capture.
private final class WritableFile {
  let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }

  func write(_ chunk: [UInt8]) throws(FileError) {
    try file.write(chunk)
  }
}

extension Result where Success == Void {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}

/// Reads the file of a resource in chunks and verifies at the end that it matches the record.
///
/// The file is open from the start, so it can be read to its end even if an edit replaces it.
struct AssetResourceReader: ~Copyable {
  /// The chunk size in bytes.
  static let chunkSize = 256 << 10

  private let file: OpenFile
  private let resource: AssetResource
  private var builder: DigestBuilder? = DigestBuilder()
  private var done = 0

  private init(_ resource: AssetResource, _ file: consuming OpenFile) {
    self.resource = resource
    self.file = file
  }

  /// Opens the file of a resource.
  ///
  /// - Throws: `missingResource` if it is gone, `invalidResource` if its size differs.
  static func opening(
    _ resource: AssetResource, in library: LibraryReader
  ) throws(LibraryError) -> AssetResourceReader {
    let path = try path(of: resource, in: library)
    let file = try inFiles(OpenFile(reading: path, followsLinks: resource.isOutside))
    guard try size(of: file) == resource.size else { throw damage(resource, path) }
    return AssetResourceReader(resource, file)
  }

  /// Returns the path of the file if the process may access it.
  private static func path(
    of resource: AssetResource, in library: LibraryReader
  ) throws(LibraryError) -> String {
    if resource.isOutside { return resource.file }
    guard let identifier = LocalIdentifier(resource.assetLocalIdentifier, as: .asset),
      library.canSee(identifier)
    else { throw .noObject(resource.assetLocalIdentifier) }
    return try inFiles(library.layout.path(of: resource.file))
  }

  private static func damage(_ resource: AssetResource, _ path: String) -> LibraryError {
    resource.isOutside ? .changedResource(path) : .damagedFile(path)
  }

  private static func size(of file: borrowing OpenFile) throws(LibraryError) -> Int {
    return try inFiles(file.regularSize())
  }

  /// The fraction of the file that was read, 0 to 1.
  var progress: Double { resource.size == 0 ? 1 : Double(done) / Double(resource.size) }

  /// Returns the next chunk; nil after the last one.
  ///
  /// - Throws: `invalidResource` if the bytes are not those that were imported.
  mutating func next() throws(LibraryError) -> [UInt8]? {
    guard done < resource.size else {
      guard let built = builder.take() else { return nil }
      guard built.finish() == resource.digest else { throw Self.damage(resource, file.path) }
      return nil
    }
    var chunk = [UInt8](repeating: 0, count: min(Self.chunkSize, resource.size - done))
    let count = try inFiles(
      chunk.withUnsafeMutableBufferPointer { memory throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(memory))
      })
    guard count == chunk.count else { throw Self.damage(resource, file.path) }
    chunk.withUnsafeBytes { builder?.update($0) }
    done += count
    return chunk
  }
}
