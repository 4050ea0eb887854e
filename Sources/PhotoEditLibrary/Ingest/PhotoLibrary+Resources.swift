// SPDX-License-Identifier: Apache-2.0

extension PhotoLibrary {
  /// The files of an asset as they are now, by PhotoKit's numbers of their types.
  func resources(of asset: Asset) throws(LibraryError) -> [ResourceRecord] {
    try read { database throws(LibraryError) in try database.resources(of: asset.row) }
  }
}
