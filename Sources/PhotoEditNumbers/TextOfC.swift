// SPDX-License-Identifier: Apache-2.0

extension String {
  /// Creates the text that C wrote into a buffer: the bytes before the first zero.
  ///
  /// Bytes that are not UTF-8, such as those of a path in a message, become replacement characters.
  /// The elements are `CChar`, whose sign depends on the processor, or `UInt8`.
  @inlinable package init(untilZero bytes: some Sequence<some FixedWidthInteger>) {
    self.init(
      decoding: bytes.prefix { $0 != 0 }.map { UInt8(truncatingIfNeeded: $0) }, as: UTF8.self)
  }
}
