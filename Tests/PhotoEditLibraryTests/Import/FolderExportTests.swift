// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Exporting to a folder that is kept up to date")
struct FolderExportTests {
  private let library: TestLibrary
  private let target: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    target = try TemporaryFolder()
  }

  private func add(_ name: String, _ seed: Int, title: String? = nil, year: Int = 2024) throws {
    var file = ImageFile()
    file.exif = [.text(0x9003, "\(year):05:01 12:00:00")]
    let bytes = try file.jpeg(seed)
    try library.library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(
        .photo, data: bytes, options: AssetResourceCreationOptions(originalFilename: name))
      try request.setTitle(title)
    }
  }

  @Test func `a folder that becomes a link during an export gets nothing`() throws {
    for (index, name) in ["a.jpg", "b.jpg"].enumerated() { try add(name, index + 1) }
    let others = try TemporaryFolder()
    let exported = target.path("exported")
    try FileSystem.createFolder(exported)
    var options = FolderExport.Options()
    options.updates = true
    options.setsFileDates = true
    var paths: [String] = []
    _ = try FolderExport(library.library, to: URL(filePath: exported), options: options)
      .run(try library.assets()) { result in
        #expect(result.outcome == .written, "\(String(describing: result.error))")
        paths += result.files.map(\.path)
        guard paths.count == 1 else { return }
        #expect(rename(exported, target.path("moved")) == 0)
        #expect(symlink(others.path, exported) == 0)
      }
    #expect(try FileSystem.names(in: others.path) == [])
    #expect(Set(paths) == [exported + "/a.jpg", exported + "/b.jpg"])
    let names = [ExportRecord.name, "a.jpg", "b.jpg"]
    #expect(try FileSystem.names(in: target.path("moved")) == names)
    #expect(FileVersion(target.path("moved/b.jpg"))?.modified == [1_714_564_800, 0])
  }

  @Test func `nothing is written for an asset of which an earlier file is out of reach`() throws {
    try add("a.jpg", 1)
    try export("{title|name}/x")
    try FileSystem.rename(target.path("a"), to: target.path("hidden"))
    #expect(symlink("hidden", target.path("a")) == 0)
    let asset = try #require(try library.assets().first)
    try library.library.performChangesAndWait { try $0.change(asset).setTitle("Sea") }
    let outcome = try export("{title|name}/x")
    #expect(outcome.outcomes == [.failed: 1] && outcome.errors.first?.file?.kind == .outside)
    #expect(try files() == ["hidden/x.jpg"])
  }

  private struct Outcome {
    var outcomes: [FolderExport.Result.Outcome: Int] = [:]
    var errors: [LibraryError] = []
    var removal = FolderExport.Removal()
  }

  @discardableResult
  private func export(
    _ template: String? = "{created.year}/{title|name}",
    _ change: (inout FolderExport.Options) -> Void = { _ in }
  ) throws -> Outcome {
    var options = FolderExport.Options()
    options.template = try template.map { try ExportTemplate($0) }
    options.updates = true
    change(&options)
    var outcome = Outcome()
    outcome.removal = try FolderExport(
      library.library, to: URL(filePath: target.path), options: options
    ).run(try library.assets()) { result in
      outcome.outcomes[result.outcome, default: 0] += 1
      if let error = result.error { outcome.errors.append(error) }
    }
    return outcome
  }

  private func files() throws -> [String] {
    try FileManager.default.subpathsOfDirectory(atPath: target.path).filter { name in
      name != ExportRecord.name && (try? FileSystem.entry(at: target.path(name))) == .file
    }.sorted()
  }

  @Test func `a repeated export writes only what has changed`() throws {
    try add("a.jpg", 1)
    try add("b.jpg", 2, title: "Lake", year: 2023)
    #expect(try export().outcomes == [.written: 2])
    #expect(try files() == ["2023/Lake.jpg", "2024/a.jpg"])
    let versions = try files().map { FileVersion(target.path($0)) }
    #expect(try export().outcomes == [.unchanged: 2])
    #expect(try files().map { FileVersion(target.path($0)) } == versions)
    let asset = try #require(try library.assets().last)
    try library.library.performChangesAndWait { try $0.change(asset).setTitle("Sea") }
    let third = try export { $0.deletesExtraFiles = true }
    #expect(third.outcomes == [.unchanged: 1, .written: 1])
    #expect(third.removal.removed == [target.path("2023/Lake.jpg")])
    #expect(try files() == ["2023/Sea.jpg", "2024/a.jpg"])
  }

  @Test func `a file changed by hand is kept unless it is to be overwritten`() throws {
    try add("a.jpg", 1)
    try export()
    try target.write([1, 2, 3], to: "2024/a.jpg")
    let second = try export()
    #expect(second.outcomes == [.kept: 1])
    #expect(FileVersion(target.path("2024/a.jpg"))?.size == 3)
    #expect(try export { $0.overwrites = true }.outcomes == [.written: 1])
    #expect(try export().outcomes == [.unchanged: 1])
    FileSystem.touch(target.path("2024/a.jpg"))
    #expect(try export().outcomes == [.written: 1], "the same bytes are not a change")
    #expect(try export().outcomes == [.unchanged: 1])
  }

  @Test func `a removed file is written again, a file of another program is not replaced`() throws {
    try add("a.jpg", 1)
    try export()
    try FileSystem.remove(target.path("2024/a.jpg"))
    #expect(try export().outcomes == [.written: 1])
    try add("b.jpg", 2)
    try target.write([1, 2, 3], to: "2024/b.jpg")
    let outcome = try export()
    #expect(outcome.outcomes == [.unchanged: 1, .failed: 1] && outcome.errors.count == 1)
    #expect(FileVersion(target.path("2024/b.jpg"))?.size == 3)
  }

  @Test func `only recorded files are removed, and none that was changed by hand`() throws {
    for (index, name) in ["a.jpg", "b.jpg", "c.jpg"].enumerated() { try add(name, index + 1) }
    try export()
    try target.write([1], to: "2024/notes.txt")
    try target.write([1], to: "2024/b.jpg")
    let assets = try library.assets()
    try library.library.performChangesAndWait { try $0.delete(Array(assets.prefix(2))) }
    let outcome = try export { $0.deletesExtraFiles = true }
    #expect(outcome.removal.removed == [target.path("2024/a.jpg")])
    #expect(outcome.removal.kept == [target.path("2024/b.jpg")])
    #expect(try files() == ["2024/b.jpg", "2024/c.jpg", "2024/notes.txt"])
  }

  @Test func `equal names are numbered by identifier, and keep their numbers`() throws {
    for seed in 1...3 { try add(seed == 2 ? "A.JPG" : "a.jpg", seed) }
    try export("{name}")
    let order = try library.assets().sorted { $0.localIdentifier < $1.localIdentifier }
    let names = ["", " (1)", " (2)"].enumerated().map { index, number in
      let (stem, ending) = FileSystem.splitName(order[index].originalFilename)
      return stem + number + "." + ending
    }
    #expect(try files() == names.sorted())
    let before = try files().map { try digest(target.path($0)) }
    try add("a.jpg", 9)
    let first = try #require(order.first)
    try library.library.performChangesAndWait { try $0.change(first).setFavorite(true) }
    #expect(try export("{name}").outcomes == [.unchanged: 2, .written: 2])
    #expect(try names.sorted().map { try digest(target.path($0)) } == before)
    #expect(try files().count == 4)
  }

  @Test func `an asset in two albums is written twice, as hard links on request`() throws {
    try add("a.jpg", 1)
    let asset = try #require(try library.assets().first)
    try library.library.performChangesAndWait { changes in
      for title in ["Lake", "Sea/Shore"] {
        try changes.createAlbum(title: title).addAssets([asset])
      }
    }
    try export("{album}/{name}") { $0.links = true }
    #expect(try files() == ["Lake/a.jpg", "Sea_Shore/a.jpg"])
    #expect(FileSystem.isSameFile(target.path("Lake/a.jpg"), target.path("Sea_Shore/a.jpg")))
    let album = try #require(
      try library.library.fetchAssetCollections(with: .album).first { $0.localizedTitle == "Lake" })
    try library.library.performChangesAndWait { try $0.change(album).setTitle("Pond") }
    try export("{album}/{name}") { $0.deletesExtraFiles = true }
    #expect(try files() == ["Pond/a.jpg", "Sea_Shore/a.jpg"])
  }

  @Test func `an export that lost its record adopts the files it had written`() throws {
    try add("a.jpg", 1)
    try export { $0.writesSidecars = true }
    #expect(try files() == ["2024/a.jpg", "2024/a.jpg.xmp"])
    let versions = try files().map { FileVersion(target.path($0)) }
    try FileSystem.remove(target.path(ExportRecord.name))
    #expect(try export { $0.writesSidecars = true }.outcomes == [.written: 1])
    #expect(try files().map { FileVersion(target.path($0)) } == versions, "no file is replaced")
  }

  @Test func `a crafted record removes and replaces nothing outside of the folder`() throws {
    try add("a.jpg", 1)
    try export()
    let path = target.path(ExportRecord.name)
    let bytes = try FileBytes.reading(path, maximumBytes: 1 << 20).array
    let text = String(decoding: bytes, as: UTF8.self)
    try target.write([1], to: "victim.jpg")
    try target.write(
      Array(text.replacing("2024/a.jpg", with: "2024/../victim.jpg").utf8), to: ExportRecord.name)
    #expect(try ExportRecord(in: OpenFolder(target.path)).entries.isEmpty)
    try target.write(Array("{}".utf8), to: ExportRecord.name)
    #expect(throws: LibraryError.self) { try export() }
  }

  @Test(arguments: ["2024/../../victim/a", "../victim/a", "/victim/a", "2024/./a"])
  func `a crafted record does not choose a path outside of the folder`(_ stem: String) throws {
    try add("a.jpg", 1)
    try export()
    let victim = target.path + ".victim"
    try FileSystem.createFolder(victim)
    defer { try? FileManager.default.removeItem(atPath: victim) }
    let bytes = try FileBytes.reading(target.path(ExportRecord.name), maximumBytes: 1 << 20).array
    let crafted = String(decoding: bytes, as: UTF8.self)
      .replacing(
        "\"stem\":\"2024/a\"",
        with: "\"stem\":\"\(stem.replacing("victim", with: FileSystem.lastName(of: victim)))\"")
    #expect(crafted.utf8.count > bytes.count)
    try target.write(Array(crafted.utf8), to: ExportRecord.name)
    try export { $0.overwrites = true }
    #expect(try FileSystem.names(in: victim) == [])
    #expect(try files() == ["2024/a.jpg"])
  }

  @Test func `nothing is written, replaced or removed through a link in the folder`() throws {
    try add("a.jpg", 1)
    try add("b.jpg", 2, year: 2023)
    try export()
    let others = try TemporaryFolder()
    for year in ["2023", "2024"] {
      try FileSystem.rename(target.path(year), to: others.path(year))
      #expect(symlink(others.path(year), target.path(year)) == 0)
    }
    let before = ["2023/b.jpg", "2024/a.jpg"].map { FileVersion(others.path($0)) }
    let asset = try #require(try library.assets().last)
    try library.library.performChangesAndWait { try $0.change(asset).setTitle("Sea") }
    for overwrites in [false, true] {
      let result = try export("{title|name}") {
        ($0.deletesExtraFiles, $0.overwrites) = (true, overwrites)
      }
      #expect(result.removal.removed == [] && result.removal.kept.count == 2)
      #expect(try export { $0.overwrites = overwrites }.outcomes[.written] == nil)
    }
    #expect(["2023/b.jpg", "2024/a.jpg"].map { FileVersion(others.path($0)) } == before)
    for year in ["2023", "2024"] {
      #expect(try FileSystem.names(in: others.path(year)).count == 1)
    }
  }

  @Test func `files get the capture date on request`() throws {
    try add("a.jpg", 1)
    try export { $0.setsFileDates = true }
    #expect(FileVersion(target.path("2024/a.jpg"))?.modified == [1_714_564_800, 0])
    #expect(try export { $0.setsFileDates = true }.outcomes == [.unchanged: 1])
  }
}
