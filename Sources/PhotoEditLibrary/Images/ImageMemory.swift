// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// The key of a cached image: the digest of its source and its shape.
struct ImageKey: Hashable, Sendable {
  let digest: SHA256Digest
  let shape: ThumbnailShape
}

/// An in-memory cache of images with a limit in bytes and least-recently-used eviction.
final class ImageMemory: Sendable {
  private struct Entry {
    let image: ImageBuffer
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

  let budget: Int
  private let state = LockedValue(State())

  init(budget: Int) { self.budget = budget }

  /// Returns the cached image; counts as a use and as a hit or a miss.
  func image(_ key: ImageKey) -> ImageBuffer? {
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

  /// Returns the largest image of the same content, part and mode whose box is no larger than that
  /// of the key.
  func smaller(than key: ImageKey) -> ImageBuffer? {
    state.withLock { state in
      state.entries.filter { $0.key.digest == key.digest && $0.key.shape.shows(as: key.shape) }
        .max { $0.value.image.bytes.count < $1.value.image.bytes.count }?.value.image
    }
  }

  /// Caches an image, unless it alone exceeds the limit.
  func put(_ image: ImageBuffer, _ key: ImageKey) {
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

  /// Returns whether an image is cached; does not count as a use.
  func contains(_ key: ImageKey) -> Bool { state.withLock { $0.entries[key] != nil } }

  func remove(_ key: ImageKey) { state.withLock { $0.remove(key) } }

  func removeAll() {
    state.withLock { state in
      state.entries = [:]
      state.byteCount = 0
    }
  }

  var statistics: ImageCacheStatistics {
    state.withLock { state in
      ImageCacheStatistics(
        hits: state.hits, misses: state.misses, count: state.entries.count,
        byteCount: state.byteCount)
    }
  }
}

/// The contents and the hit counts of an image cache.
public struct ImageCacheStatistics: Sendable, Hashable {
  /// The number of requests whose image was in memory.
  public let hits: Int
  /// The number of requests whose image was not in memory.
  public let misses: Int
  /// The number of images in memory.
  public let count: Int
  /// The size of their samples, in bytes.
  public let byteCount: Int
}

extension ThumbnailShape {
  /// Returns whether an image of this shape shows the same part in the same mode and is no larger.
  fileprivate func shows(as other: ThumbnailShape) -> Bool {
    crop == other.crop && mode == other.mode && isExact == other.isExact
      && box.width <= other.box.width && box.height <= other.box.height
  }
}
