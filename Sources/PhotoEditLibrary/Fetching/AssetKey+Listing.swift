// SPDX-License-Identifier: Apache-2.0

extension AssetKey {
  /// The names of all keys of assets with the types of their values, for manuals.
  package static var listing: [(name: String, type: String)] {
    Asset.source.columns.map { ($0.name, "\($0.kind)") }
  }
}
