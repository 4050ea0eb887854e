// SPDX-License-Identifier: Apache-2.0

/// The changes of a library as they happen; see `PhotoLibrary.changes`.
///
/// The sequence ends when the task that iterates over it is canceled. It throws `LibraryError` if
/// the library can no longer be read, for example because its disk was removed.
public struct LibraryChanges: AsyncSequence, Sendable {
  private let library: PhotoLibrary
  private let start: Result<ChangeFeed.Position, LibraryError>

  /// Starts with the next commit.
  init(_ library: PhotoLibrary) {
    self.library = library
    do throws(LibraryError) { start = .success(try library.feed.start(library)) } catch {
      start = .failure(error)
    }
  }

  /// Returns an iterator over the changes since the sequence was created.
  public func makeAsyncIterator() -> Iterator { Iterator(library, start) }

  /// Reads the changes one at a time.
  public struct Iterator: AsyncIteratorProtocol {
    private let library: PhotoLibrary
    private var start: Result<ChangeFeed.Position, LibraryError>
    private var read: ArraySlice<LibraryChange> = []

    init(_ library: PhotoLibrary, _ start: Result<ChangeFeed.Position, LibraryError>) {
      self.library = library
      self.start = start
    }

    /// Returns the next change; nil if the task was canceled.
    public mutating func next() async throws -> LibraryChange? {
      try await next(isolation: nil)
    }

    /// Returns the next change; nil if the task was canceled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LibraryError) -> LibraryChange? {
      var position = try start.get()
      defer { start = .success(position) }
      while !Task.isCancelled {
        if let change = read.popFirst() {
          position.version = change.version
          return change
        }
        switch try library.feed.nextEvent(after: position, library) {
        case .changes(let changes): read = changes[...]
        case .authorization(let number):
          position.grantNumber = number
          return LibraryChange(in: library, from: position.version, through: position.version)
        case .unavailable: throw library.unavailabilityReason ?? .offline(library.layout.root)
        case nil: await library.feed.wait(after: position)
        }
      }
      return nil
    }
  }
}
