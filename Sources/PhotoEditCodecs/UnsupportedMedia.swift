// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A photo, a video, a recording or an archive that is recognized, but not read.
///
/// The first bytes are decisive; the name only if they are those of no known format.
package struct UnsupportedMedia: Sendable, Hashable {
  package enum Kind: Sendable, Hashable {
    case image, video, audio, archive
  }

  /// The format with its article.
  package let format: String
  package let kind: Kind

  private init(_ format: String, _ kind: Kind) { (self.format, self.kind) = (format, kind) }

  /// Recognizes a file that has no supported format; nil for text and everything else.
  package init?(_ head: [UInt8], name: String) {
    if let format = Self.image(head) {
      self.init(format, .image)
    } else if let media = UnsupportedMedia(signature: head) {
      self = media
    } else if Self.isDocument(head, name) || Self.isText(head) {
      return nil
    } else if let row = Self.names.first(where: { $0.matches(name) }) {
      self.init(row.format, row.kind)
    } else if head.starts(with: Self.zip) || head.has(Array("ustar".utf8), at: 257) {
      self.init(head.starts(with: Self.zip) ? "a ZIP archive" : "a TAR archive", .archive)
    } else {
      return nil
    }
  }

  /// Recognizes a file only by signatures of formats that no decoder of images knows.
  package init?(signature head: [UInt8]) {
    if let row = Self.signatures.first(where: { $0.matches(head) }) {
      self.init(row.format, row.kind)
    } else if let format = Self.stream(head) {
      self.init(format, .video)
    } else {
      return nil
    }
  }

  // MARK: Bytes

  /// Returns the name of an image format that the decoders recognize, but do not read.
  private static func image(_ head: [UInt8]) -> String? {
    let failure = head.withUnsafeBytes { bytes -> CodecError? in
      do throws(CodecError) { _ = try ImageFormat.detect(bytes) } catch { return error }
      return nil
    }
    if case .unsupported(let name) = failure { return name }
    return nil
  }

  private struct Signature: Sendable {
    let bytes: [UInt8]
    let offset: Int
    let format: String
    let kind: Kind

    init(_ bytes: [UInt8], at offset: Int = 0, _ format: String, _ kind: Kind) {
      (self.bytes, self.offset, self.format, self.kind) = (bytes, offset, format, kind)
    }

    init(_ text: String, at offset: Int = 0, _ format: String, _ kind: Kind) {
      self.init(Array(text.utf8), at: offset, format, kind)
    }

    func matches(_ head: [UInt8]) -> Bool { head.has(bytes, at: offset) }
  }

  private static let signatures = [
    Signature([0, 0, 1, 0xBA], "an MPEG video", .video),
    Signature([0, 0, 1, 0xB3], "an MPEG video", .video),
    Signature([0x30, 0x26, 0xB2, 0x75, 0x8E, 0x66, 0xCF, 0x11], windowsMedia, .video),
    Signature("FLV\u{1}", "a Flash video", .video),
    Signature(".RMF", "a RealMedia video", .video),
    Signature([0x06, 0x0E, 0x2B, 0x34, 0x02, 0x05, 0x01, 0x01], "an MXF video", .video),
    Signature([0x1F, 0x07, 0x00], "a DV video", .video),
    Signature("RED1", at: 4, "a RED video", .video),
    Signature("RED2", at: 4, "a RED video", .video),
    Signature("YUV4MPEG2 ", "a Y4M video", .video),
    Signature("theora", at: 29, "an Ogg video", .video),
    Signature("OggS", "an Ogg file", .audio), Signature("WAVE", at: 8, "a WAVE recording", .audio),
    Signature("fLaC", "a FLAC recording", .audio), Signature("ID3", "an MP3 recording", .audio),
    Signature("#!AMR", "an AMR recording", .audio), Signature("AIFF", at: 8, aiff, .audio),
    Signature("AIFC", at: 8, aiff, .audio), Signature("caff", "a CAF recording", .audio),
    Signature("gimp xcf", "a GIMP document", .image), Signature("DDS ", "a DDS image", .image),
    Signature([0x76, 0x2F, 0x31, 0x01], "an OpenEXR image", .image),
    Signature("#?RADIANCE", "a Radiance image", .image),
    Signature([0x49, 0x49, 0xBC], jpegXR, .image), Signature("qoif", "a QOI image", .image),
    Signature([0x42, 0x50, 0x47, 0xFB], "a BPG image", .image),
    Signature([0x8A, 0x4D, 0x4E, 0x47], "an MNG animation", .image),
    Signature("SDPX", "a DPX image", .image), Signature("XPDS", "a DPX image", .image),
    Signature([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive", .archive),
    Signature("Rar!\u{1A}\u{7}", "a RAR archive", .archive),
    Signature([0x50, 0x4B, 0x07, 0x08], "a part of a ZIP archive", .archive),
  ]

  private static let windowsMedia = "a Windows Media file"
  private static let aiff = "an AIFF recording"
  private static let jpegXR = "a JPEG XR image"
  private static let zip = [UInt8]("PK\u{3}\u{4}".utf8)

  /// Returns the name of an MPEG transport stream, which consists of packets of one size.
  ///
  /// Those of AVCHD have four bytes more, the time of arrival.
  private static func stream(_ head: [UInt8]) -> String? {
    func hasPackets(of size: Int, from start: Int) -> Bool {
      head.count > start + 2 * size
        && stride(from: start, to: head.count, by: size).allSatisfy { head[$0] == 0x47 }
    }
    if hasPackets(of: 192, from: 4) { return avchd }
    return hasPackets(of: 188, from: 0) ? "an MPEG transport stream" : nil
  }

  private static let avchd = "an AVCHD video"

  /// Returns whether a file is a document that has the form of an archive.
  private static func isDocument(_ head: [UInt8], _ name: String) -> Bool {
    guard head.starts(with: zip) else { return false }
    let ending = FileSystem.splitName(name).fileExtension.lowercased()
    return documentEndings.contains(ending) || documentEntries.contains { head.has($0, at: 30) }
  }

  private static let documentEndings: Set<String> = [
    "docx", "xlsx", "pptx", "odt", "ods", "odp", "epub", "jar", "apk", "pages", "numbers", "key",
    "kmz", "ipa", "xpi", "whl",
  ]
  /// The first entries of such documents.
  private static let documentEntries = ["[Content_Types].xml", "mimetype", "META-INF/", "_rels/"]
    .map { Array($0.utf8) }

  private static func isText(_ head: [UInt8]) -> Bool {
    !head.isEmpty && head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (0x09...0x0D).contains($0) }
  }

  // MARK: Names

  private struct Name: Sendable {
    let endings: [String]
    let format: String
    let kind: Kind

    init(_ endings: String, _ format: String, _ kind: Kind) {
      self.endings = endings.split(separator: " ").map { "." + $0 }
      (self.format, self.kind) = (format, kind)
    }

    func matches(_ name: String) -> Bool {
      let name = name.lowercased()
      return endings.contains { name.hasSuffix($0) }
    }
  }

  private static let names = [
    Name("mts m2ts", avchd, .video), Name("m2t ts", "an MPEG transport stream", .video),
    Name("mpg mpeg mpe m1v m2v mpv mod tod vob", "an MPEG video", .video),
    Name("wmv asf wma", windowsMedia, .video), Name("flv", "a Flash video", .video),
    Name("rm rmvb", "a RealMedia video", .video), Name("ogv", "an Ogg video", .video),
    Name("dv dif", "a DV video", .video), Name("mxf", "an MXF video", .video),
    Name("r3d", "a RED video", .video), Name("bmp dib", "a BMP image", .image),
    Name("jxl", "a JPEG XL image", .image),
    Name("jp2 j2k jpf jpx jpm", "a JPEG 2000 image", .image),
    Name("psd psb", "a Photoshop document", .image), Name("tga", "a TGA image", .image),
    Name("pcx", "a PCX image", .image), Name("exr", "an OpenEXR image", .image),
    Name("jxr wdp hdp", jpegXR, .image), Name("xcf", "a GIMP document", .image),
    Name("mp3", "an MP3 recording", .audio), Name("wav", "a WAVE recording", .audio),
    Name("flac", "a FLAC recording", .audio), Name("aac", "an AAC recording", .audio),
    Name("amr", "an AMR recording", .audio), Name("aif aiff", aiff, .audio),
    Name("ogg oga opus", "an Ogg file", .audio), Name("caf", "a CAF recording", .audio),
    Name("zip", "a ZIP archive", .archive), Name("livp", "a Live Photo in an archive", .archive),
    Name(
      "tar tgz tar.gz tbz tbz2 tar.bz2 txz tar.xz tar.zst", "a TAR archive", .archive),
    Name("7z", "a 7-Zip archive", .archive), Name("rar", "a RAR archive", .archive),
  ]
}
