// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import PhotoEdit
import PhotoEditStorage
import Synchronization

/// The identifier of a request for an editing input, unique within the process and nonzero.
public struct ContentEditingInputRequestID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Creates an identifier from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// Information about a request for an editing input, besides the input.
public struct ContentEditingInputInfo: Sendable {
  /// Indicates whether the request was canceled, by its identifier or by its progress handler.
  public let isCancelled: Bool
  /// The reason why there is no input.
  public let error: EditingError?
  /// Indicates whether the content is not on this device; always false.
  public let isInCloud = false
}

extension PhotoLibrary {
  /// Requests the editing input of an asset.
  ///
  /// Returns immediately. The handler is called exactly once, even after a cancellation, on a queue
  /// chosen by the library.
  ///
  /// - Returns: An identifier that can be used to cancel the request.
  @discardableResult
  public func requestContentEditingInput(
    for asset: Asset, options: EditingInputRequestOptions = EditingInputRequestOptions(),
    completion: @escaping @Sendable (EditingInput?, ContentEditingInputInfo) -> Void
  ) -> ContentEditingInputRequestID {
    let (id, cancellation) = RequestRegistry.shared.begin()
    Self.inputQueue.async {
      let result = Result { () throws(EditingError) in
        try self.openContent(of: asset, options, cancellation)
      }
      RequestRegistry.shared.end(id)
      switch result {
      case .success(let input):
        completion(input, ContentEditingInputInfo(isCancelled: false, error: nil))
      case .failure(let error):
        completion(
          nil, ContentEditingInputInfo(isCancelled: error.code == .userCancelled, error: error))
      }
    }
    return ContentEditingInputRequestID(rawValue: id)
  }

  /// Cancels a request; the cancellation is reported to its handler.
  ///
  /// Has no effect on a request that has finished.
  public func cancelContentEditingInputRequest(_ id: ContentEditingInputRequestID) {
    RequestRegistry.shared.cancel(id.rawValue)
  }

  /// Returns the editing input of an asset.
  ///
  /// - Throws: `EditingError`; `userCancelled` if the task is canceled.
  public func contentEditingInput(
    for asset: Asset, options: EditingInputRequestOptions = EditingInputRequestOptions()
  ) async throws(EditingError) -> EditingInput {
    try await checkedStore(of: asset).editingInput(options)
  }

  /// Creates the output for the result of a session.
  public func contentEditingOutput(
    for input: EditingInput
  ) async throws(EditingError) -> EditingOutput {
    guard let identifier = LocalIdentifier(input.assetName, as: .asset) else {
      throw .otherAsset(expected: "an asset of this library", found: input.assetName)
    }
    return try await AssetEditingStore(library: self, identifier: identifier)
      .editingOutput(for: input)
  }

  private static let inputQueue = DispatchQueue(
    label: "org.photoedit.library.inputs", attributes: .concurrent)

  private func openContent(
    of asset: Asset, _ options: EditingInputRequestOptions, _ cancellation: Cancellation
  ) throws(EditingError) -> EditingInput {
    if cancellation.isCancelled { throw .cancelled }
    return try checkedStore(of: asset).openInput(options, cancellation: cancellation)
  }

  /// Returns the store of an asset; throws an error if its content cannot be edited.
  private func checkedStore(of asset: Asset) throws(EditingError) -> AssetEditingStore {
    guard asset.mediaType.hasEditableContent else {
      throw .contentNotEditable(asset.localIdentifier, "it is not a photo or video")
    }
    return try reader.editing(editingStore(for: asset))
  }
}

/// The pending requests of this process, by unique numbers.
final class RequestRegistry: Sendable {
  static let shared = RequestRegistry()

  private let running = LockedValue<[Int: Cancellation]>([:])

  /// Registers a request; its number is never 0.
  func begin() -> (Int, Cancellation) {
    let (id, cancellation) = (RequestIDGenerator.next(), Cancellation())
    running.withLock { $0[id] = cancellation }
    return (id, cancellation)
  }

  func cancel(_ id: Int) { running.withLock { $0[id] }?.cancel() }

  func end(_ id: Int) { running.withLock { $0[id] = nil } }
}

/// The numbers of requests of any kind.
enum RequestIDGenerator {
  private static let last = Atomic(0)

  /// Returns a nonzero number that is unique within this process.
  static func next() -> Int { last.add(1, ordering: .relaxed).newValue }
}
