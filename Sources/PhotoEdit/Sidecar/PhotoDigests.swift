// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// Everything that a mark may call a photo, read from the photo itself.
///
/// The last answer is kept for as long as the file is the same: each place of an edit is asked for.
final class PhotoDigests: Sendable {
  private let last = Guarded<(version: FileVersion, digests: Set<Digest>)?>(nil)

  /// The digests of a photo's bytes and of its pixels; the latter only where it has some.
  func all(of photo: String) throws(FileError) -> Set<Digest> {
    let version = FileVersion(photo)
    if let version, let known = last.withLock({ $0?.version == version ? $0?.digests : nil }) {
      return known
    }
    var digests: Set = [try FileBytes.digest(of: photo)]
    if let pixels = PixelDigest.digest(of: photo) { digests.insert(pixels) }
    if let version { last.withLock { $0 = (version, digests) } }
    return digests
  }
}
