// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// What a picture in a cache shows: the bytes it was made of, and its shape.
struct ImageKey: Hashable, Sendable {
  let digest: Digest
  let shape: ThumbnailShape
}

/// Pictures in memory up to a number of bytes; those that nobody asked for longest go first.
final class ImageMemory: Sendable {
  private struct Entry {
    let image: SampleImage
    var lastUse: Int
  }

  private struct State {
    var entries: [ImageKey: Entry] = [:]
    var byteCount = 0
    var uses = 0
    var hits = 0
    var misses = 0

    mutating func remove(_ key: ImageKey) {
      if let old = entries.removeValue(forKey: key) { byteCount -= old.image.bytes.count }
    }
  }

  /// Bytes of samples that are kept at most.
  let budget: Int
  private let state = Guarded(State())

  init(budget: Int) { self.budget = budget }

  /// The picture, when it is there; counts as a use, and as a hit or a miss.
  func image(_ key: ImageKey) -> SampleImage? {
    state.withLock { state in
      guard var entry = state.entries[key] else {
        state.misses += 1
        return nil
      }
      state.hits += 1
      state.uses += 1
      entry.lastUse = state.uses
      state.entries[key] = entry
      return entry.image
    }
  }

  /// The largest picture of the same content, part and mode that is no larger than one of a shape.
  func smaller(than key: ImageKey) -> SampleImage? {
    state.withLock { state in
      state.entries.filter { $0.key.digest == key.digest && $0.key.shape.shows(as: key.shape) }
        .max { $0.value.image.bytes.count < $1.value.image.bytes.count }?.value.image
    }
  }

  /// Keeps a picture, unless it alone is more than is kept.
  func put(_ image: SampleImage, _ key: ImageKey) {
    state.withLock { state in
      state.remove(key)
      guard image.bytes.count <= budget else { return }
      state.uses += 1
      state.entries[key] = Entry(image: image, lastUse: state.uses)
      state.byteCount += image.bytes.count
      while state.byteCount > budget,
        let oldest = state.entries.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        state.remove(oldest.key)
      }
    }
  }

  /// Whether a picture is there; no use of it.
  func holds(_ key: ImageKey) -> Bool { state.withLock { $0.entries[key] != nil } }

  func remove(_ key: ImageKey) { state.withLock { $0.remove(key) } }

  func removeAll() {
    state.withLock { state in
      state.entries = [:]
      state.byteCount = 0
    }
  }

  /// Counts of everything since the beginning.
  var statistics: ImageCacheStatistics {
    state.withLock { state in
      ImageCacheStatistics(
        hits: state.hits, misses: state.misses, count: state.entries.count,
        byteCount: state.byteCount)
    }
  }
}

/// What a cache of pictures holds and did.
public struct ImageCacheStatistics: Sendable, Hashable {
  /// Requests whose picture was in memory.
  public let hits: Int
  /// Requests whose picture was not.
  public let misses: Int
  /// Pictures in memory.
  public let count: Int
  /// Bytes of their samples.
  public let byteCount: Int
}

extension ThumbnailShape {
  /// Whether both show the same part of a picture, in the same mode.
  fileprivate func shows(as other: ThumbnailShape) -> Bool {
    crop == other.crop && mode == other.mode && isExact == other.isExact
      && box.width <= other.box.width && box.height <= other.box.height
  }
}
