// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import Pixels
import Storage
import TestSupport
import Testing

@testable import Codecs

@Suite(
  "Codecs and real files", .timeLimit(.minutes(10)),
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

  @Test func `every file opens whole or is refused for a reason`() throws {
    let files = try Self.files("", [".jpg", ".jpeg", ".png"])
    var opened = 0
    for path in files {
      switch try Self.outcome(path) {
      case nil: opened += 1
      case .outOfMemory, .cancelled, .encoding: Issue.record("\(path): no reason of the file's own")
      default: break
      }
    }
    print("corpora: \(opened) of \(files.count) pictures open, the others are refused by name")
    #expect(opened > files.count * 3 / 4)
  }

  @Test func `PngSuite opens but for the files made to be broken`() throws {
    let files = try Self.files("", [".png"]).filter { $0.contains("/pngsuite/") }
    try #require(files.count > 150)
    for path in files {
      let name = path.split(separator: "/").last ?? ""
      let error = try Self.outcome(path)
      #expect((error != nil) == name.hasPrefix("x"), "\(name): \(String(describing: error))")
    }
  }
}

@Suite("Codecs and test images", .timeLimit(.minutes(10)))
struct CodecTestImageTests {
  @Test func `every test image opens whole`() throws {
    for entry in try TestImages.inputs()
    where [".jpg", ".png"].contains(where: entry.path.hasSuffix) {
      let decoder = try ImageDecoders.open(FileBytes(entry.bytes()))
      #expect(decoder.header.size.width == entry.width, "\(entry)")
      #expect(decoder.header.size.height == entry.height, "\(entry)")
      try decoder.readToEnd()
    }
  }

  @Test func `every malformed picture is refused as the manifest says`() throws {
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
