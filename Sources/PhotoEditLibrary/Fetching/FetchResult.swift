// SPDX-License-Identifier: Apache-2.0

/// What a fetch found: an ordered snapshot whose members are read when they are asked for.
///
/// Number, order and identity of the members are fixed for ever, whatever is changed or deleted
/// later, and any thread may use a result. Objects are read in batches and show what was there when
/// the result was fetched; those in the trash or gone since keep their places. A member costs eight
/// bytes, and a bounded number of objects is kept.
///
/// A subscript cannot throw. When the library cannot be read any more, because its disk is gone, it
/// gives objects without a name (`localIdentifier` is empty) and `failure` says why; `object(at:)`
/// throws.
public struct FetchResult<Object: FetchedObject>: Sendable, RandomAccessCollection {
  /// Where the members are read from; nil for a result that came with its objects.
  let library: LibraryReader?
  /// The rows of the members, in order; 0 for objects that have none.
  let rows: RowList
  /// The commit that the result shows.
  let version: Int64
  /// How the members were found; nil for a result that nothing can be found out about later.
  let recipe: FetchRecipe<Object>?
  /// What the program was allowed when the members were found.
  let grant: AccessGrant
  private let members: FetchedMembers<Object>

  /// Makes a result of rows as they were at a commit.
  init(
    _ rows: RowList, at version: Int64, in library: LibraryReader, grant: AccessGrant = .readWrite,
    recipe: FetchRecipe<Object>? = nil
  ) {
    self.library = library
    self.rows = rows
    self.version = version
    self.grant = grant
    self.recipe = recipe
    members = FetchedMembers(rows, at: version, in: library)
  }

  /// Makes a result of objects that were read already.
  init(
    _ objects: [Object], at version: Int64, in library: LibraryReader?,
    grant: AccessGrant = .readWrite, recipe: FetchRecipe<Object>? = nil
  ) {
    self.library = library
    rows = RowList(objects.map { Object.source.row($0) ?? 0 })
    self.version = version
    self.grant = grant
    self.recipe = recipe
    members = FetchedMembers(objects)
  }

  /// Makes a result of given objects, in their order.
  ///
  /// No change of a library gives details of it; it may be compared with others by hand.
  public init(_ objects: some Sequence<Object>) { self.init(Array(objects), at: 0, in: nil) }

  /// Whether change details are wanted and can be had.
  var wantsIncrementalChangeDetails: Bool { recipe?.wantsDetails ?? false }

  // MARK: Members

  /// How many members there are.
  public var count: Int { rows.count }

  /// 0.
  public var startIndex: Int { 0 }

  /// The same as `count`.
  public var endIndex: Int { rows.count }

  /// The member at an index; an index that is not there is a programmer's error, as in an array.
  public subscript(index: Int) -> Object {
    precondition(rows.indices.contains(index), "the result has no member \(index)")
    return members.object(index)
  }

  /// The member at an index.
  ///
  /// - Throws: `LibraryError` when there is no such index or the library cannot be read.
  public func object(at index: Int) throws(LibraryError) -> Object {
    guard rows.indices.contains(index) else { throw .noMember(index, count: count) }
    return try members.read(index)
  }

  /// The members at some indexes, in the order of the indexes.
  ///
  /// - Throws: `LibraryError` when there is no such index or the library cannot be read.
  public func objects(at indexes: some Sequence<Int>) throws(LibraryError) -> [Object] {
    var objects: [Object] = []
    for index in indexes { objects.append(try object(at: index)) }
    return objects
  }

  /// Why a member could not be read last; nil while all could.
  public var failure: LibraryError? { members.failure }

  /// Goes through the members batch by batch.
  public func makeIterator() -> FetchResultIterator<Object> { FetchResultIterator(members) }

  // MARK: Finding

  /// Where an object is, by its name; nil when it is no member.
  public func index(of object: Object) -> Int? { index(of: object, in: 0..<count) }

  /// Where an object is within a range of indexes; nil when it is not there.
  ///
  /// Parts of the range that are outside of the result are empty.
  public func index(of object: Object, in range: Range<Int>) -> Int? {
    let range = range.clamped(to: 0..<count)
    guard let row = Object.source.row(object), row != 0, !members.isGiven else {
      return range.first { self[$0] == object }
    }
    // The row finds it without reading others; another library's object has another name.
    guard let index = rows[range].firstIndex(of: row), self[index] == object else { return nil }
    return index
  }

  /// The same as `index(of:)`.
  public func firstIndex(of object: Object) -> Int? { index(of: object) }

  /// Whether an object is a member.
  public func contains(_ object: Object) -> Bool { index(of: object) != nil }
}

/// Goes through the members of a result, batch by batch.
public struct FetchResultIterator<Object: FetchedObject>: IteratorProtocol {
  private let members: FetchedMembers<Object>
  private var batch: ArraySlice<Object> = []
  private var position = 0

  init(_ members: FetchedMembers<Object>) { self.members = members }

  /// The next member.
  public mutating func next() -> Object? {
    if batch.isEmpty {
      batch = members.batch(from: position)
      position += batch.count
    }
    return batch.popFirst()
  }
}
