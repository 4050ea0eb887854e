// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditStorage

extension PhotoLibrary {
  /// Fetches away from the threads of tasks, which reading a database would block.
  ///
  /// ```swift
  /// let favorites = try await library.fetch { library in
  ///   try library.fetchAssets(in: library.fetchAssetCollections(with: .smartAlbum)[0])
  /// }
  /// ```
  ///
  /// - Throws: What the body throws; `LibraryError` with `userCancelled` when the task was cancelled
  ///   before.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws -> Value
  ) async throws -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ in try body(self) }
  }

  /// Fetches away from the threads of tasks; see the other form.
  public func fetch<Value: Sendable>(
    _ body: @escaping @Sendable (PhotoLibrary) throws(LibraryError) -> Value
  ) async throws(LibraryError) -> Value {
    if Task.isCancelled { throw LibraryError(EditingError.cancelled) }
    return try await blocking { _ throws(LibraryError) in try body(self) }
  }
}
