// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// All digests by which a mark may identify a photo, read from the photo itself.
///
/// The last result is cached while the file is unchanged, because it is needed for each path of an
/// edit.
final class PhotoDigests: Sendable {
  private let last = LockedValue<(version: FileVersion, digests: Set<SHA256Digest>)?>(nil)

  /// Returns the digest of a photo's bytes and, if it has pixels, the digest of its pixels.
  func all(of photo: String) throws(FileError) -> Set<SHA256Digest> {
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
