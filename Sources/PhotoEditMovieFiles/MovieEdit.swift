// SPDX-License-Identifier: Apache-2.0

/// An edit of a video that leaves every kept packet unchanged.
public enum MovieEdit: Sendable, Hashable {
  /// The direction of a flip.
  public enum Axis: String, Sendable, Hashable, CaseIterable {
    /// Left and right.
    case horizontal
    /// Top and bottom.
    case vertical
  }

  /// Keeps the seconds from `start` to `end`, or to the end of the video.
  ///
  /// The video starts at the last key frame at or before `start`, and all other tracks start with
  /// it; the report contains the actual start. The end is exact.
  case trim(start: Double, end: Double? = nil)
  /// Rotates the video clockwise in 90° steps, any integer, by its display matrix.
  case rotate90(turns: Int)
  /// Flips the video by its display matrix.
  case flip(Axis)
  /// Removes the audio.
  case mute
  /// Sets the playback volume to a fraction from 0 to 1 in the headers of the audio tracks; rounded
  /// to 1/256.
  case volume(Double)
  /// Sets the creation date, 1904 to 2040.
  case creationDate(MovieDate)
  /// Sets the location; nil removes all locations.
  case location(MovieLocation?)
  /// Sets a text by its QuickTime key, such as "com.apple.quicktime.title"; nil removes it.
  case text(key: String, value: String?)
  /// Pairs the video with the still image of a Live Photo; 1 to 256 printable characters.
  case contentIdentifier(String)
  /// Sets the still image time of a Live Photo, in seconds from the beginning.
  case stillImageTime(Double)
}
