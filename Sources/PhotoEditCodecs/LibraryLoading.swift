// SPDX-License-Identifier: Apache-2.0

/// Opens the library behind a format when the first such file comes.
enum LibraryLoading {
  /// Most bytes of a message, its terminating zero included.
  private static let messageCapacity = 240

  /// Calls a function of C that opens a library once and says what is missing.
  ///
  /// The function returns 0 when the library is open, and fills a message otherwise.
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
