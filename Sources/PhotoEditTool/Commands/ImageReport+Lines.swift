// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

extension ImageReport {
  var lines: LabelledLines {
    var lines = LabelledLines()
    lines.add("input", input)
    lines.add("format", "\(header.format.rawValue), \(image.bytes.count) bytes")
    lines.add("size", sizeText)
    lines.add("samples", samplesText)
    if let frame = image.frame { add(frame, to: &lines) }
    lines.add("color", image.color.description)
    if let icc = metadata.icc {
      let space = metadata.iccColorSpace?.split(separator: " ").joined() ?? ""
      lines.add(
        "profile", "\(metadata.iccDescription ?? "unnamed"), \(space), \(icc.count) bytes")
    }
    let kinds = [("EXIF", has(.exif)), ("XMP", has(.xmp)), ("IPTC", hasIPTC)]
      .filter(\.1).map(\.0)
    let makerNote =
      metadata.makerNoteByteCount > 0 ? ["maker note (\(metadata.makerNoteByteCount) bytes)"] : []
    lines.add(
      "metadata", (kinds + makerNote).isEmpty ? "none" : (kinds + makerNote).joined(separator: ", ")
    )
    for field in metadata.summary.fields { lines.add("  " + field.name, field.value) }
    lines.add("segments", each: segmentTexts)
    lines.add("gain map", metadata.gainMapRange.map { "\($0.count) bytes at \($0.lowerBound)" })
    lines.add("embedded", embedded.isEmpty ? nil : embedded.joined(separator: ", "))
    lines.add("would lose", each: losses.map { "\($0.kind): \($0.detail)" })
    lines.add("notices", each: notices)
    lines.add("digest", image.digest.description)
    return lines
  }

  private var sizeText: String {
    let orientation = metadata.orientation
    guard orientation != .up else { return "\(image.size)" }
    return "\(image.size) with orientation applied, \(header.size) stored "
      + "(orientation \(orientation.rawValue))"
  }

  private var samplesText: String {
    let bits = header.bitsPerSample == 1 ? "1 bit" : "\(header.bitsPerSample) bits"
    let alpha = header.layout.channels.hasAlpha ? ", with transparency" : ""
    let interlaced = header.format == .png && header.isProgressive ? ", interlaced" : ""
    return "\(header.sourceColor.rawValue), \(bits)\(alpha)\(interlaced)"
  }

  private func add(_ frame: JPEGFrame, to lines: inout LabelledLines) {
    var coding = [frame.codingText, frame.isArithmetic ? "arithmetic" : "Huffman"]
    if frame.restartInterval > 0 {
      coding.append("restart marker every \(frame.restartInterval) MCUs")
    }
    lines.add("coding", coding.joined(separator: ", "))
    lines.add("sampling", frame.samplingText)
    lines.add("quality", "about \(frame.estimatedQuality), estimated from the quantization tables")
  }

  private var segmentTexts: [String] {
    let shown = metadata.segments.prefix(InspectLimits.segments).map { segment in
      "\(Self.name(ofMarker: segment.marker)) \(segment.kind.rawValue), "
        + "\(segment.payload.count) bytes"
    }
    let hidden = metadata.segments.count - shown.count
    return hidden > 0 ? shown + ["and \(hidden) more"] : shown
  }
}
