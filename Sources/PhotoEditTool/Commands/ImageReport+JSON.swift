// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

extension ImageReport {
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
