// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Small computed images with known samples, so that tests need no decoder.
enum Charts {
  /// Pseudorandom levels including black and white; alpha ranges from 0 to opaque.
  static func noise(
    _ width: Int, _ height: Int, _ channels: ChannelLayout = .rgb, bytesPerSample: Int = 1
  ) -> ImageBuffer {
    var image = ImageBuffer(
      size: PixelSize(width: width, height: height),
      layout: RowLayout(channels: channels, bytesPerSample: bytesPerSample))
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<channels.count {
          // A linear congruential generator; its upper bits are uniform enough here.
          state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
          let isAlpha = channels.hasAlpha && channel == channels.count - 1
          let level = isAlpha ? min(255, x * 300 / max(1, width - 1)) : Int(state >> 56)
          image[x: x, y: y, channel: channel] = level * (bytesPerSample == 1 ? 1 : 257)
        }
      }
    }
    for channel in 0..<channels.colorCount {
      image[x: 0, y: 0, channel: channel] = 0
      image[x: width - 1, y: height - 1, channel: channel] = image.maximum
    }
    return image
  }

  /// An image with the samples of a closure.
  static func image(
    _ width: Int, _ height: Int, _ channels: ChannelLayout, bytesPerSample: Int = 1,
    _ sample: (_ x: Int, _ y: Int, _ channel: Int) -> Int
  ) -> ImageBuffer {
    let count = channels.count
    var bytes: [UInt8] = []
    bytes.reserveCapacity(width * height * count * bytesPerSample)
    for y in 0..<height {
      for x in 0..<width {
        for channel in 0..<count {
          let level = sample(x, y, channel)
          if bytesPerSample == 1 {
            bytes.append(UInt8(level))
          } else {
            withUnsafeBytes(of: UInt16(level)) { bytes += $0 }
          }
        }
      }
    }
    return ImageBuffer(
      size: PixelSize(width: width, height: height),
      layout: RowLayout(channels: channels, bytesPerSample: bytesPerSample), bytes: bytes)
  }

  /// The image as an opened PNG.
  static func source(_ image: ImageBuffer) throws -> ImageSource {
    try ImageSource(FileBytes(PNGEncoder.encode(image)))
  }

  /// The image as an opened JPEG.
  static func source(_ image: ImageBuffer, settings: JPEGSettings) throws -> ImageSource {
    try ImageSource(
      JPEGs.encode(
        image, luma: settings.luma, chroma: settings.chroma, sampling: settings.sampling))
  }

  /// An image of `TestImages/inputs`.
  static func source(named name: String) throws -> ImageSource {
    try ImageSource(FileBytes(TestImages.bytes(name)))
  }
}

extension ImageBuffer {
  /// The color channels as loaded by the engine: level divided by maximum.
  var floatPlanes: [[Float]] {
    let step = layout.channels.count
    return (0..<layout.channels.colorCount).map { channel in
      var plane: [Float] = []
      plane.reserveCapacity(size.pixelCount)
      bytes.withUnsafeBytes { bytes in
        for sample in stride(from: channel, to: size.pixelCount * step, by: step) {
          if layout.bytesPerSample == 1 {
            plane.append(Float(Double(bytes[sample]) / 255))
          } else {
            let level = bytes.loadUnaligned(fromByteOffset: 2 * sample, as: UInt16.self)
            plane.append(Float(level) / 65_535)
          }
        }
      }
      return plane
    }
  }

  /// A rectangle of the image.
  func cropped(to region: Region) -> ImageBuffer {
    Charts.image(
      region.width, region.height, layout.channels, bytesPerSample: layout.bytesPerSample
    ) { self[x: region.x + $0, y: region.y + $1, channel: $2] }
  }

  /// The image with an orientation applied.
  func rotated(_ orientation: Orientation) -> ImageBuffer {
    let target = orientation.applied(to: size)
    return Charts.image(
      target.width, target.height, layout.channels, bytesPerSample: layout.bytesPerSample
    ) { x, y, channel in
      let from = orientation.storedPosition(x: x, y: y, stored: size)
      return self[x: from.x, y: from.y, channel: channel]
    }
  }
}

extension Raster {
  /// A rectangle of the raster, plane by plane.
  func cropped(to region: Region) -> [[Float]] {
    planes.map { plane in
      (0..<region.height).flatMap { y in
        let first = (region.y + y) * size.width + region.x
        return plane[first..<first + region.width]
      }
    }
  }

