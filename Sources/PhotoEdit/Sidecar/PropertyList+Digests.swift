// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditStorage

extension PropertyList {
  func digest(_ key: String) -> SHA256Digest? { string(key).flatMap { SHA256Digest($0) } }

  /// Returns the digests in a list; other values are skipped.
  func digests(_ key: String) -> Set<SHA256Digest> {
    guard case .array(let items)? = values[key] else { return [] }
    return Set(
      items.compactMap { item in
        if case .string(let text) = item { SHA256Digest(text) } else { nil }
      })
  }

  /// Returns attachments by their digests.
  func assets(_ key: String) -> [SHA256Digest: Data] {
    guard case .dictionary(let entries)? = values[key] else { return [:] }
    var assets: [SHA256Digest: Data] = [:]
    for (name, value) in entries {
      if let digest = SHA256Digest(name), case .data(let data) = value { assets[digest] = data }
    }
    return assets
  }
}
