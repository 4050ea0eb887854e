// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

extension PhotoLibrary {
  /// Runs fetches outside the cooperative thread pool, which database reads would block.
  ///
  /// ```swift
  /// let favorites = try await library.fetch { library in
  ///   try library.fetchAssets(in: library.fetchAssetCollections(with: .smartAlbum)[0])
  /// }
  /// ```
  ///
  /// - Throws: Any error that the body throws; `LibraryError` with `userCancelled` if the task was
  ///   already canceled.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws -> Value
  ) async throws -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ in try body(self) }
  }

  /// Runs fetches outside the cooperative thread pool; see the other overload.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ throws(LibraryError) in try body(self) }
  }
}
