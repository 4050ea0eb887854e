// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

extension PassthroughExport {
  /// Returns the seconds of a video that a trim keeps, which begin at a key frame.
  ///
  /// Only the header of the file is read.
  ///
  /// - Parameters:
  ///   - start: Seconds from the beginning.
  ///   - end: Seconds from the beginning; nil or a later time keeps the end.
  /// - Returns: nil for a container whose key frames are only known from its packets.
  /// - Throws: `MovieError`, if nothing is left.
  package static func keptRange(
    of file: consuming OpenFile, start: Double, end: Double?
  ) throws(MovieError) -> ClosedRange<Double>? {
    guard var movie = try OpenedMovie(file, Cancellation { false }).editable(.auto) else {
      return nil
    }
    try movie.trim(start: start, end: end)
    return movie.kept
  }
}
