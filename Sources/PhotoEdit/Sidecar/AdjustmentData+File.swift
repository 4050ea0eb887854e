// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

extension AdjustmentData {
  /// Reads the record out of the bytes of an AAE file; nil when they are none.
  ///
  /// Whoever wrote it: names and lengths that this library would not give are taken as they are.
  package init?(fileBytes bytes: [UInt8]) {
    guard let list = try? PropertyList(bytes: bytes) else { return nil }
    self.init(list, isForeign: true)
  }
}
