// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Files from other projects that are not part of the package.
@Suite(
  "Corpus images with oddities",
  .enabled(if: Corpora.path != nil, "set PHOTOEDIT_CORPORA to a folder of test files"))
struct CorpusOddityTests {
  private struct File {
    let path: String
    var name: String { String(path.split(separator: "/").last ?? "") }
  }

  /// The files below the corpus folder that have one of the given path extensions.
  private func files(_ endings: [String]) throws -> [File] {
    let folder = try #require(Corpora.path)
    return try FileManager.default.subpathsOfDirectory(atPath: folder).filter { path in
      endings.contains { path.lowercased().hasSuffix($0) }
    }.sorted().map { File(path: "\(folder)/\($0)") }
  }

  /// The reason a file does not decode, or its decoder notices; nil if it decodes without any.
  private func oddity(of file: File) throws -> String? {
    let bytes = try FileBytes([UInt8](Data(contentsOf: URL(filePath: file.path))))
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(bytes)
      try decoder.readToEnd()
      let notices = decoder.notices.filter { $0.kind != .convertedWithoutProfile }
      return notices.isEmpty ? nil : notices.map(\.kind.rawValue).joined(separator: " ")
    } catch {
      return error.description
    }
  }

  /// Rejected files with their error, and files that open with a notice.
  static let oddities: [String: String] = {
    let unread = " is not supported"
    var oddities = [
      // Truncated files.
      "date_error.JPG": damage("premature end of data segment", 120, 768),
      "iso_error.jpg": damage("premature end of data segment", 120, 1200),
      "partial_progressive.jpg": damage("premature end of data segment", 0, 4),
      "peacock.default.truncated.jpeg": damage("unexpected end of file", 15, 75),
      "peacock.progressive.truncated.jpeg": damage("unexpected end of file", 0, 75),
      "progressive-missing-dc.jpg": damage(
        "Inconsistent progression sequence for component 0 coefficient 0", 0, 8),
      // Other coding processes.
      "monkey12.jpg": "a JPEG with 12 bits per sample" + unread,
      // Some scans and an end marker; libjpeg smooths over the missing data.
      "progressive-missing-ac.jpg": "unrefined",
      // Stray bytes between segments.
      "extraneous-data.jpg": "harmless",
      // Corrupted PngSuite files: depth, color type, checksums, samples, signatures.
      "xc1n0g08.png": damage("Invalid IHDR data"),
      "xc9n2c08.png": damage("Invalid IHDR data"),
      "xd0n2c08.png": damage("Invalid IHDR data"),
      "xd3n2c08.png": damage("Invalid IHDR data"),
      "xd9n2c08.png": damage("Invalid IHDR data"),
      "xhdn0g08.png": damage("IHDR: CRC error"),
      "xcsn0g01.png": damage("IDAT: CRC error", 0, 32),
      "xdtn0g01.png": damage("IEND: out of place"),
      "xs2n0g01.png": CodecError.notAnImage(found: "data of an unknown kind").description,
      "xs4n0g01.png": CodecError.notAnImage(found: "data of an unknown kind").description,
    ]
    for scan in 0...8 { oddities["peacock.progressive.scan00\(scan).jpeg"] = "unrefined" }
    for predictor in 1...7 {
      oddities["jpeg_lossless_sel\(predictor).jpg"] = "a lossless JPEG" + unread
    }
    for name in ["xcrn0g04", "xlfn0g04", "xs1n0g01", "xs7n0g01"] {
      oddities[name + ".png"] = damage(
        "invalid signature; the file may have been transferred in text mode")
    }
    return oddities
  }()

  private static func damage(_ message: String, _ real: Int? = nil, _ rows: Int? = nil) -> String {
    CodecError.damaged(message: message, recoveredRows: real, rows: rows).description
  }

  @Test func `images open completely and without notices, except for the listed ones`() throws {
    let files = try files([".jpg", ".jpeg", ".png"])
    #expect(files.count > 300)
    var found: [String: String] = [:]
    for file in files { found[file.name] = try oddity(of: file) }
    for name in Set(found.keys).union(Self.oddities.keys).sorted() {
      #expect(found[name] == Self.oddities[name], "\(name)")
    }
  }
}
