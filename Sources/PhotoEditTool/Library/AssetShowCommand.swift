// SPDX-License-Identifier: Apache-2.0

/// A command that shows all properties of assets.
struct AssetShowCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset show", "Show properties, albums and files of assets.",
    examples: [CommandExample("asset show 3F25 -L Photos", "show one asset")],
    writesJSON: true,
    arguments: [.group(\.assets, AssetArguments.arguments())])

  var assets = AssetArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try assets.library.open(environment)
    try Batch.run(assets.names, environment) { name throws(CommandFailure) in
      let asset = try library.asset(named: name)
      let albums = try inLibrary(library.fetchAssetCollections(containing: asset, with: .album))
      let files = try inLibrary(library.files(of: asset))
      if environment.wantsJSON {
        try environment.write(json(asset, Array(albums), files))
      } else {
        lines(asset, Array(albums), files).print(in: environment)
      }
    }
  }

  private func json(
    _ asset: Asset, _ albums: [AssetCollection], _ files: [AssetFile]
  ) -> [String: JSONValue] {
    var json = asset.json
    json["albums"] = .array(
      albums.map {
        ["identifier": .string($0.localIdentifier), "title": .text($0.localizedTitle)]
      })
    json["files"] = .array(
      files.map {
        [
          "type": .whole($0.type.rawValue), "typeName": .string("\($0.type)"),
          "path": .string($0.path),
          "bytes": .whole($0.size), "digest": .string($0.digest.description),
          "uniformType": .string($0.uniformType), "filename": .string($0.filename),
        ]
      })
    return json
  }

  /// Returns the exposure time, the aperture, the sensitivity and the focal length.
  private func exposure(_ asset: Asset) -> String? {
    let parts = [
      asset.exposureTime.map { MetadataSummary.exposure($0) }, asset.fNumber.map { "f/\($0)" },
      asset.iso.map { "ISO \($0)" },
      asset.focalLength.map { "\($0) mm" },
    ].compactMap { $0 }
    return parts.isEmpty ? nil : parts.joined(separator: ", ")
  }

  private func lines(
    _ asset: Asset, _ albums: [AssetCollection], _ files: [AssetFile]
  ) -> LabelledLines {
    var lines = LabelledLines()
    lines.add("identifier", asset.localIdentifier)
    lines.add("name", asset.originalFilename)
    for text in PhotoProperties.texts {
      lines.add(text.name, asset[dynamicMember: text.path])
    }
    lines.add("keywords", each: asset.keywords.map(KeywordPath.text))
    lines.add("people", each: asset.people)
    lines.add("regions", each: asset.regions.map(\.line))
    lines.add("rating", asset.rating == 0 ? nil : asset.rating < 0 ? "rejected" : "\(asset.rating)")
    lines.add("label", asset.label?.rawValue)
    lines.add("taken", asset.localDate)
    lines.add("added", Clock.text(asset.addedDate))
    lines.add("modified", Clock.text(asset.modificationDate))
    lines.add("size", "\(asset.pixelWidth)×\(asset.pixelHeight)")
    lines.add("duration", asset.duration > 0 ? "\(asset.duration) s" : nil)
    lines.add(
      "location", asset.location.map { "\($0.latitude), \($0.longitude)" })
    lines.add("place", asset.place)
    lines.add("camera", asset.camera)
    lines.add("lens", asset.lens)
    lines.add("exposure", exposure(asset))
    lines.add("favorite", asset.isFavorite ? "yes" : nil)
    lines.add("hidden", asset.isHidden ? "yes" : nil)
    lines.add("edited", asset.hasAdjustments ? "yes" : nil)
    lines.add("albums", each: albums.map { $0.localizedTitle ?? $0.localIdentifier })
    lines.add("files", each: files.map { "\($0.type): \($0.path) (\($0.size) bytes)" })
    return lines
  }
}
