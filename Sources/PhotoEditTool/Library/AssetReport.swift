// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The report on an asset, for display and for scripts.
extension Asset {
  /// The line of a table: identifier, date, size, flags, and name.
  var line: String {
    let date = creationDate.map { Clock.text($0) } ?? "                    "
    let size = "\(pixelWidth)×\(pixelHeight)"
    let padding = String(repeating: " ", count: max(1, 12 - size.count))
    return "\(localIdentifier.prefix(8))  \(date)  \(size)\(padding)\(marks)  "
      + (title ?? originalFilename)
  }

  /// The flags: F favorite, H hidden, E edited, L Live Photo, V video, B burst; a dot if not set.
  private var marks: String {
    [
      isFavorite ? "F" : ".", isHidden ? "H" : ".", hasAdjustments ? "E" : ".",
      mediaType == .video ? "V" : mediaSubtypes.contains(.photoLive) ? "L" : ".",
      burstIdentifier == nil ? "." : "B",
    ].joined()
  }

  /// The creation date on the clock at the place of capture; in UTC if its offset is unknown.
  var localDate: String? { creationDate.map { Clock.text($0, utcOffset: utcOffset) } }

  /// All properties, for scripts.
  var json: [String: JSONValue] {
    func date(_ date: Date?) -> JSONValue { .text(date.map { Clock.text($0) }) }
    var json: [String: JSONValue] = [
      "identifier": .string(localIdentifier), "mediaType": .whole(mediaType.rawValue),
      "mediaSubtypes": .whole(mediaSubtypes.rawValue), "traits": .whole(traits.rawValue),
      "playbackStyle": .whole(playbackStyle.rawValue), "sourceType": .whole(sourceType.rawValue),
      "pixelWidth": .whole(pixelWidth), "pixelHeight": .whole(pixelHeight),
      "duration": .number(duration), "creationDate": date(creationDate),
      "modificationDate": date(modificationDate),
      "contentModificationDate": date(contentModificationDate), "addedDate": date(addedDate),
      "favorite": .bool(isFavorite), "hidden": .bool(isHidden),
      "burstIdentifier": .text(burstIdentifier), "representsBurst": .bool(representsBurst),
      "burstSelectionTypes": .whole(burstSelectionTypes.rawValue),
      "hasAdjustments": .bool(hasAdjustments), "originalFilename": .string(originalFilename),
      "title": .text(title), "caption": .text(caption), "trashedDate": date(trashedDate),
      "keywords": .array(keywords.map { .string($0) }), "rating": .whole(rating),
      "label": .text(label?.rawValue), "people": .array(people.map { .string($0) }),
      "place": .text(place), "camera": .text(camera), "lens": .text(lens),
      "iso": iso.map { .whole($0) } ?? .null, "fNumber": fNumber.map { .number($0) } ?? .null,
      "focalLength": focalLength.map { .number($0) } ?? .null,
      "fileSize": fileSize.map { .whole($0) } ?? .null,
      "utcOffset": utcOffset.map { .whole($0) } ?? .null, "localDate": .text(localDate),
    ]
    if let location {
      json["location"] = [
        "latitude": .number(location.latitude), "longitude": .number(location.longitude),
        "altitude": location.altitude.map { .number($0) } ?? .null,
      ]
    } else {
      json["location"] = .null
    }
    json["regions"] = .array(regions.map(\.json))
    json["day"] = .text(day?.description)
    json.merge(PropertyNames.of(self)) { first, _ in first }
    return json
  }
}

extension Asset.Region {
  /// The kind, the name and the rectangle in percent of the displayed original, from its upper left
  /// corner.
  var line: String {
    func percent(_ value: Double) -> String {
      String(Double(Int((value * 1000).rounded())) / 10) + " %"
    }
    return "\(kind)" + (name.map { " " + $0 } ?? "")
      + ": \(percent(width)) × \(percent(height)) at \(percent(x - width / 2)), "
      + percent(y - height / 2)
  }

  fileprivate var json: JSONValue {
    [
      "kind": .string(kind.rawValue), "name": .text(name), "x": .number(x), "y": .number(y),
      "width": .number(width), "height": .number(height),
    ]
  }
}

/// The names beside the numbers of PhotoKit in reports for scripts.
enum PropertyNames {
  /// Returns the names of the elements of an option set.
  private static func names<Options: OptionSet & Sendable>(
    _ options: Options, _ all: [(String, Options)]
  ) -> JSONValue where Options.Element == Options {
    .array(all.filter { options.contains($0.1) }.map { .string($0.0) })
  }

  static func of(_ asset: Asset) -> [String: JSONValue] {
    [
      "localIdentifier": .string(asset.localIdentifier),
      "mediaTypeName": .string("\(asset.mediaType)"),
      "mediaSubtypeNames": names(
        asset.mediaSubtypes,
        [
          ("photoPanorama", .photoPanorama), ("photoHDR", .photoHDR),
          ("photoScreenshot", .photoScreenshot), ("photoLive", .photoLive),
          ("photoDepthEffect", .photoDepthEffect), ("spatialMedia", .spatialMedia),
          ("videoStreamed", .videoStreamed), ("videoHighFrameRate", .videoHighFrameRate),
          ("videoTimelapse", .videoTimelapse), ("videoCinematic", .videoCinematic),
        ]),
      "traitNames": names(
        asset.traits,
        [
          ("raw", .raw), ("animated", .animated), ("selfPortrait", .selfPortrait),
          ("longExposure", .longExposure), ("knownDamage", .knownDamage),
        ]),
      "playbackStyleName": .string("\(asset.playbackStyle)"),
      "sourceTypeNames": names(
        asset.sourceType,
        [("userLibrary", .userLibrary), ("cloudShared", .cloudShared), ("synced", .synced)]),
      "burstSelectionTypeNames": names(
        asset.burstSelectionTypes, [("autoPick", .autoPick), ("userPick", .userPick)]),
    ]
  }
}
