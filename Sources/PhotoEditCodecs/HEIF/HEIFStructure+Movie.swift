// SPDX-License-Identifier: Apache-2.0

extension HEIFStructure {
  /// Where the movie of a motion photo lies; nil when there is none, or none that is whole.
  ///
  /// It has a box of its own, is an entry of Samsung's trailer, or just follows.
  ///
  /// - Source: Google Motion Photo 1.0 (mpvd); Samsung's sefd as files have it.
  var motionMovie: Range<Int>? {
    for box in boxes where box.type == "mpvd" || box.type == "sefd" {
      let within = UnsafeRawBufferPointer(rebasing: bytes[..<box.body.upperBound])
      if let range = MotionPhotoMovie.range(in: within, behind: box.body.lowerBound) {
        return range
      }
    }
    return follower.flatMap { MotionPhotoMovie.range(in: bytes, behind: $0) }
  }
}
