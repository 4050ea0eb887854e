// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs

@Suite(
  "Codecs and real files",
  .enabled(if: Corpora.path != nil, "set PHOTOEDIT_CORPORA to a folder of test files"))
struct CodecCorpusTests {
  private static func files(_ folder: String, _ endings: [String]) throws -> [String] {
    let root = try #require(Corpora.path) + folder
    return try FileManager.default.subpathsOfDirectory(atPath: root).sorted()
      .filter { name in endings.contains { name.lowercased().hasSuffix($0) } }
      .map { root + "/" + $0 }
  }

  private static func outcome(_ path: String) throws -> CodecError? {
    let bytes = FileBytes([UInt8](try Data(contentsOf: URL(filePath: path))))
    return codecError { try ImageDecoders.open(bytes).readToEnd() }
  }

  @Test func `every corpus file opens completely or is rejected for the listed reason`() throws {
    let root = try #require(Corpora.path) + "/"
    var expected = CorpusOutcomes.refused.reduce(into: [String: String]()) { expected, entry in
      for file in entry.files { expected[file] = entry.reason }
    }
    for name in try FileManager.default.subpathsOfDirectory(atPath: root).sorted() {
      var isFolder = false
      _ = FileManager.default.fileExists(atPath: root + name, isDirectory: &isFolder)
      if isFolder { continue }
      let error = try Self.outcome(root + name)
      let ending = name.split(separator: ".").last?.lowercased() ?? ""
      if let reason = expected.removeValue(forKey: name) {
        #expect(error?.description.contains(reason) == true, "\(name): \(error?.description ?? "")")
      } else if CorpusOutcomes.images.contains(ending) {
        #expect(error == nil, "\(name)")
      } else {
        switch error {
        case .notAnImage, .empty: continue
        default: Issue.record("\(name): \(error?.description ?? "opens")")
        }
      }
    }
    #expect(expected.isEmpty, "no longer there: \(expected.keys.sorted())")
  }

  @Test func `PngSuite opens except for the deliberately broken files`() throws {
    let files = try Self.files("", [".png"]).filter { $0.contains("/pngsuite/") }
    try #require(files.count > 150)
    for path in files {
      let name = path.split(separator: "/").last ?? ""
      let error = try Self.outcome(path)
      #expect((error != nil) == name.hasPrefix("x"), "\(name): \(String(describing: error))")
    }
  }
}

@Suite("Codecs and test images")
struct CodecTestImageTests {
  @Test func `every test image opens completely`() throws {
    for entry in try TestImages.inputs()
    where [".jpg", ".png"].contains(where: entry.path.hasSuffix) {
      let decoder = try ImageDecoders.open(FileBytes(entry.bytes()))
      #expect(decoder.header.size.width == entry.width, "\(entry)")
      #expect(decoder.header.size.height == entry.height, "\(entry)")
      try decoder.readToEnd()
    }
  }

  @Test func `malformed images are rejected with the reason in the manifest`() throws {
    for entry in try TestImages.malformed() where !entry.path.hasSuffix(".json") {
      let error = codecError {
        try ImageDecoders.open(FileBytes(entry.bytes())).readToEnd()
      }
      let word =
        switch error {
        case .empty: "empty"
        case .notAnImage: "notAnImage"
        case .unsupported: "unsupported"
        case .limitExceeded(.pixels, _, _), .limitExceeded(.side, _, _): "tooManyPixels"
        case .damaged(let message, _, _) where message.contains("end"): "truncated"
        case .damaged: "damaged"
        default: String(describing: error)
        }
      let isShort = word == "truncated" || word == "damaged"
      let expected = entry.expected ?? ""
      let expectsDamage = expected == "truncated" || expected == "damaged"
      #expect(
        word == expected || isShort && expectsDamage, "\(entry): \(String(describing: error))")
    }
  }
}
