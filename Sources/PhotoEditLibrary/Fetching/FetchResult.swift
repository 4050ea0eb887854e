// SPDX-License-Identifier: Apache-2.0

/// An object that a fetch gives.
public protocol FetchedObject: Sendable, Hashable, Identifiable where ID == String {
  /// Names the object for ever; opaque.
  var localIdentifier: String { get }

  /// The objects of some rows as they were at a commit, in the order of the rows.
  static func objects(
    _ rows: ArraySlice<Int64>, at version: Int64, in library: PhotoLibrary
  ) throws(LibraryError) -> [Self]
}

/// What a fetch found: an ordered snapshot whose members are read when they are asked for.
///
/// Number, order and identity of the members are fixed for ever, whatever is changed or deleted
/// later. Objects are read in batches and show what was there when the result was fetched.
public struct FetchResult<Object: FetchedObject>: Sendable {
  /// Where the members are read from; nil for a result that came with its objects.
  let library: PhotoLibrary?
  /// The rows of the members, in order.
  let rows: [Int64]
  /// The commit that the result shows.
  let version: Int64

  /// How many members there are.
  public var count: Int { rows.count }
}
