// SPDX-License-Identifier: Apache-2.0

/// The changes of a library as they happen; see `PhotoLibrary.changes`.
///
/// It ends with the task that loops over it. It throws `LibraryError` when the library cannot be read
/// any more, such as with its disk.
public struct LibraryChanges: AsyncSequence, Sendable {
  private let library: PhotoLibrary
  private let start: Result<ChangeFeed.Place, LibraryError>

  /// Begins with what is committed from now on.
  init(_ library: PhotoLibrary) {
    self.library = library
    do throws(LibraryError) { start = .success(try library.feed.start(library)) } catch {
      start = .failure(error)
    }
  }

  /// Goes through the changes since the sequence was made.
  public func makeAsyncIterator() -> Iterator { Iterator(library, start) }

  /// Reads one change after the other.
  public struct Iterator: AsyncIteratorProtocol {
    private let library: PhotoLibrary
    private var start: Result<ChangeFeed.Place, LibraryError>
    private var read: ArraySlice<Change> = []

    init(_ library: PhotoLibrary, _ start: Result<ChangeFeed.Place, LibraryError>) {
      self.library = library
      self.start = start
    }

    /// The next change; nil when the task was cancelled.
    public mutating func next() async throws -> Change? {
      try await next(isolation: nil)
    }

    /// The next change; nil when the task was cancelled.
    public mutating func next(
      isolation actor: isolated (any Actor)?
    ) async throws(LibraryError) -> Change? {
      var place = try start.get()
      defer { start = .success(place) }
      while !Task.isCancelled {
        if let change = read.popFirst() {
          place.version = change.version
          return change
        }
        switch try library.feed.news(after: place, library) {
        case .changes(let changes): read = changes[...]
        case .authorization(let number):
          place.grantNumber = number
          return Change(in: library, from: place.version, through: place.version)
        case .gone: throw library.unavailabilityReason ?? .offline(library.layout.root)
        case nil: await library.feed.wait(after: place)
        }
      }
      return nil
    }
  }
}
