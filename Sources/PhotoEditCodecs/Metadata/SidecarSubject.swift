// SPDX-License-Identifier: Apache-2.0

/// The statements of an XMP file about the file that it describes, for finding that file.
package struct SidecarSubject: Sendable {
  /// The extension of the file, in lower case.
  package let fileExtension: String?
  /// Indicates whether the file is a video; nil if its format is not stated.
  package let isMovie: Bool?
  /// The model of the camera.
  package let model: String?
  /// The capture date.
  package let date: CaptureDate?

  /// Reads an XMP file; nil if it is not one.
  package init?(_ bytes: [UInt8]) {
    guard bytes.count <= SidecarMetadata.maximumBytes else { return nil }
    let packet = XMPPacket(bytes)
    guard packet.scan.isWellFormed else { return nil }
    fileExtension = packet.text(.photoshop, "SidecarForExtension")?.lowercased()
    let format = packet.text(.dublinCore, "format")?.lowercased()
    isMovie = format.flatMap {
      $0.hasPrefix("video/") ? true : $0.hasPrefix("image/") ? false : nil
    }
    model = packet.text(.tiff, "Model")
    date = CaptureMetadata(packet, isOwn: false).date
  }
}
