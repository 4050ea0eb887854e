// SPDX-License-Identifier: Apache-2.0

/// A change of a movie that leaves its frames as they are.
public protocol MovieOperation: Filter {}

extension MovieOperation {
  /// A picture refuses it.
  public func lowered(in context: LoweringContext) throws(ParameterError) -> [FilterOperation] {
    throw conflict("it works on movies, and this is a picture")
  }
}
