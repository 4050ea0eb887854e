// SPDX-License-Identifier: Apache-2.0

extension HEIFStructure {
  /// Offsets of references that make libheif 1.15 reject a file although the primary image does not
  /// need them.
  ///
  /// libheif requires an auxiliary image or a thumbnail to reference exactly one image, which must
  /// be decodable; recent phones attach the gain map to both the image and `tmap`.
  var unreadReferences: [Int] {
    references.filter { reference in
      guard ["auxl", "thmb"].contains(reference.type) else { return false }
      let isNeeded =
        reference.type == "auxl" && reference.to.contains(primary)
        && item(reference.from)?.auxiliaryType.map(HEIFPrimaryImage.alphaTypes.contains) == true
      return !isNeeded
        && (reference.to.count != 1
          || reference.to.contains { item($0)?.isImage != true })
    }.map(\.start).sorted()
  }
}
