// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditLibrary
import Synchronization

/// Thumbnails of the first assets of a library, all requested at once.
struct Thumbnails {
  let library: URL
  let count: Int
  let size: PixelSize

  func measure(_ measurements: inout Measurements) throws {
    let library = try PhotoLibrary(at: library)
    var fetch = FetchOptions<Asset>()
    fetch.fetchLimit = count
    let assets = Array(try library.fetchAssets(fetch))
    guard assets.count == count else { throw Failure("\(assets.count) assets, not \(count)") }
    try measurements.measure("\(count) thumbnails", runs: 1) { _ in
      try request(assets, from: ImageManager(library))
    }
  }

  private func request(_ assets: [Asset], from manager: ImageManager) throws {
    let (group, delivered) = (DispatchGroup(), Counter())
    var options = ImageRequestOptions()
    options.deliveryMode = .highQuality
    for asset in assets {
      group.enter()
      manager.requestImage(for: asset, targetSize: size, options: options) { image, _ in
        if image != nil { delivered.value.add(1, ordering: .relaxed) }
        group.leave()
      }
    }
    group.wait()
    let number = delivered.value.load(ordering: .relaxed)
    guard number == count else { throw Failure("\(number) thumbnails, not \(count)") }
  }
}

/// A number that threads count together.
private final class Counter: Sendable {
  let value = Atomic(0)
}

/// An unexpected result.
struct Failure: Error, CustomStringConvertible {
  let description: String

  init(_ description: String) { self.description = description }
}
