// SPDX-License-Identifier: Apache-2.0
import Dispatch
public import PhotoEdit
import PhotoEditStorage

/// Names a request for an editing input; never 0, and given once in a process.
public struct ContentEditingInputRequestID: RawRepresentable, Hashable, Sendable {
  /// The number.
  public let rawValue: Int

  /// Makes a name from its number.
  public init(rawValue: Int) { self.rawValue = rawValue }
}

/// What a request for an editing input says besides the input.
public struct ContentEditingInputInfo: Sendable {
  /// Whether the request was cancelled, by its name or by its progress handler.
  public let isCancelled: Bool
  /// Why there is no input.
  public let error: EditingError?
  /// Whether the content is not on this machine; always false.
  public let isInCloud = false
}

extension PhotoLibrary {
  /// Asks for the version of an asset that an editor is to begin with.
  ///
  /// The call returns at once. The handler is called exactly once, on a queue of the library's own
  /// choice, also after a cancellation.
  ///
  /// - Returns: A name by which the request can be cancelled.
  @discardableResult
  public func requestContentEditingInput(
    for asset: Asset, options: EditingInputRequestOptions = EditingInputRequestOptions(),
    completion: @escaping @Sendable (EditingInput?, ContentEditingInputInfo) -> Void
  ) -> ContentEditingInputRequestID {
    let (id, cancellation) = PendingRequests.shared.begin()
    Self.inputQueue.async {
      let result = Result { () throws(EditingError) in
        try self.openContent(of: asset, options, cancellation)
      }
      PendingRequests.shared.end(id)
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

  /// Cancels a request, whose handler is told so.
  ///
  /// A request that has ended stays as it is.
  public func cancelContentEditingInputRequest(_ id: ContentEditingInputRequestID) {
    PendingRequests.shared.cancel(id.rawValue)
  }

  /// The version of an asset that an editor is to begin with.
  ///
  /// - Throws: `EditingError`; `userCancelled` when the task is cancelled.
  public func contentEditingInput(
    for asset: Asset, options: EditingInputRequestOptions = EditingInputRequestOptions()
  ) async throws(EditingError) -> EditingInput {
    try await checkedStore(of: asset).editingInput(options)
  }

  /// Makes the place for the result of a session.
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

  /// The store of an asset whose content may be edited.
  private func checkedStore(of asset: Asset) throws(EditingError) -> AssetEditingStore {
    guard asset.mediaType.hasEditableContent else {
      throw .contentNotEditable(asset.localIdentifier, "it is neither a photo nor a movie")
    }
    return try reader.editing { () throws(LibraryError) in try editingStore(for: asset) }
  }
}
