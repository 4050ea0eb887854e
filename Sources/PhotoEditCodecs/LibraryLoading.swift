// SPDX-License-Identifier: Apache-2.0

/// Loading of the library for a format, when the first such file is read.
enum LibraryLoading {
  /// Maximum size of a message in bytes, including its terminating zero.
  private static let messageCapacity = 240

  /// Calls a C function that loads a library once; throws an error if the library is missing.
  ///
  /// The function returns 0 if the library is loaded, and otherwise fills in a message.
  static func load(
    _ format: ImageFormat, package: String, _ open: (UnsafeMutablePointer<CChar>?) -> Int32
  ) throws(CodecError) {
    var message = [CChar](repeating: 0, count: messageCapacity)
    guard open(&message) != 0 else { return }
    let reason = message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
    throw .libraryMissing(
      format, package: package, reason: String(decoding: reason, as: UTF8.self))
  }
}
