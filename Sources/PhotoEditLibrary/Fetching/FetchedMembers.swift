// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The objects of a result: either given, or read in batches, the latest of which are cached.
final class FetchedMembers<Object: FetchedObject>: Sendable {
  private enum Origin: Sendable {
    case given([Object])
    case stored(ChunkedRowList, version: Int64, LibraryReader)
  }

  private struct Cache: Sendable {
    var batches: [Int: [Object]] = [:]
    /// The numbers of the batches, oldest first.
    var order: [Int] = []
    var failure: LibraryError?
  }

  private let origin: Origin
  private let cache = LockedValue(Cache())

  /// The number of objects per batch.
  static var batchLength: Int { 100 }
  /// The maximum number of cached batches.
  static var maximumCachedBatches: Int { 32 }

  init(_ objects: [Object]) { origin = .given(objects) }

  init(_ rows: ChunkedRowList, at version: Int64, in library: LibraryReader) {
    origin = .stored(rows, version: version, library)
  }

  /// Indicates whether the objects were given.
  var isGiven: Bool { if case .given = origin { true } else { false } }

  /// The most recent error in reading an object.
  var failure: LibraryError? { cache.withLock { $0.failure } }

  /// The number of batches in memory.
  var batchCount: Int { cache.withLock { $0.batches.count } }

  /// Returns an object; the index must be valid.
  func read(_ index: Int) throws(LibraryError) -> Object {
    switch origin {
    case .given(let objects): return objects[index]
    case .stored:
      let batch = try batch(number: index / Self.batchLength)
      return batch[index % Self.batchLength]
    }
  }

  /// Returns an object, or the placeholder for one that cannot be read.
  func object(_ index: Int) -> Object {
    do throws(LibraryError) { return try read(index) } catch {
      fail(error)
      return Object.source.unavailable
    }
  }

  /// Returns the objects from an index to the end of its batch; empty after the last one.
  func batch(from index: Int) -> ArraySlice<Object> {
    switch origin {
    case .given(let objects): return objects[min(index, objects.count)...]
    case .stored(let rows, _, _):
      guard index < rows.count else { return [] }
      let number = index / Self.batchLength
      do throws(LibraryError) {
        return try batch(number: number)[(index % Self.batchLength)...]
      } catch {
        fail(error)
        let end = min(rows.count, (number + 1) * Self.batchLength)
        return Array(repeating: Object.source.unavailable, count: end - index)[...]
      }
    }
  }

  private func fail(_ error: LibraryError) { cache.withLock { $0.failure = error } }

  private func batch(number: Int) throws(LibraryError) -> [Object] {
    guard case .stored(let rows, let version, let library) = origin else { return [] }
    if let batch = cache.withLock({ $0.batches[number] }) { return batch }
    let start = number * Self.batchLength
    let end = min(rows.count, start + Self.batchLength)
    // Two threads may read the same batch, which is cheaper than waiting for each other's disk
    // access.
    let batch = try Object.objects(Array(rows[start..<end])[...], at: version, in: library)
    cache.withLock { cache in
      if cache.batches.updateValue(batch, forKey: number) == nil { cache.order.append(number) }
      if cache.order.count > Self.maximumCachedBatches {
        cache.batches[cache.order.removeFirst()] = nil
      }
    }
    return batch
  }
}
