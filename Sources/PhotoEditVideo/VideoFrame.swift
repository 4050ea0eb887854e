// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// One frame of a movie.
public struct VideoFrame: Sendable, Hashable {
  /// Upright RGB, 8 bits a sample, or 16 where the movie has more than 8; the numbers are those of
  /// the movie's own colour space.
  public let image: SampleImage
  /// Seconds from the beginning of the movie to its presentation; below zero where an edit list
  /// hides it.
  public let time: Double
  /// Whether it can be decoded alone.
  public let isKey: Bool
}
