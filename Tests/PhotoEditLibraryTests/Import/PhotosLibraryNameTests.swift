// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Libraries whose database or folders lead to files that the user did not name.
@Suite("Names in an Apple Photos library")
struct PhotosLibraryNameTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
    try write(try ImageFile().jpeg(1), "card/Photos/originals/0/A.jpeg")
    try write(try ImageFile().jpeg(2), "card/DCIM/x.jpeg")
    try write(try ImageFile().jpeg(3), "home/secret.jpeg")
  }

  /// Writes the database of the library; rows are identifiers, folders and files.
  private func writeDatabase(_ rows: [(String, String, String)], edited: Bool = false) throws {
    try FileManager.default.createDirectory(
      atPath: source.path("card/Photos/database"), withIntermediateDirectories: true)
    let connection = try Connection(source.path("card/Photos/database/Photos.sqlite"), .create)
    try connection.execute(
      """
      CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZUUID TEXT, ZDIRECTORY TEXT, ZFILENAME TEXT,
        ZKIND INTEGER, ZADJUSTMENTSSTATE INTEGER)
      """)
    for (index, (uuid, folder, file)) in rows.enumerated() {
      try connection.execute(
        """
        INSERT INTO ZASSET VALUES (\(index), '\(uuid)', '\(folder)', '\(file)', 0, \(edited ? 1 : 0))
        """)
    }
  }

  private var names: Set<String> {
    get throws { Set(try library.assets().map(\.originalFilename)) }
  }

  private func expectSecretKept() throws {
    #expect(try FileBytes.reading(source.path("home/secret.jpeg")).array == ImageFile().jpeg(3))
  }

  @Test func `a name that leads out of the library is refused`() throws {
    try writeDatabase([
      ("A", "0", "A.jpeg"), ("B", source.path("home"), "secret.jpeg"),
      ("C", "../../../home", "secret.jpeg"), ("D", "0/../../../../home", "secret.jpeg"),
      ("E", "0", "../../../../home/secret.jpeg"), ("F", "0/./", "A.jpeg"),
      ("G", source.path("card/../home"), "secret.jpeg"), ("H", "", "../../../home/secret.jpeg"),
    ])
    let report = run(folder: "card")
    #expect(report.count(.refused) == 7 && report.interruption == nil)
    let refused = report.files.filter { $0.outcome == .refused }
    #expect(refused.allSatisfy { $0.reason?.contains("outside of the library") == true })
    #expect(try names == ["A.jpeg", "x.jpeg"])
    try expectSecretKept()
  }

  @Test func `a file is not read through a link at any level`() throws {
    let home = source.path("home")
    #expect(symlink(home, source.path("card/Photos/originals/1")) == 0)
    #expect(symlink(home + "/secret.jpeg", source.path("card/Photos/originals/0/B.jpeg")) == 0)
    try writeDatabase([
      ("A", "0", "A.jpeg"), ("B", "0", "B.jpeg"), ("C", "1", "secret.jpeg"),
    ])
    let report = run(folder: "card")
    let outcomes = outcomes(report)
    #expect(outcomes["card/Photos/originals/0/B.jpeg"] == .refused)
    #expect(outcomes["card/Photos/originals/1/secret.jpeg"] == .refused)
    #expect(try names == ["A.jpeg", "x.jpeg"])
    try FileManager.default.removeItem(atPath: source.path("card/Photos/originals"))
    #expect(symlink(home, source.path("card/Photos/originals")) == 0)
    #expect(run(folder: "card").assetCount == 0)
    try expectSecretKept()
  }

  @Test func `renderings and records are not read through a link or a crafted identifier`() throws {
    try write(ImageFile.record("com.apple.photo"), "home/secret.plist")
    try FileSystem.createFolder(source.path("card/Photos/resources"))
    try FileSystem.createFolder(source.path("card/Photos/resources/renders"))
    let renders = source.path("card/Photos/resources/renders/0")
    #expect(symlink(source.path("home"), renders) == 0)
    try write(try ImageFile().jpeg(4), "home/A_1_201_a.jpeg")
    try write(ImageFile.record("com.apple.photo"), "home/A.plist")
    try writeDatabase(
      [("A", "0", "A.jpeg"), ("../../../../home/secret", "0", "A.jpeg")], edited: true)
    let report = run(folder: "card")
    #expect(!report.files.contains { $0.path.contains("home") && $0.outcome != .refused })
    #expect(try library.assets().allSatisfy { !$0.hasAdjustments })
    try expectSecretKept()
  }

  @Test func `a linked database is not read`() throws {
    try writeDatabase([("A", "0", "A.jpeg")])
    try FileSystem.rename(
      source.path("card/Photos/database"), to: source.path("home/database"))
    #expect(symlink(source.path("home/database"), source.path("card/Photos/database")) == 0)
    let report = run(folder: "card")
    #expect(outcomes(report)["card/Photos/database/Photos.sqlite"] == .skipped)
    #expect(try names == ["A.jpeg", "x.jpeg"])
  }

  @Test func `a referenced file is imported if the user names its folder`() throws {
    try write(try ImageFile().jpeg(5), "archive/r.jpeg")
    try writeDatabase([("A", source.path("archive"), "r.jpeg")])
    #expect(run([source.path("card/Photos")]).count(.refused) == 1)
    #expect(try names == [])
    #expect(symlink("archive", source.path("linked")) == 0)
    let report = run([source.path("card/Photos"), source.path("linked")])
    #expect(report.count(.refused) == 0 && report.assetCount == 1)
    #expect(try names == ["r.jpeg"])
  }

  @Test(arguments: [
    ["card"], ["card/Photos"], ["card/Photos/originals"], ["card/Photos/originals/0/A.jpeg"],
    ["linked"],
  ])
  func `the files of a library are not moved`(_ paths: [String]) throws {
    #expect(symlink("card/Photos/originals/0", source.path("linked")) == 0)
    try writeDatabase([("A", "0", "A.jpeg"), ("B", source.path("home"), "secret.jpeg")])
    let report = run(paths.map { source.path($0) }) { $0.shouldMoveFiles = true }
    let refused = report.files.filter { $0.outcome == .refused }
    #expect(refused.count == 1 && refused.first?.error?.hint == "import it without --move")
    #expect(refused.first?.path.hasSuffix("card/Photos") == true)
    #expect(FileSystem.itemExists(source.path("card/Photos/originals/0/A.jpeg")))
    try expectSecretKept()
    // Files next to the library are moved.
    #expect(try names == (paths == ["card"] ? ["x.jpeg"] : []))
    #expect(FileSystem.itemExists(source.path("card/DCIM/x.jpeg")) == (paths != ["card"]))
  }

  @Test func `a library of an earlier program is not moved either`() throws {
    try write(try ImageFile().jpeg(6), "old/Masters/2010/a.jpeg")
    try write([1], "old/AlbumData.xml")
    let report = run(folder: "old") { $0.shouldMoveFiles = true }
    #expect(report.count(.refused) == 1 && report.assetCount == 0)
    #expect(FileSystem.itemExists(source.path("old/Masters/2010/a.jpeg")))
    #expect(run(folder: "old").assetCount == 1)
  }

  @Test func `a file is not taken from a folder that became a link after the scan`() throws {
    let root = try OpenFolder(source.path("card"))
    let path = root.path(of: "DCIM/x.jpeg")
    let origin = ImportScan.File(path: path, kind: .still, root: root).origin
    try FileSystem.rename(source.path("card/DCIM"), to: source.path("card/moved"))
    #expect(symlink(source.path("home"), source.path("card/DCIM")) == 0)
    try write(try ImageFile().jpeg(7), "home/x.jpeg")
    let options = AssetResourceCreationOptions(shouldMoveFile: true)
    #expect(throws: LibraryError.self) {
      _ = try ResourceStager.stage(
        ResourceSource(type: .photo, origin: origin, options: options),
        to: source.path("staged"))
    }
    let version = try #require(FileVersion(path))
    #expect(MovedSource(origin: origin, version: version, name: path).remove() == nil)
    #expect(FileSystem.itemExists(source.path("home/x.jpeg")))
  }

  @Test func `an import checks the file that it copies`() throws {
    let bytes = try ImageFile().jpeg(8)
    let path = source.path("x.jpeg")
    for (isCopied, other) in [(true, "text"), (false, "text"), (true, ""), (false, "")] {
      try write(bytes, "x.jpeg")
      let file = try OpenFile(reading: path)
      try FileSystem.remove(path)
      try write(Array(other.utf8), "x.jpeg")
      let origin = ResourceSource.Origin.file(path)
      let found = try ResourceStager.stage(
        file, ResourceSource(type: .photo, origin: origin, options: .init()),
        to: isCopied ? source.path("staged-" + other) : nil)
      #expect(found.digest == SHA256Digest(of: bytes) && found.size == bytes.count)
      #expect(found.path == (isCopied ? source.path("staged-" + other) : path))
    }
    // A message names the path, not the descriptor.
    let error = #expect(throws: LibraryError.self) {
      try write(Array("text".utf8), "x.jpeg")
      let file = try OpenFile(reading: path)
      _ = try ResourceStager.stage(
        file, ResourceSource(type: .video, origin: .file(path), options: .init()), to: nil)
    }
    #expect(error.map { "\($0)".contains(path) && !"\($0)".contains("/proc") } == true)
  }
}
