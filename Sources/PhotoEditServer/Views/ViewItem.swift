// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage

extension Asset {
  /// The identifier of what the current version shows; it changes with every edit.
  var imageTag: String {
    let text = "\(localIdentifier) \(contentModificationDate.timeIntervalSince1970.bitPattern)"
    return String(SHA256Digest(of: Array(text.utf8)).hex.prefix(24))
  }

  /// The photo as an item of a list.
  var item: JSONValue {
    var flags: [String] = []
    if isFavorite { flags.append("favorite") }
    if isHidden { flags.append("hidden") }
    if hasAdjustments { flags.append("edited") }
    if mediaType == .video { flags.append("movie") }
    if mediaSubtypes.contains(.photoLive) { flags.append("live") }
    if traits.contains(.raw) { flags.append("raw") }
    if mediaSubtypes.contains(.photoHDR) { flags.append("hdr") }
    if burstIdentifier != nil { flags.append("burst") }
    if trashedDate != nil { flags.append("trashed") }
    return .object([
      "id": .string(localIdentifier.withoutSuffix), "w": .whole(pixelWidth),
      "h": .whole(pixelHeight),
      "date": .text(creationDate.map { Clock.text($0) }), "duration": .real(duration),
      "flags": .texts(flags), "picture": .string(imageTag),
      "title": .string(title ?? originalFilename),
    ])
  }
}

extension String {
  /// A local identifier without the part from its first slash, which depends on its class only.
  var withoutSuffix: String { String(prefix { $0 != "/" }) }
}
