// SPDX-License-Identifier: Apache-2.0

/// Whether a decoder has failed: whoever asks again gets the same failure.
struct DecodingEnd {
  private var failure: CodecError?

  /// Throws the failure, if there was one.
  func check() throws(CodecError) {
    if let failure { throw failure }
  }

  /// Runs a step of the decoding and keeps its failure.
  mutating func keep<Result>(_ step: () throws(CodecError) -> Result) throws(CodecError) -> Result {
    do throws(CodecError) { return try step() } catch {
      failure = error
      throw error
    }
  }

  /// Evaluates a step of the decoding and keeps its failure.
  mutating func keep<Result>(
    _ step: @autoclosure () throws(CodecError) -> Result
  ) throws(CodecError) -> Result {
    try keep { () throws(CodecError) in try step() }
  }
}
