// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Image format detection")
struct ImageFormatTests {
  private func detect(_ bytes: [UInt8]) -> Result<ImageFormat, CodecError> {
    bytes.withUnsafeBytes { buffer in
      Result { () throws(CodecError) in try ImageFormat.detect(buffer) }
    }
  }

  @Test func `JPEG and PNG are detected by their first bytes`() {
    #expect(detect([0xFF, 0xD8, 0xFF, 0xE0]) == .success(.jpeg))
    #expect(detect([0x89, 0x50, 0x4E, 0x47, 13, 10, 26, 10]) == .success(.png))
    #expect(ImageFormat.jpeg.uniformTypeIdentifier == "public.jpeg")
    #expect(ImageFormat.png.uniformTypeIdentifier == "public.png")
  }

  @Test(arguments: [
    ("GIF89a", ImageFormat.gif), ("RIFF\u{1}\u{1}\u{1}\u{1}WEBPVP8 ", .webp),
    ("\0\0\0\u{18}ftypheic", .heif), ("\0\0\0\u{18}ftypavif", .avif),
    ("\0\0\0\u{18}ftypmif1\0\0\0\0mif1avif", .avif), ("II*\0\u{8}\0\0\0", .tiff),
    ("MM\0*\0\0\0\u{8}", .tiff), ("\0\0\0\u{18}ftypcrx ", .raw),
    ("II*\0\u{10}\0\0\0CR\u{2}\0", .raw), ("FUJIFILMCCD-RAW", .raw), ("IIU\0", .raw),
    ("II\u{1A}\0\0\0HEAPCCDR", .raw), ("\0MRM", .raw), ("FOVb", .raw),
  ])
  func `additional formats are detected by their first bytes`(text: String, format: ImageFormat) {
    #expect(detect(Array(text.utf8)) == .success(format))
  }

  @Test(arguments: [
    ("BM\u{40}\0\0\0\0\0\0\0\u{36}\0\0\0", "a BMP image"), ("8BPS\0\u{1}", "a Photoshop document"),
    ("P6\n4 4\n255\n", "a PNM image"),
    ("\0\0\0\u{C}JXL \r\n", "a JPEG XL image"), ("\0\0\0\u{C}jP  \r\n", "a JPEG 2000 image"),
    ("<?xml version='1.0'?><svg/>", "an SVG image"),
    ("gimp xcf file\0", "a GIMP document"), ("v/1\u{1}\0", "an OpenEXR image"),
  ])
  func `an image in an unsupported format is rejected by format name`(text: String, name: String) {
    #expect(detect(Array(text.utf8)) == .failure(.unsupported(name)))
  }

  @Test(arguments: [
    ("hello, world\n", "text"), ("%PDF-1.7", "a PDF document"),
    ("\0\0\0\u{14}ftypqt  ", "a QuickTime movie"), ("\0\0\0\u{18}ftypisom", "an MP4 video"),
    ("PK\u{3}\u{4}", "a ZIP archive"), ("\u{1}\u{2}\u{3}\0", "data of an unknown kind"),
    ("BMX is a sport", "text"), ("FLV\u{1}\u{5}\0", "a Flash video"),
    (".RMF\0\0", "a RealMedia video"), ("OggS\0\u{2}", "an Ogg file"),
    ("\0\0\u{1}", "data of an unknown kind"), ("RIFF\0\0\0\0WAVE", "a WAVE recording"),
  ])
  func `a file that is not an image is rejected by its kind`(text: String, name: String) {
    #expect(detect(Array(text.utf8)) == .failure(.notAnImage(found: name)))
  }

  @Test func `videos of other formats have their names`() {
    var packets = [UInt8](repeating: 0, count: 1024)
    for index in stride(from: 4, to: packets.count, by: 192) { packets[index] = 0x47 }
    let windows: [UInt8] = [0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11, 0]
    for (bytes, name) in [
      (packets, "an AVCHD video"), ([0, 0, 1, 0xBA, 0x44], "an MPEG video"),
      (windows, "a Windows Media file"),
    ] { #expect(detect(bytes) == .failure(.notAnImage(found: name))) }
  }

  @Test func `an empty file is reported as empty by every decoder`() {
    #expect(detect([]) == .failure(.empty))
    #expect(codecError { _ = try ImageDecoders.open(FileBytes([])) } == .empty)
    #expect(codecError { _ = try JPEGDecoder(FileBytes([])) } == .empty)
    #expect(codecError { _ = try PNGDecoder(FileBytes([])) } == .empty)
  }

  @Test func `a PNG transferred in text mode is reported as such`() {
    let bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 10, 26, 10, 0, 0, 0, 13]
    let error = codecError { _ = try ImageDecoders.open(FileBytes(bytes)) }
    #expect(error?.description.contains("text mode") == true)
  }

  @Test(arguments: [
    (CodecError.empty, "file is empty; expected an image"),
    (
      .damaged(message: "unexpected end of file", recoveredRows: 7, rows: 20),
      "image is damaged: unexpected end of file (7 of 20 rows could be decoded)"
    ),
    (
      .damaged(message: "too much data", recoveredRows: nil, rows: 20),
      "image is damaged: too much data (number of decodable rows unknown, of 20)"
    ),
    (
      .limitExceeded(.side, value: 9, allowed: 8),
      "image has a width or height of 9 pixels (maximum: 8)"
    ),
  ])
  func `error descriptions are a single clause with their values`(error: CodecError, text: String) {
    #expect(error.description == text)
  }
}
