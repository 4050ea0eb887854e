// SPDX-License-Identifier: Apache-2.0

extension HEIFStructure {
  /// Where the references begin that libheif 1.15 refuses a file for, though the primary image does
  /// without them.
  ///
  /// It allows an auxiliary image or a thumbnail one image that it belongs to, which has to be one
  /// that can be decoded; a recent phone attaches its gain map to the image and to `tmap`.
  var unreadReferences: [Int] {
    references.filter { reference in
      guard ["auxl", "thmb"].contains(reference.type) else { return false }
      let isNeeded =
        reference.type == "auxl" && reference.to.contains(primary)
        && item(reference.from)?.auxiliaryType.map(HEIFPicture.alphaTypes.contains) == true
      return !isNeeded
        && (reference.to.count != 1
          || reference.to.contains { item($0)?.isPicture != true })
    }.map(\.start).sorted()
  }
}
