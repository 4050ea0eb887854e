// SPDX-License-Identifier: Apache-2.0

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

  var json: [String: JSONValue] {
    [
      "input": .string(input), "kind": "picture", "format": .string(header.format.rawValue),
      "type": .string(header.format.uniformTypeIdentifier),
      "bytes": .whole(image.bytes.count), "digest": .string(image.digest.description),
      "width": .whole(image.size.width), "height": .whole(image.size.height),
      "storedWidth": .whole(header.size.width), "storedHeight": .whole(header.size.height),
      "orientation": .whole(metadata.orientation.rawValue),
      "color": .string(header.sourceColor.rawValue),
      "colorSpace": [
        "name": .string(image.color.name), "stated": .text(statedBy),
        "handling": .string(image.color.handling.rawValue),
      ],
      "bitsPerSample": .whole(header.bitsPerSample),
      "channels": .whole(header.layout.channels.count),
      "hasAlpha": .bool(header.layout.channels.hasAlpha),
      "isProgressive": .bool(header.isProgressive),
      "jpeg": image.frame.map(json) ?? .null, "icc": profile,
      "metadata": [
        "exif": .bool(has(.exif)), "xmp": .bool(has(.xmp)), "iptc": .bool(hasIPTC),
        "makerNoteBytes": .whole(metadata.makerNoteByteCount),
        "hasThumbnail": .bool(metadata.hasThumbnail),
      ],
      "gainMap": metadata.gainMapRange.map {
        ["offset": .whole($0.lowerBound), "bytes": .whole($0.count)]
      } ?? .null,
      "summary": summary,
      "segmentCount": .whole(metadata.segments.count),
      "segments": .array(metadata.segments.prefix(InspectLimits.segments).map(json)),
      "embedded": .texts(embedded),
      "losses": .array(losses.map { ["kind": .string($0.kind), "detail": .string($0.detail)] }),
      "notices": .texts(notices),
    ]
  }

  /// The part of the file that specifies the color space; nil if it is not specified.
  private var statedBy: String? {
    switch image.color.origin {
    case .nowhere: nil
    case .profile: "ICC"
    case .stated(let source): source
    }
  }

  private func json(_ segment: JPEGSegment) -> JSONValue {
    [
      "marker": .string(Self.name(ofMarker: segment.marker)),
      "kind": .string(segment.kind.rawValue), "bytes": .whole(segment.payload.count),
    ]
  }

  private func json(_ frame: JPEGFrame) -> JSONValue {
    var tables: [String: JSONValue] = [:]
    for (component, table) in zip(frame.components, frame.tables) {
      tables["\(component.tableIndex)"] = .array(table.values.map { .whole(Int($0)) })
    }
    return [
      "coding": .string(frame.codingText), "entropy": .string(frame.entropyText),
      "restartInterval": .whole(frame.restartInterval),
      "mcuWidth": .whole(frame.mcuSize.width), "mcuHeight": .whole(frame.mcuSize.height),
      "sampling": .text(frame.samplingText),
      "components": .array(
        frame.components.map {
          [
            "identifier": .whole($0.id), "horizontal": .whole($0.horizontalSampling),
            "vertical": .whole($0.verticalSampling), "table": .whole($0.tableIndex),
          ]
        }),
      "estimatedQuality": .whole(frame.estimatedQuality), "tables": .object(tables),
      "hasAdobeMarker": .bool(frame.hasAdobeMarker),
    ]
  }

  private var profile: JSONValue {
    guard let icc = metadata.icc else { return .null }
    return [
      "description": .text(metadata.iccDescription), "space": .text(metadata.iccColorSpace),
      "bytes": .whole(icc.count),
    ]
  }

  private var summary: JSONValue {
    let summary = metadata.summary
    let fields: [String: JSONValue?] = [
      "make": summary.make.map { .string($0) }, "model": summary.model.map { .string($0) },
      "lens": summary.lens.map { .string($0) }, "software": summary.software.map { .string($0) },
      "dateTimeOriginal": summary.dateTimeOriginal.map { .string($0) },
      "offsetTimeOriginal": summary.offsetTimeOriginal.map { .string($0) },
      "iso": summary.iso.map { .whole($0) },
      "exposureTime": summary.exposureTime.map { .real($0) },
      "fNumber": summary.fNumber.map { .real($0) },
      "focalLength": summary.focalLength.map { .real($0) },
      "latitude": summary.latitude.map { .real($0) },
      "longitude": summary.longitude.map { .real($0) },
      "title": summary.title.map { .string($0) }, "caption": summary.caption.map { .string($0) },
      "creator": summary.creator.map { .string($0) },
      "copyright": summary.copyright.map { .string($0) },
      "keywords": summary.keywords.isEmpty ? nil : .texts(summary.keywords),
      "city": summary.city.map { .string($0) },
      "country": summary.country.map { .string($0) },
      "rating": summary.rating.map { .whole($0) },
    ]
    return .object(fields.compactMapValues { $0 })
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
