// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Hostile archives", .seeded)
struct HostileArchiveTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// All paths of the source folder and of the library's temporary files.
  private func items() throws -> Set<String> {
    let staging = library.folder.path + "/library/" + LibraryLayout.stagingName
    return Set(
      try FileManager.default.subpathsOfDirectory(atPath: source.path)
        + FileManager.default.subpathsOfDirectory(atPath: staging).map { "staging/" + $0 })
  }

  private func importing(_ bytes: [UInt8], _ name: String) throws -> ImportReport {
    try write(bytes, name)
    let before = try items()
    let report = run([source.path(name)])
    #expect(try items() == before, "nothing is left, and nothing is written elsewhere")
    #expect(
      report.files.allSatisfy { $0.path == source.path(name) || $0.path.hasPrefix(source.path) })
    return report
  }

  @Test(arguments: [
    "../up.jpg", "a/../../up.jpg", "/tmp/photoedit-absolute.jpg", "..", "a/..", "//x.jpg",
    "../library/library.db",
  ])
  func `a name that leads elsewhere is refused and named`(_ name: String) throws {
    let files = ArchiveFile([(name, try ImageFile().jpeg(1)), ("ok.jpg", try ImageFile().jpeg(2))])
    for (bytes, ending) in [(files.zip, "zip"), (files.tar, "tar")] {
      let report = try importing(bytes, "x." + ending)
      let refused = report.files.filter { $0.outcome == .refused }
      #expect(refused.map(\.path) == [source.path("x.\(ending)/\(name)")])
      #expect(outcomes(report)["x.\(ending)/ok.jpg"] != .refused)
    }
    #expect(try library.assets().map(\.originalFilename) == ["ok.jpg"])
  }

  @Test func `superfluous parts of names are harmless`() throws {
    let names = ["./a.jpg", "x//b.jpg", "x/./c.jpg", "C:/d.jpg", "x/e..jpg"]
    var files = ArchiveFile([])
    for (index, name) in names.enumerated() {
      files.entries.append(.init(name, try ImageFile().jpeg(index)))
    }
    let report = try importing(files.tar, "x.tar")
    #expect(report.assetCount == names.count && report.count(.refused) == 0)
    #expect(outcomes(report)["x.tar/x/b.jpg"] == .imported)
  }

  @Test func `only files are created`() throws {
    var files = ArchiveFile([("ok.jpg", try ImageFile().jpeg(1))])
    for type in "123456" {
      var entry = ArchiveFile.Entry("special\(type)", [])
      entry.type = type.asciiValue ?? 0
      files.entries.append(entry)
    }
    // A file whose folder an earlier entry claims to be a link is in a folder of its own.
    files.entries.append(.init("special2/b.jpg", try ImageFile().jpeg(2)))
    let report = try importing(files.tar, "x.tar")
    #expect(report.assetCount == 2)
    for type in "12346" { #expect(outcomes(report)["x.tar/special\(type)"] == .skipped) }
    var link = ArchiveFile([("link.jpg", Array("/etc/passwd".utf8))])
    link.entries[0].type = UInt8(ascii: "2")
    #expect(outcomes(try importing(link.zip, "l.zip"))["l.zip/link.jpg"] == .skipped)
  }

  @Test func `names that are not UTF-8, too long or too deep are refused and named`() throws {
    let names: [[UInt8]] = [
      Array("caf".utf8) + [0xE9] + Array(".jpg".utf8),
      Array(String(repeating: "n", count: 300).utf8) + Array(".jpg".utf8),
      Array(String(repeating: "d/", count: 65).utf8) + Array("a.jpg".utf8),
      Array(String(repeating: "longer/", count: 200).utf8) + Array("a.jpg".utf8),
    ]
    var files = ArchiveFile([("ok.jpg", try ImageFile().jpeg(1))])
    for (index, name) in names.enumerated() {
      var entry = ArchiveFile.Entry("", try ImageFile().jpeg(2 + index))
      entry.name = name
      files.entries.append(entry)
    }
    let report = try importing(files.zip, "x.zip")
    #expect(report.assetCount == 1 && report.count(.refused) == names.count)
    #expect(report.files.allSatisfy { $0.outcome != .refused || $0.path != source.path("x.zip") })
    #expect(report.files.contains { $0.path == source.path("x.zip/caf\\xE9.jpg") })
  }

  @Test func `entries of one name are all imported, up to a limit`() throws {
    let count = ArchiveUnpacking.Limits().equalNames + 1
    var files = ArchiveFile([])
    for index in 0..<count { files.entries.append(.init("a.jpg", try ImageFile().jpeg(index))) }
    let report = try importing(files.zip, "x.zip")
    #expect(report.assetCount == count - 1)
    #expect(
      report.files.filter { $0.outcome == .refused }.map(\.path) == [source.path("x.zip/a.jpg")])
    // The composed and the decomposed form are two names.
    let accents = ArchiveFile([
      ("caf\u{E9}.jpg", try ImageFile().jpeg(50)), ("cafe\u{301}.jpg", try ImageFile().jpeg(51)),
    ])
    #expect(try importing(accents.zip, "y.zip").assetCount == 2)
    // A name that is both a file and a folder.
    let both = ArchiveFile([
      ("a", try ImageFile().jpeg(60)), ("a/b.jpg", try ImageFile().jpeg(61)),
    ])
    #expect(try importing(both.zip, "z.zip").assetCount == 2)
  }

  @Test func `sizes and numbers over the limits end the archive`() throws {
    let photo = try ImageFile().jpeg(1)
    func unpacking(
      _ file: ArchiveFile, _ change: (inout ArchiveUnpacking.Limits) -> Void
    ) throws -> [String: ImportedFile] {
      var limits = ArchiveUnpacking.Limits()
      change(&limits)
      let path = try source.write(file.tar, to: "x.tar")
      let unpacking = try ArchiveUnpacking(
        [path], Importer.Options(), library.library, limits: limits)
      return Dictionary(unpacking.lines.map { ($0.path, $0) }) { first, _ in first }
    }
    let files = ArchiveFile((1...4).map { ("\($0).jpg", photo) })
    let path = source.path("x.tar")
    #expect(try unpacking(files) { $0.entries = 4 }[path]?.outcome == .read)
    #expect(try unpacking(files) { $0.entries = 3 }[path]?.outcome == .refused)
    let all = try unpacking(files) { ($0.bytes, $0.ratio) = (4 * photo.count, 0) }
    #expect(all[path]?.reason == "4 files unpacked")
    let some = try unpacking(files) { ($0.bytes, $0.ratio) = (4 * photo.count - 1, 0) }
    #expect(some[path + "/4.jpg"]?.outcome == .refused)
    #expect(some[path + "/4.jpg"]?.reason?.contains("\(4 * photo.count - 1) bytes") == true)
  }

  @Test(arguments: [UInt64(1) << 40, 1 << 62, .max >> 1, .max])
  func `an entry that claims to be huge is refused and named`(_ size: UInt64) throws {
    var files = ArchiveFile([
      ("ok.jpg", try ImageFile().jpeg(1)), ("huge.jpg", try ImageFile().jpeg(2)),
    ])
    files.entries[1].statedSize = size
    let tar = try importing(files.tar, "x.tar")
    #expect(outcomes(tar)["x.tar/ok.jpg"] == .imported)
    #expect(tar.count(.refused) >= 1)
    #expect(try importing(files.zip, "x.zip").count(.refused) >= 1)
    #expect(try library.assets().count == 1)
  }

  @Test func `encrypted and foreign archives are refused and named`() throws {
    var files = ArchiveFile([
      ("secret.jpg", try ImageFile().jpeg(1)), ("ok.jpg", try ImageFile().jpeg(2)),
    ])
    files.entries[0].isEncrypted = true
    let report = try importing(files.zip, "x.zip")
    #expect(lines(report)["x.zip/secret.jpg"]?.reason == "is encrypted")
    #expect(outcomes(report)["x.zip/ok.jpg"] == .imported)
    let others: [(String, [UInt8])] = [
      ("empty.zip", []), ("text.zip", Array("text".utf8)), ("none.zip", ArchiveFile([]).zip),
      ("x.rar", Array("Rar!\u{1A}\u{7}\u{1}".utf8)), ("x.gz", [0x1F, 0x8B, 8, 0]),
      ("x.7z", Array("7z".utf8) + [0xBC, 0xAF, 0x27, 0x1C, 0, 4]),
    ]
    for (name, bytes) in others {
      #expect(outcomes(try importing(bytes, name)) == [name: .refused])
    }
    // The content is decisive: a photo with the name of an archive is a photo.
    #expect(try importing(try ImageFile().jpeg(3), "photo.zip").assetCount == 1)
  }

  @Test func `a truncated archive is imported up to its end, and the rest is named`()
    throws
  {
    let photos = try (0..<4).map { ("\($0).jpg", try ImageFile().jpeg($0)) }
    let files = ArchiveFile(photos)
    for (bytes, name) in [(files.zip, "x.zip"), (files.tar, "x.tar")] {
      let length = photos[0].1.count + photos[1].1.count
      let report = try importing(Array(bytes[..<(length + 300)]), name)
      #expect(outcomes(report)[name + "/0.jpg"] != .refused)
      #expect(report.count(.refused) >= 1, "\(name)")
    }
    #expect(try library.assets().count >= 1)
  }

  @Test func `damaged archives neither end the process nor write elsewhere`() throws {
    var files = ArchiveFile([("../a.jpg", [1, 2, 3]), ("x/b.jpg", try ImageFile().jpeg(1))])
    files.entries.append(.init("note.txt", Array("text".utf8)))
    var numbers = SeededNumbers(76)
    for (bytes, name) in [(files.zip, "x.zip"), (files.tar, "x.tar")] {
      for _ in 0..<SeededNumbers.cases(200) {
        var damaged = bytes
        // Headers are more interesting than the content of the photo.
        for _ in 0...numbers.below(4) {
          let index = numbers.below(3) == 0 ? numbers.below(60) : numbers.below(damaged.count)
          damaged[index] = [0, 0xFF, 0x7F, UInt8(numbers.below(256))][numbers.below(4)]
        }
        if numbers.below(4) == 0 { damaged.removeLast(numbers.below(damaged.count)) }
        let report = try importing(damaged, name)
        #expect(report.interruption == nil && !report.files.isEmpty)
      }
    }
    #expect(
      try library.check().findings.allSatisfy { $0.kind == .knownDamage }, "damage of the photo")
  }
}
