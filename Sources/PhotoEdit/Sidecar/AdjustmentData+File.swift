// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers

extension AdjustmentData {
  /// Reads adjustment data from the bytes of an AAE file; nil if they do not contain any.
  ///
  /// The file may be from any program: names and lengths outside the limits of this library are
  /// accepted unchanged.
  package init?(fileBytes bytes: [UInt8]) {
    guard let list = try? PropertyList(bytes: bytes) else { return nil }
    self.init(list, isThirdParty: true)
  }
}
