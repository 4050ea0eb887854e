// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import FoundationEssentials
import PhotoEdit
import PhotoEditStorage

/// Names a request for the bytes of a resource; never 0, and given once in a process.
public struct AssetResourceDataRequestID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Makes a name from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// How the bytes of a resource are asked for.
public struct AssetResourceRequestOptions: Sendable {
  /// Told how far reading has come, 0 to 1, on the queue of the other handlers.
  public var progressHandler: (@Sendable (Double) -> Void)?

  /// Makes the default options.
  public init() {}
}

/// Hands out the bytes of resources.
///
/// What is handed out is compared with the digest that was recorded when it came in: there is never
/// a success after other or fewer bytes.
public struct AssetResourceManager: Sendable {
  let library: LibraryReader

  /// Makes a manager for the resources of a library.
  public init(_ library: PhotoLibrary) { self.library = library.reader }

  /// Reads a resource piece by piece.
  ///
  /// The call returns at once. Handlers are called one after the other on a queue of the library's
  /// own; the last call is the one of `completionHandler`, which comes exactly once.
  ///
  /// - Parameters:
  ///   - dataReceivedHandler: Gets the pieces in their order.
  ///   - completionHandler: Gets nil when everything was handed out, or why not: `userCancelled`,
  ///     `missingResource` for a file that is gone, `invalidResource` for one that has changed.
  /// - Returns: A name by which the request can be cancelled.
  @discardableResult
  public func requestData(
    for resource: AssetResource,
    options: AssetResourceRequestOptions = AssetResourceRequestOptions(),
    dataReceivedHandler: @escaping @Sendable (Data) -> Void,
    completionHandler: @escaping @Sendable (LibraryError?) -> Void
  ) -> AssetResourceDataRequestID {
    let (id, cancellation) = PendingRequests.shared.begin()
    Self.queue.async {
      let result = Result { () throws(LibraryError) in
        try read(resource, options, cancellation) { piece throws(LibraryError) in
          dataReceivedHandler(Data(piece))
        }
      }
      PendingRequests.shared.end(id)
      completionHandler(result.error)
    }
    return AssetResourceDataRequestID(rawValue: id)
  }

  /// Cancels a request, which ends with `userCancelled`; one that has ended stays as it is.
  public func cancelDataRequest(_ id: AssetResourceDataRequestID) {
    PendingRequests.shared.cancel(id.rawValue)
  }

  /// Writes a resource to a new file.
  ///
  /// The file gets its name when it is complete and durable; before that, and after a failure, there
  /// is none.
  ///
  /// - Throws: `LibraryError`; `invalidResource` when there is a file already, `userCancelled` when
  ///   the task is cancelled.
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
    _ cancellation: Cancellation, _ take: ([UInt8]) throws(LibraryError) -> Void
  ) throws(LibraryError) {
    func check() throws(LibraryError) {
      if cancellation.isCancelled { throw LibraryError(EditingError.cancelled) }
    }
    try check()
    var reader = try AssetResourceReader.opening(resource, in: library)
    options.progressHandler?(0)
    while let piece = try reader.next() {
      try check()
      try take(piece)
      options.progressHandler?(reader.progress)
    }
    try check()
  }

  /// The file that the asset of a resource came with; nobody may read more than that one.
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
    try inFiles { () throws(FileError) in
      guard try FileSystem.entry(at: path) == nil else {
        throw FileError(.exists, path: path, reason: "there is something here already")
      }
    }
    let staging = try inFiles(StagingFolder(in: folder))
    defer { staging.discard() }
    let staged = staging.file("resource")
    let file = try inFiles(OpenFile(creating: staged))
    let descriptor = WritableFile(file)
    try read(resource, options, cancellation) { piece throws(LibraryError) in
      try inFiles(descriptor.write(piece))
    }
    let original = try original(of: resource)
    try inFiles { () throws(FileError) in
      try descriptor.file.sync()
      try FileSystem.publish(staged, as: path, replacing: false, like: original)
      try FileSystem.syncFolder(folder)
    }
  }
}

/// An open file that a closure may hold.
private final class WritableFile {
  let file: OpenFile

  init(_ file: consuming OpenFile) { self.file = file }

  func write(_ piece: [UInt8]) throws(FileError) {
    try file.write(piece)
  }
}

extension Result where Success == Void {
  fileprivate var error: Failure? {
    if case .failure(let error) = self { error } else { nil }
  }
}
