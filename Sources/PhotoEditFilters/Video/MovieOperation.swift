// SPDX-License-Identifier: Apache-2.0

/// A change to a video that leaves its frames unchanged.
public protocol MovieOperation: Filter {}

extension MovieOperation {
  /// Throws an error for images.
  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    throw conflict("only videos are supported; this is an image")
  }
}
