// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEditLibrary
import PhotoEditPixels
import PhotoEditRendering

/// Thumbnails of photos of 12 megapixels.
extension LibraryBenchmark {
  private static let thumbnail = PixelSize(width: 256, height: 256)
  /// Thumbnails on a screen.
  private static let screen = 100

  func measureImages(_ measure: inout Measure) throws {
    let assets = try addPhotos()
    let cold = ImageManager(library)
    let seconds = try Measure.seconds { try request(assets, cold) }
    measure.add("100 thumbnails of photos of 12 MP, cold", seconds, "s", limit: 1.5)
    try measure.milliseconds("100 thumbnails from the library's folder", limit: nil, rounds: 3) {
      try request(assets, ImageManager(library))
    }
    var options = ImageRequestOptions()
    options.isSynchronous = true
    measure.milliseconds("a thumbnail from memory", limit: 1) {
      cold.requestImage(for: assets[0], targetSize: Self.thumbnail, options: options) { _, _ in }
    }
  }

  private func request(_ assets: [Asset], _ manager: ImageManager) throws {
    let group = DispatchGroup()
    var options = ImageRequestOptions()
    options.deliveryMode = .highQuality
    for asset in assets {
      group.enter()
      manager.requestImage(
        for: asset, targetSize: Self.thumbnail, contentMode: .aspectFill, options: options
      ) { image, info in
        if image == nil { complain("\(info.error?.description ?? "no image")") }
        group.leave()
      }
    }
    group.wait()
  }

  /// Photos that differ in a few bytes: smooth shapes with noise, 2.2 bits per pixel like camera
  /// photos and those of the other benchmark.
  private func addPhotos() throws -> [Asset] {
    let size = PixelSize(width: 4000, height: 3000)
    var image = ImageBuffer(size: size, layout: RowLayout(channels: .rgb))
    var state: UInt32 = 1
    for y in 0..<size.height {
      for x in 0..<size.width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let shape = (x &* x / 900 &+ y &* y / 1300 &+ x &* y / 2100) & 255
        let soft = shape < 128 ? shape : 255 - shape
        let level = 50 + soft + Int(state >> 28)
        for channel in 0..<3 {
          image.bytes[(y * size.width + x) * 3 + channel] = UInt8(level - 10 * channel)
        }
      }
    }
    let jpeg = try Thumbnail(image).jpeg(quality: 90)
    let names = try library.performChangesAndWait { changes in
      try (0..<Self.screen).map { number in
        let request = try changes.createAsset()
        // Trailing bytes make it a different file.
        try request.addResource(.photo, data: jpeg + [UInt8(number), 1, 2, 3])
        return request.outcome
      }
    }.compactMap(\.created)
    return try Array(library.fetchAssets(withLocalIdentifiers: names))
  }
}
