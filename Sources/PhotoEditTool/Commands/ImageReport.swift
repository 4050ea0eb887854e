// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering

/// The report on an image file.
struct ImageReport: InspectReport {
  let input: String
  let image: ImageSource

  var header: ImageHeader { image.header }
  var metadata: ImageMetadata { image.metadata }

  /// The source data that a rendering without filters would not contain.
  let losses: [RenderLoss]
  let notices: [String]

  init(input: String, image: ImageSource, codecNotices: [DecoderWarning]) {
    self.input = input
    self.image = image
    var notices =
      codecNotices.map(\.message) + image.metadata.notices + image.color.notices
    do throws(RenderError) {
      losses = try Renderer.losses(image)
    } catch {
      losses = []
      notices.append("Cannot be rendered: \(error).")
    }
    self.notices = notices
  }

  /// The kinds of images and videos in the file other than the main image.
  var embedded: [String] {
    let kinds: [MetadataLoss.Kind] = [
      .gainMap, .depthMap, .multipleImages, .motionPhoto, .frames,
    ]
    return kinds.filter { kind in metadata.losses.contains { $0.kind == kind } }.map(\.rawValue)
      + (has(.jfifExtension) || metadata.hasThumbnail ? ["thumbnail"] : [])
  }

  func has(_ kind: JPEGSegment.Kind) -> Bool { metadata.segments.contains { $0.kind == kind } }

  /// Indicates whether a Photoshop segment contains IPTC data: image resource 1028.
  var hasIPTC: Bool {
    let resource = Array("8BIM\u{4}\u{4}".utf8)
    return metadata.segments.contains { $0.kind == .photoshop && $0.payload.contains(resource) }
  }

  /// Returns the name of a marker: "APP1" to "APP15", or "COM".
  static func name(ofMarker marker: UInt8) -> String {
    marker == 0xFE ? "COM" : "APP\(marker & 0x0F)"
  }
}

extension JPEGFrame {
  /// The chroma subsampling, such as "4:2:0", or the factors of all components if it has no such
  /// name.
  var samplingText: String? {
    guard components.count > 1 else { return nil }
    let factors = components.map { ($0.horizontalSampling, $0.verticalSampling) }
    if components.count == 3, factors[1] == factors[2], factors[1] == (1, 1) {
      switch factors[0] {
      case (1, 1): return "4:4:4"
      case (2, 1): return "4:2:2"
      case (1, 2): return "4:4:0"
      case (2, 2): return "4:2:0"
      case (4, 1): return "4:1:1"
      default: break
      }
    }
    return factors.map { "\($0.0)×\($0.1)" }.joined(separator: ", ")
  }

  /// The coding process: "sequential" or "progressive".
  var codingText: String { isProgressive ? "progressive" : "sequential" }

  /// The entropy coding: "huffman" or "arithmetic".
  var entropyText: String { isArithmetic ? "arithmetic" : "huffman" }
}
