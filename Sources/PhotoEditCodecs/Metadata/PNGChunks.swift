// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// Iterates over the chunks of a PNG file and converts metadata chunks to JPEG segments.
///
/// - Source: PNG, third edition (W3C, 2025), sections 5 and 11.
struct PNGChunks {
  private(set) var segments: [JPEGSegment] = []
  /// The position after the IEND chunk, or the end of the file without one.
  private(set) var end: Int
  var findings = MetadataDiagnostics()

  private let buffer: UnsafeRawBufferPointer
  private let limits: ImageLimits
  private var byteCount = 0
  private var unknown: Set<String> = []
  /// The contents of the color chunks.
  private(set) var color = PNGColor()
  /// The number of animation frames; the still image is the first of them or is not shown at all.
  private var frameCount: Int?
  private var stillIsFrame = false
  private var hasData = false

  init(_ buffer: UnsafeRawBufferPointer, limits: ImageLimits) {
    (self.buffer, self.limits) = (buffer, limits)
    end = buffer.count
  }

  mutating func run() throws(MetadataError) {
    guard buffer.has(ChunkReader.pngSignature, at: 0) else {
      findings.notice("The file does not start like a PNG; its metadata is not read.")
      return
    }
    var reader = ChunkReader(png: buffer)
    var hasEnd = false
    while !hasEnd, let chunk = reader.next(), !chunk.isTruncated {
      try read(chunk.name, chunk.body)
      hasEnd = chunk.type == "IEND"
    }
    if hasEnd {
      end = reader.position
    } else {
      findings.notice("The PNG has no end chunk; it is probably truncated.")
    }
    if let sentence = color.unreadCodes { findings.reportLoss(.colorTags, sentence) }
    if let range = color.dynamicRange { findings.reportLoss(.dynamicRange, range.loss) }
    noteFrames()
    findings.reportUnknown("PNG chunks", unknown.sorted())
  }

  private mutating func noteFrames() {
    guard let frameCount, frameCount > 1 || !stillIsFrame else { return }
    let keptFrames =
      stillIsFrame ? "only the first is kept" : "only the still image before them is kept"
    findings.reportLoss(.frames, "The PNG is animated (\(frameCount) frames); \(keptFrames).")
  }

  private mutating func read(_ type: String, _ body: Range<Int>) throws(MetadataError) {
    switch type {
    case "eXIf", "iCCP", "iTXt", "tEXt", "zTXt", "pHYs":
      guard buffer.hasRightChecksum(body) else {
        findings.reportLoss(
          .damagedMetadata, "The PNG chunk \(type) is damaged: incorrect checksum.")
        return
      }
      try convert(type, body)
    case "acTL":
      frameCount = buffer[body].unsigned32(at: body.lowerBound)
    case "fcTL": stillIsFrame = stillIsFrame || !hasData
    case "IDAT": hasData = true
    case "caBX":
      findings.reportContentCredentials()
    case let type where PNGColor.chunks.contains(type):
      guard buffer.hasRightChecksum(body) else {
        findings.notice("The PNG chunk \(type) is damaged: incorrect checksum.")
        return
      }
      color.read(type, Array(buffer[body].prefix(32)))
    case "IHDR", "PLTE", "IEND", "tRNS", "bKGD", "hIST", "sBIT", "mDCV", "sPLT",
      "tIME", "fdAT", "iDOT":
      break
    default:
      guard unknown.count < 100, let name = MetadataText.clean(type) else { return }
      unknown.insert(name)
    }
  }

  private mutating func convert(_ type: String, _ body: Range<Int>) throws(MetadataError) {
    switch type {
    case "eXIf":
      let bytes = Array(buffer[body])
      let hasPrefix = bytes.has(JPEGSegment.Signature.exif, at: 0)
      try add(0xE1, hasPrefix ? bytes : Array("Exif\0\0".utf8) + bytes)
    case "pHYs":
      if let payload = density(buffer[body]) { try add(0xE0, payload) }
    case "iCCP": try convertProfile(body)
    default: try convertText(type, body)
    }
  }

