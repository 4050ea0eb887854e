// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The mark on a file written by photoedit, which identifies the photo and the written bytes.
///
/// It is an extended attribute of the file itself. A sidecar, an archive, or a message cannot add
/// one to an existing file, so it proves what a sidecar can only claim.
struct RenderingMark: Hashable {
  private static let attribute = "user.org.photoedit.rendering"
  private static let version = "1"

  /// The digest of the photo's pixels, or of its file if the pixels have no digest.
  var photo: SHA256Digest
  /// The digest of the written bytes; a file that was changed since is the user's work.
  var rendering: SHA256Digest
  /// The photo's name, which distinguishes copies of one photo.
  var photoName: String

  init(photo: SHA256Digest, rendering: SHA256Digest, photoName: String) {
    self.photo = photo
    self.rendering = rendering
    self.photoName = photoName
  }

  /// Reads the mark of a file; nil if there is no readable mark.
  init?(of path: String) {
    guard let value = FileSystem.attribute(Self.attribute, of: path) else { return nil }
    let fields = String(decoding: value, as: UTF8.self)
      .split(separator: " ", maxSplits: 3, omittingEmptySubsequences: false)
    guard fields.count == 4, fields[0] == Self.version, let photo = SHA256Digest(String(fields[1])),
      let rendering = SHA256Digest(String(fields[2]))
    else { return nil }
    self.init(photo: photo, rendering: rendering, photoName: String(fields[3]))
  }

  /// Marks a file; if the file system has no extended attributes, the file remains unmarked.
  func write(to path: String) {
    let value = "\(Self.version) \(photo.hex) \(rendering.hex) \(photoName)"
    FileSystem.setAttribute(Self.attribute, of: path, to: Array(value.utf8))
  }
}
