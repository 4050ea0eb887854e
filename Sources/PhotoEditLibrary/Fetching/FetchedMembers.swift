// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The objects of a result: given, or read in batches of which the latest are kept.
final class FetchedMembers<Object: FetchedObject>: Sendable {
  private enum Origin: Sendable {
    case given([Object])
    case stored(RowList, version: Int64, LibraryReader)
  }

  private struct Kept: Sendable {
    var batches: [Int: [Object]] = [:]
    /// The numbers of the batches, the one that was read first in front.
    var order: [Int] = []
    var failure: LibraryError?
  }

  private let origin: Origin
  private let kept = Guarded(Kept())

  /// Objects that are read at once.
  static var batchLength: Int { 100 }
  /// Batches that are kept.
  static var keptBatches: Int { 32 }

  init(_ objects: [Object]) { origin = .given(objects) }

  init(_ rows: RowList, at version: Int64, in library: LibraryReader) {
    origin = .stored(rows, version: version, library)
  }

  /// Whether the objects came with the result.
  var isGiven: Bool { if case .given = origin { true } else { false } }

  /// Why an object could not be read last.
  var failure: LibraryError? { kept.withLock { $0.failure } }

  /// How many batches are in memory.
  var batchCount: Int { kept.withLock { $0.batches.count } }

  /// An object, whose index must be right.
  func read(_ index: Int) throws(LibraryError) -> Object {
    switch origin {
    case .given(let objects): return objects[index]
    case .stored:
      let batch = try batch(number: index / Self.batchLength)
      return batch[index % Self.batchLength]
    }
  }

  /// An object, or what stands for one that cannot be read.
  func object(_ index: Int) -> Object {
    do throws(LibraryError) { return try read(index) } catch {
      fail(error)
      return Object.source.unavailable
    }
  }

  /// The objects from an index to the end of its batch; empty after the last one.
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

  private func fail(_ error: LibraryError) { kept.withLock { $0.failure = error } }

  private func batch(number: Int) throws(LibraryError) -> [Object] {
    guard case .stored(let rows, let version, let library) = origin else { return [] }
    if let batch = kept.withLock({ $0.batches[number] }) { return batch }
    let start = number * Self.batchLength
    let end = min(rows.count, start + Self.batchLength)
    // Two threads may read the same batch; that is cheaper than one waiting for the other's disk.
    let batch = try Object.objects(Array(rows[start..<end])[...], at: version, in: library)
    kept.withLock { kept in
      if kept.batches.updateValue(batch, forKey: number) == nil { kept.order.append(number) }
      if kept.order.count > Self.keptBatches { kept.batches[kept.order.removeFirst()] = nil }
    }
    return batch
  }
}