  /// Adds a segment; every segment counts toward the limit.
  mutating func add(_ marker: UInt8, _ payload: [UInt8]) throws(MetadataError) {
    byteCount += payload.count
    guard segments.count < ImageMetadata.maximumSegmentCount else {
      throw .tooManySegments(limit: ImageMetadata.maximumSegmentCount)
    }
    guard byteCount <= limits.maximumMetadataBytes else {
      throw .tooManyBytes(limit: limits.maximumMetadataBytes)
    }
    segments.append(JPEGSegment(marker: marker, payload: payload))
  }

  /// Inflates a part of a chunk; returns nil and records a loss if it is damaged.
  mutating func inflated(_ type: String, _ range: Range<Int>) throws(MetadataError) -> [UInt8]? {
    // Deflate reaches 1:1032 on zeros; no profile or text comes near 1:100.
    let plausible = max(1 << 20, 100 * range.count)
    let limit = min(plausible, limits.maximumMetadataBytes - byteCount)
    do {
      let bytes = try Zlib.inflate(UnsafeRawBufferPointer(rebasing: buffer[range]), limit: limit)
      // Discarded data has taken processing time as well.
      byteCount += bytes.count
      return bytes
    } catch {
      switch error {
      case .damaged:
        findings.reportLoss(
          .damagedMetadata, "The PNG chunk \(type) is damaged: decompression failed.")
        return nil
      case .tooLarge:
        throw .decompressionBomb(chunk: type, compressed: range.count, limit: limit)
      }
    }
  }

  private mutating func convertProfile(_ body: Range<Int>) throws(MetadataError) {
    guard let zero = buffer[body].prefix(80).firstIndex(of: 0), zero + 1 < body.upperBound,
      buffer[zero + 1] == 0
    else {
      findings.reportLoss(
        .damagedMetadata, "The PNG chunk iCCP is damaged: name or method is missing.")
      return
    }
    guard let profile = try inflated("iCCP", (zero + 2)..<body.upperBound) else { return }
    guard let profileSegments = ICCProfile.segments(for: profile) else {
      findings.reportLoss(
        .colorProfile, "An ICC profile of \(profile.count) bytes does not fit in a JPEG.")
      return
    }
    for segment in profileSegments { try add(segment.marker, segment.payload) }
  }

  /// Parses a text chunk and adds the equivalent segment.
  private mutating func convertText(_ type: String, _ body: Range<Int>) throws(MetadataError) {
    guard let text = try PNGText(type, body, in: buffer, chunks: &self) else {
      findings.reportLoss(.damagedMetadata, "The PNG chunk \(type) is damaged: truncated fields.")
      return
    }
    if let segment = text.segment {
      try add(segment.marker, segment.payload)
    } else {
      findings.reportLoss(
        .text, "The text \"\(text.shownKeyword)\" does not fit in a JPEG comment.")
    }
  }

  /// Returns a JFIF payload with the density of a pHYs chunk; nil if JFIF cannot express it.
  private func density(_ body: Slice<UnsafeRawBufferPointer>) -> [UInt8]? {
    guard let x = body.unsigned32(at: body.startIndex),
      let y = body.unsigned32(at: body.startIndex + 4), body.count >= 9
    else { return nil }
    let isMetric = body[body.startIndex + 8] == 1
    // Meters to inches: 0.0254, rounded.
    let values = isMetric ? [x, y].map { ($0 * 254 + 5000) / 10_000 } : [x, y]
    return JFIF.payload(unit: isMetric ? 1 : 0, x: values[0], y: values[1])
  }
}

extension UnsafeRawBufferPointer {
  /// Returns whether the checksum after the body of a PNG chunk is right.
  func hasRightChecksum(_ body: Range<Int>) -> Bool {
    let covered = UnsafeRawBufferPointer(rebasing: self[(body.lowerBound - 4)..<body.upperBound])
    return unsigned32(at: body.upperBound).map { UInt32($0) == Zlib.crc32(covered) } ?? false
  }
}
