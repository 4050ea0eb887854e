// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
  /// Returns the current files of an asset, sorted by PhotoKit's raw values of their types.
  func resources(of asset: Asset) throws(LibraryError) -> [ResourceRecord] {
    try read { database throws(LibraryError) in try database.resources(of: asset.row) }
  }
}