  /// The planes with an orientation applied.
  func rotated(_ orientation: Orientation) -> [[Float]] {
    let target = orientation.applied(to: size)
    return planes.map { plane in
      (0..<target.pixelCount).map { i in
        let from = orientation.storedPosition(
          x: i % target.width, y: i / target.width, stored: size)
        return plane[from.y * size.width + from.x]
      }
    }
  }

  /// Three planes, also for a gray raster.
  var rgb: [[Float]] { planes.count == 3 ? planes : [planes[0], planes[0], planes[0]] }
}

/// Renders a chain of filters to floats.
func raster(
  _ image: ImageSource, _ filters: [any Filter], _ options: RenderOptions = RenderOptions()
) throws -> Raster {
  try Renderer.raster(image, Charts.graph(filters), options: options)
}

extension Charts {
  /// A graph that makes filters visible: masks on an inversion, layers over the inverted image,
  /// files from the samples of `assets`.
  static func graph(_ filters: [any Filter]) throws -> FilterGraph {
    var graph = FilterGraph()
    for filter in filters {
      let description = type(of: filter).description
      var inputs: [String]?
      switch description.inputs {
      case .none, .optionalImage: inputs = []
      case .image: break
      case .twoImages:
        let before = graph.nodes.last?.id ?? FilterGraph.sourceName
        inputs = [before, try graph.append(Invert(amount: 0.8))]
      case .mask, .twoMasks:
        let masks = [
          try graph.append(MaskRadial(), inputs: []), try graph.append(MaskLinear(), inputs: []),
        ]
        inputs = Array(masks.prefix(description.inputs.counts.lowerBound))
      case .masks:
        // As many masks as the filter has members.
        let members: [MaskMember] =
          if case .members(let members)? = filter.values["members"] { members } else { [] }
        inputs = try (0..<(members.isEmpty ? 3 : members.count)).map { number in
          try graph.append(number % 2 == 0 ? MaskRadial() : MaskLinear(), inputs: [])
        }
      }
      let id = try graph.append(filter, inputs: inputs)
      if description.dependency == .mask { try graph.append(Invert(amount: 0.7), mask: id) }
    }
    graph.assets = assets
    return graph
  }

  /// A file of each kind, with the kind as its name.
  static let assets: [String: GraphAttachment] = {
    let table = (0..<4).map { i in
      let x = Double(i) / 3
      return "\(x * x) \(1 - x) \(x * 0.9)"
    }
    let cube = (0..<27).map { i in
      let (r, g, b) = (Double(i % 3) / 2, Double(i / 3 % 3) / 2, Double(i / 9) / 2)
      return "\(0.8 * r + 0.1 * b) \(g * g) \(1 - 0.7 * b - 0.2 * r)"
    }
    let mark = Charts.noise(5, 3, .rgba)
    let hald = Charts.image(8, 8, .rgb) { x, y, channel in
      let i = y * 8 + x
      return [i % 4, i / 4 % 4, i / 16][(channel + 1) % 3] * 85
    }
    func source(_ image: ImageBuffer) -> GraphAttachment {
      do {
        return GraphAttachment(try PNGEncoder.encode(image), mediaType: "image/png")
      } catch {
        preconditionFailure("\(error)")
      }
    }
    func asset(_ text: [String], _ size: String) -> GraphAttachment {
      GraphAttachment(
        Array(([size] + text).joined(separator: "\n").utf8), mediaType: "application/x-cube-lut")
    }
    return [
      AttachmentKind.lookupTable.rawValue: asset(table, "LUT_1D_SIZE 4"),
      AttachmentKind.lookupCube.rawValue: asset(cube, "LUT_3D_SIZE 3"),
      AttachmentKind.haldImage.rawValue: source(hald),
      AttachmentKind.image.rawValue: source(mark),
      AttachmentKind.font.rawValue: GraphAttachment(TestFont().bytes, mediaType: "font/sfnt"),
    ]
  }()
}

/// The largest difference between two sets of planes in 8-bit levels; infinite if a sample is not
/// finite.
func difference(_ first: [[Float]], _ second: [[Float]]) throws -> Double {
  try #require(first.count == second.count)
  return try zip(first, second).map { try FloatDifference($0, $1).maximum }.max() ?? 0
}
