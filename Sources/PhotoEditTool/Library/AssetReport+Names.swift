// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditLibrary

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
