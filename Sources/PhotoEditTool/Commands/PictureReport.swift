// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering

/// What a picture file is.
struct PictureReport: InspectReport {
  let input: String
  let picture: Picture

  var header: ImageHeader { picture.header }
  var metadata: ImageMetadata { picture.metadata }

  /// What a rendering without filters would not hold.
  let losses: [RenderLoss]
  let notices: [String]

  init(input: String, picture: Picture, codecNotices: [CodecNotice]) {
    self.input = input
    self.picture = picture
    var notices =
      codecNotices.map(\.message) + picture.metadata.notices + picture.color.notices
    do throws(RenderError) {
      losses = try Renderer.losses(picture)
    } catch {
      losses = []
      notices.append("It cannot be rendered: \(error).")
    }
    self.notices = notices
  }

  /// Further pictures and films that the file holds besides the one that is shown.
  var embedded: [String] {
    let kinds: [MetadataLoss.Kind] = [
      .gainMap, .depthMap, .multiplePictures, .motionPhoto, .frames,
    ]
    return kinds.filter { kind in metadata.losses.contains { $0.kind == kind } }.map(\.rawValue)
      + (has(.jfifExtension) || metadata.hasThumbnail ? ["thumbnail"] : [])
  }

  func has(_ kind: JPEGSegment.Kind) -> Bool { metadata.segments.contains { $0.kind == kind } }

  /// Whether a Photoshop segment holds IPTC: image resource 1028.
  var hasIPTC: Bool {
    let resource = Array("8BIM\u{4}\u{4}".utf8)
    return metadata.segments.contains { $0.kind == .photoshop && $0.payload.contains(resource) }
  }

  /// "APP1" to "APP15", or "COM".
  static func name(ofMarker marker: UInt8) -> String {
    marker == 0xFE ? "COM" : "APP\(marker & 0x0F)"
  }
}

extension JPEGFrame {
  /// How chroma is sampled: "4:2:0", or the factors of all components where that says too little.
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

  /// Whether coefficients come in one pass or several: "sequential" or "progressive".
  var codingText: String { isProgressive ? "progressive" : "sequential" }

  /// "Huffman" or "arithmetic", in small letters.
  var entropyText: String { isArithmetic ? "arithmetic" : "huffman" }
}
