// SPDX-License-Identifier: Apache-2.0

/// The result of a fetch: an ordered snapshot whose members are read on access.
///
/// The number, order and identity of the members are fixed permanently, regardless of later changes
/// and deletions, and a result can be used from any thread. Objects are read in batches and show
/// their state as of the fetch; objects that have been trashed or deleted since then keep their
/// indexes. Each member takes eight bytes, and the number of cached objects is limited.
///
/// A subscript cannot throw. If the library can no longer be read, for example because its disk was
/// removed, it returns objects with an empty `localIdentifier`, and `failure` contains the reason;
/// `object(at:)` throws.
public struct FetchResult<Object: FetchedObject>: Sendable, RandomAccessCollection {
  /// The reader for the members; nil for a result created from given objects.
  let library: LibraryReader?
  /// The rows of the members, in order; 0 for objects without a row.
  let rows: ChunkedRowList
  /// The commit that the result shows.
  let version: Int64
  /// The query that found the members; nil for a result that cannot be followed.
  let query: FetchQuery<Object>?
  /// The access that the program had when the members were found.
  let grant: AccessGrant
  private let members: FetchedMembers<Object>

  /// Creates a result of rows as of a commit.
  init(
    _ rows: ChunkedRowList, at version: Int64, in library: LibraryReader,
    grant: AccessGrant = .readWrite,
    query: FetchQuery<Object>? = nil
  ) {
    self.library = library
    self.rows = rows
    self.version = version
    self.grant = grant
    self.query = query
    members = FetchedMembers(rows, at: version, in: library)
  }

  /// Creates a result of objects that have already been read.
  init(
    _ objects: [Object], at version: Int64, in library: LibraryReader?,
    grant: AccessGrant = .readWrite, query: FetchQuery<Object>? = nil
  ) {
    self.library = library
    rows = ChunkedRowList(objects.map { Object.source.row($0) ?? 0 })
    self.version = version
    self.grant = grant
    self.query = query
    members = FetchedMembers(objects)
  }

  /// Creates a result of given objects, in their order.
  ///
  /// Changes of a library provide no details for it; use `FetchResultChangeDetails` to compare it
  /// with another result.
  public init(_ objects: some Sequence<Object>) { self.init(Array(objects), at: 0, in: nil) }

  /// Indicates whether change details were requested and are available.
  var wantsIncrementalChangeDetails: Bool { query?.wantsDetails ?? false }

  // MARK: Members

  /// The number of members.
  public var count: Int { rows.count }

  /// The index of the first member, 0.
  public var startIndex: Int { 0 }

  /// The same as `count`.
  public var endIndex: Int { rows.count }

  /// Returns the member at an index; an index out of range is a programming error, as in an array.
  public subscript(index: Int) -> Object {
    precondition(rows.indices.contains(index), "index \(index) is out of range")
    return members.object(index)
  }

  /// Returns the member at an index.
  ///
  /// - Throws: `LibraryError` if the index is out of range or the library cannot be read.
  public func object(at index: Int) throws(LibraryError) -> Object {
    guard rows.indices.contains(index) else { throw .noMember(index, count: count) }
    return try members.read(index)
  }

  /// Returns the members at the given indexes, in the order of the indexes.
  ///
  /// - Throws: `LibraryError` if an index is out of range or the library cannot be read.
  public func objects(at indexes: some Sequence<Int>) throws(LibraryError) -> [Object] {
    try indexes.map(object(at:))
  }

  /// The most recent error in reading a member; nil if there was none.
  public var failure: LibraryError? { members.failure }

  /// Returns an iterator that reads the members in batches.
  public func makeIterator() -> FetchResultIterator<Object> { FetchResultIterator(members) }

  // MARK: Finding

  /// Returns the index of an object, by its identifier; nil if it is not a member.
  public func index(of object: Object) -> Int? { index(of: object, in: 0..<count) }

  /// Returns the index of an object within a range of indexes; nil if it is not there.
  ///
  /// Parts of the range outside the result are ignored.
  public func index(of object: Object, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    guard let row = Object.source.row(object), row != 0, !members.isGiven else {
      return range.first { self[$0] == object }
    }
    // The row identifies it without reading others; another library's object differs in identifier.
    guard let index = rows[range].firstIndex(of: row), self[index] == object else { return nil }
    return index
  }

  /// The same as `index(of:)`.
  public func firstIndex(of object: Object) -> Int? { index(of: object) }

  /// Returns whether an object is a member.
  public func contains(_ object: Object) -> Bool { index(of: object) != nil }

  /// The direction of an enumeration.
  public enum Direction: Sendable, Hashable {
    /// From the first member to the last.
    case forward
    /// From the last member to the first.
    case reverse
  }

  /// Calls a closure with every member and its index; set the third argument to stop.
  public func enumerateObjects<Failure: Error>(
    _ direction: Direction = .forward,
    _ body: (_ object: Object, _ index: Int, _ stop: inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var stop = false
    switch direction {
    case .forward:
      var index = 0
      for object in self {
        try body(object, index, &stop)
        if stop { return }
        index += 1
      }
    case .reverse:
      for index in indices.reversed() {
        try body(self[index], index, &stop)
        if stop { return }
      }
    }
  }

  /// Calls a closure with the members at the given indexes; set the third argument to stop.
  ///
  /// Indexes are sorted and deduplicated, like those of an index set. An index out of range is a
  /// programming error, as in an array.
  public func enumerateObjects<Failure: Error>(
    at indexes: some Sequence<Int>, _ direction: Direction = .forward,
    _ body: (_ object: Object, _ index: Int, _ stop: inout Bool) throws(Failure) -> Void
  ) throws(Failure) {
    var stop = false
    let ascending = Set(indexes).sorted()
    for index in direction == .forward ? ascending : ascending.reversed() {
      try body(self[index], index, &stop)
      if stop { return }
    }
  }
}

/// Iterates over the members of a result in batches.
public struct FetchResultIterator<Object: FetchedObject>: IteratorProtocol {
  private let members: FetchedMembers<Object>
  private var batch: ArraySlice<Object> = []
  private var position = 0

  init(_ members: FetchedMembers<Object>) { self.members = members }

  /// Returns the next member.
  public mutating func next() -> Object? {
    if batch.isEmpty {
      batch = members.batch(from: position)
      position += batch.count
    }
    return batch.popFirst()
  }
}
