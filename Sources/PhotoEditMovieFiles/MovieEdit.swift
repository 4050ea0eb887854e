// SPDX-License-Identifier: Apache-2.0

/// A change of a movie that leaves every kept packet as it is.
public enum MovieEdit: Sendable, Hashable {
  /// Which sides change places.
  public enum Axis: String, Sendable, Hashable, CaseIterable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
  }

  /// Keeps the seconds from `start` to `end`, or to the end of the movie.
  ///
  /// Pictures begin with the last key frame at or before `start`, and everything else with them;
  /// the report says where that was. The end is exact.
  case trim(start: Double, end: Double? = nil)
  /// Turns the pictures clockwise by quarter turns, any whole number, by their display matrix.
  case rotate90(turns: Int)
  /// Mirrors the pictures by their display matrix.
  case flip(Axis)
  /// Takes the sound out.
  case mute
  /// Plays the sound at a share of its volume, 0 to 1, by the headers of its tracks; rounded to
  /// 1/256.
  case volume(Double)
  /// Says when the movie was made, 1904 to 2040.
  case creationDate(MovieDate)
  /// Says where the movie was made; nil takes every place out.
  case location(MovieLocation?)
  /// Pairs the movie with the still picture of a Live Photo; 1 to 256 printable characters.
  case contentIdentifier(String)
  /// Says which moment the still picture of a Live Photo shows, in seconds from the beginning.
  case stillImageTime(Double)
}
