// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The report on an asset, for display and for scripts.
extension Asset {
  /// The line of a table: identifier, date, size, flags, and name.
  var line: String {
    let date = self.creationDate.map { Clock.text($0) } ?? "                    "
    let size = "\(self.pixelWidth)×\(self.pixelHeight)"
    let padding = String(repeating: " ", count: max(1, 12 - size.count))
    return "\(localIdentifier.prefix(8))  \(date)  \(size)\(padding)\(marks)  "
      + (self.title ?? self.originalFilename)
  }

  /// The flags: F favorite, H hidden, E edited, L Live Photo, V video, B burst; a dot if not set.
  private var marks: String {
    [
      self.isFavorite ? "F" : ".", self.isHidden ? "H" : ".", self.hasAdjustments ? "E" : ".",
      self.mediaType == .video ? "V" : self.mediaSubtypes.contains(.photoLive) ? "L" : ".",
      self.burstIdentifier == nil ? "." : "B",
    ].joined()
  }

  /// All properties, for scripts.
  var json: [String: JSONValue] {
    var json = report
    json["identifier"] = .string(localIdentifier)
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
