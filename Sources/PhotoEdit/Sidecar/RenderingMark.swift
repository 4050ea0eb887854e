// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The mark on a file that this program wrote: for which photo, and with which bytes.
///
/// It is an extended attribute of the file itself. A sidecar, an archive or a message cannot put
/// one on a file that is there already, so it proves what a sidecar can only claim.
struct RenderingMark: Hashable {
  private static let attribute = "user.org.photoedit.rendering"
  private static let version = "1"

  /// What the photo is: the digest of its pixels, or of its file where pixels have none.
  var photo: Digest
  /// The bytes that were written; a file that was changed since is somebody's work.
  var rendering: Digest
  /// The photo's name, which tells copies of one photo apart.
  var photoName: String

  init(photo: Digest, rendering: Digest, photoName: String) {
    self.photo = photo
    self.rendering = rendering
    self.photoName = photoName
  }

  /// Reads the mark of a file; nil when there is none that can be read.
  init?(of path: String) {
    guard let value = FileSystem.attribute(Self.attribute, of: path) else { return nil }
    let fields = String(decoding: value, as: UTF8.self)
      .split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4, fields[0] == Self.version, let photo = Digest(String(fields[1])),
      let rendering = Digest(String(fields[2]))
    else { return nil }
    self.init(photo: photo, rendering: rendering, photoName: String(fields[3]))
  }

  /// Marks a file; where the file system has no attributes, the file stays without.
  func write(to path: String) {
    let value = "\(Self.version) \(photo.hex) \(rendering.hex) \(photoName)"
    FileSystem.setAttribute(Self.attribute, of: path, to: Array(value.utf8))
  }
}
