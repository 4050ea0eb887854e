// SPDX-License-Identifier: Apache-2.0

/// The failure of a decoder, which is thrown again by every later call.
struct DecodingEnd {
  private var failure: CodecError?

  /// Throws the stored failure, if any.
  func check() throws(CodecError) {
    if let failure { throw failure }
  }

  /// Runs a decoding step and stores its failure.
  mutating func keep<Result>(_ step: () throws(CodecError) -> Result) throws(CodecError) -> Result {
    do throws(CodecError) { return try step() } catch {
      failure = error
      throw error
    }
  }

  /// Evaluates a decoding step and stores its failure.
  mutating func keep<Result>(
    _ step: @autoclosure () throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try keep { () throws(CodecError) in try step() }
  }
}
