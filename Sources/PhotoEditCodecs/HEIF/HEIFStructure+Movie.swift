// SPDX-License-Identifier: Apache-2.0

extension HEIFStructure {
  /// The byte range of the motion-photo video; nil if there is no complete one.
  ///
  /// The video is in a box of its own, in an entry of Samsung's trailer, or appended to the file.
  ///
  /// - Source: Google Motion Photo 1.0 (mpvd); Samsung's sefd as found in files.
  var motionMovie: Range<Int>? {
    for box in boxes where box.type == "mpvd" || box.type == "sefd" {
      let within = UnsafeRawBufferPointer(rebasing: bytes[..<box.body.upperBound])
      if let range = MotionPhotoVideo.range(in: within, after: box.body.lowerBound) {
        return range
      }
    }
    return follower.flatMap { MotionPhotoVideo.range(in: bytes, after: $0) }
  }
}
