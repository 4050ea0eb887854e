// SPDX-License-Identifier: Apache-2.0

/// Removes fields from the IPTC information interchange model.
///
/// - Source: IPTC-NAA Information Interchange Model 4.2, chapters 3 to 6.
enum IPTC {
  /// The members of `MetadataRemoval` for which IPTC has fields.
  static let strips: MetadataRemoval = [.location, .device, .dates]

  /// The record number times 256 plus the number of the field.
  private static let fields: [(strip: MetadataRemoval, name: String, numbers: Set<Int>)] = [
    // Codes and names of the location, city, sublocation, province, country.
    (.location, "location", [0x021A, 0x021B, 0x025A, 0x025C, 0x025F, 0x0264, 0x0265]),
    // The unique name of the object.
    (.device, "device", [0x0164]),
    (
      .dates, "dates",
      [
        0x0146, 0x0150, 0x021E, 0x0223, 0x0225, 0x0226, 0x022F, 0x0232, 0x0237, 0x023C, 0x023E,
        0x023F,
      ]
    ),
  ]

  /// Returns the bytes without the stripped fields, and the kinds of removed fields; nil for
  /// damaged data.
  static func stripping(
    _ strip: MetadataRemoval, from bytes: ArraySlice<UInt8>
  ) -> (bytes: [UInt8], kinds: [String])? {
    var remaining: [UInt8] = []
    var kinds: [String] = []
    var datasets = IPTCDatasets(bytes)
    while let dataset = datasets.next() {
      if let field = fields.first(where: {
        strip.contains($0.strip) && $0.numbers.contains(dataset.number)
      }) {
        if !kinds.contains(field.name) { kinds.append(field.name) }
      } else {
        remaining += bytes[dataset.whole]
      }
    }
    if datasets.isDamaged { return nil }
    return (remaining, kinds)
  }

  /// Returns the bytes without some datasets; nil for damaged data.
  static func removing(_ numbers: Set<Int>, from bytes: ArraySlice<UInt8>) -> [UInt8]? {
    var remaining: [UInt8] = []
    var datasets = IPTCDatasets(bytes)
    while let dataset = datasets.next() {
      if !numbers.contains(dataset.number) { remaining += bytes[dataset.whole] }
    }
    return datasets.isDamaged ? nil : remaining
  }
}
