// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditServer

@Suite("Several photos as one download")
struct DownloadTests {
  private let folder: TemporaryFolder
  private let client: TestClient

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.createFolder(folder.path("photos"))
    try FileSystem.createFolder(folder.path("photos/more"))
    for name in ["a.jpg", "more/A.JPG", "more/été.jpg"] {
      try folder.write(TestImages.bytes("inputs/jpeg-444.jpg"), to: "photos/" + name)
    }
    client = TestClient(
      try TestRequests.service(
        PhotoFiles(folder: folder.path("photos")), in: folder.path("state")))
  }

  private func ids() throws -> [String: String] {
    let view = try client.json("POST", "/api/views", "{}")["view"]?.stringValue
    let members = try client.json("GET", "/api/views/\(try #require(view))/items")
    let items = try #require(members["items"]?.arrayValue)
    return Dictionary(
      uniqueKeysWithValues: items.compactMap { item in
        guard case .object(let item) = item, let title = item["title"]?.stringValue,
          let id = item["id"]?.stringValue
        else { return nil }
        return (title, id)
      })
  }

  private func begin(
    _ ids: [String], _ version: String = "current", side: Int? = nil
  ) throws -> HTTPResponse {
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    let side = side.map { ",\"side\":\($0)" } ?? ""
    return try client.send(
      "POST", "/api/downloads", "{\"ids\":[\(list)],\"version\":\"\(version)\"\(side)}")
  }

  /// Returns the bytes that the transport would send in parts of a size; nil if they end early.
  private func bytes(
    of ids: [String], _ version: String = "current", side: Int? = nil, part: Int = 1000
  ) throws -> [UInt8]? {
    let begun = try client.json(begin(ids, version, side: side))
    let id = try #require(begun["download"]?.stringValue)
    let response = try client.send("GET", "/api/downloads/" + id)
    guard case .stream(let stream) = response.body else { return nil }
    defer { stream.close() }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: part))
    while true {
      let count = buffer.withUnsafeMutableBytes { stream.read(into: $0) }
      if count == -1 { return bytes }
      guard count > 0 else { return nil }
      bytes += buffer[..<count]
    }
  }

  /// Returns the names and contents of the entries of an archive.
  private func entries(_ archive: [UInt8]) throws -> [(name: String, bytes: [UInt8])] {
    let path = try folder.write(archive, to: "received.zip")
    let reader = try ArchiveReader(OpenFile(reading: path))
    var entries: [(name: String, bytes: [UInt8])] = []
    while let entry = try reader.next() {
      var (content, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 70_000))
      while true {
        let count = try buffer.withUnsafeMutableBytes { try reader.read(into: $0) }
        if count == 0 { break }
        content += buffer[..<count]
      }
      #expect(entry.size == content.count || entry.size == nil)
      entries.append((String(decoding: entry.name ?? [], as: UTF8.self), content))
    }
    return entries
  }

  @Test(arguments: [1, 1000, 1 << 20])
  func `the files are in the archive byte for byte, under names that differ everywhere`(
    part: Int
  ) throws {
    let ids = try ids()
    let names = ["a.jpg", "A.JPG", "été.jpg"]
    let chosen = try names.map { try #require(ids[$0]) }
    let archive = try #require(try bytes(of: chosen, part: part))
    let entries = try entries(archive)
    #expect(entries.map(\.name) == ["a.jpg", "A (2).JPG", "été.jpg"])
    let original = try TestImages.bytes("inputs/jpeg-444.jpg")
    for entry in entries { #expect(entry.bytes == original) }
  }

  @Test func `a Live Photo comes with its video, and an edit in its current version`() async throws
  {
    try folder.write(try ImageFile.live("L"), to: "photos/live.jpg")
    try folder.write(MovieFile.live("L"), to: "photos/live.mov")
    let path = folder.path("photos/a.jpg")
    try await PhotoEditor(SidecarStore(path: path)).apply([Grayscale()])
    let ids = try ids()
    let chosen = [try #require(ids["live.jpg"]), try #require(ids["a.jpg"])]
    let current = try entries(try #require(try bytes(of: chosen)))
    #expect(current.map(\.name) == ["live.jpg", "live.mov", "a.jpg"])
    #expect(current[1].bytes == Array(MovieFile.live("L")))
    let rendering = try SidecarStore(path: path).state().current.path
    #expect(try current[2].bytes == Array(Data(contentsOf: URL(filePath: rendering))))
    let originals = try entries(try #require(try bytes(of: chosen, "original")))
    #expect(try originals[2].bytes == TestImages.bytes("inputs/jpeg-444.jpg"))
    #expect(originals[2].bytes != current[2].bytes)
  }

  @Test func `smaller copies are JPEG files of the size that is asked for, videos are as they are`()
    throws
  {
    try folder.write(try ImageFile.live("L"), to: "photos/live.jpg")
    try folder.write(MovieFile.live("M"), to: "photos/movie.mov")
    let ids = try ids()
    let chosen = try ["a.jpg", "A.JPG", "live.jpg", "movie.mov"].map { try #require(ids[$0]) }
    let copies = try entries(try #require(try bytes(of: chosen, side: 32)))
    #expect(copies.map(\.name) == ["a-32.jpg", "A-32 (2).jpg", "live-32.jpg", "movie.mov"])
    for copy in copies.dropLast() {
      let size = try ImageSource(FileBytes(copy.bytes)).size
      #expect(max(size.width, size.height) == 32)
    }
    #expect(copies.last?.bytes == Array(MovieFile.live("M")))
    #expect(try begin(chosen, side: 0).status == 400)
    #expect(try begin(chosen, side: 4096).status == 400)
  }

  @Test func `a file that vanishes or shrinks ends the download with an error`() throws {
    let ids = try ids()
    let chosen = try ["a.jpg", "A.JPG"].map { try #require(ids[$0]) }
    try folder.write([1, 2, 3], to: "photos/more/A.JPG")
    #expect(try bytes(of: chosen) != nil)
    try FileSystem.remove(folder.path("photos/more/A.JPG"))
    let begun = try begin(chosen)
    #expect(try begun.status == 404 || bytes(of: chosen) == nil)
  }

  @Test func `photos that are not there, none, and an old download are refused`() throws {
    let one = try #require(try ids()["a.jpg"])
    #expect(try begin(["unknown"]).status == 404)
    #expect(try begin([]).status == 400)
    #expect(try begin(Array(repeating: one, count: 10_001)).status == 400)
    #expect(try client.send("GET", "/api/downloads/d99").status == 404)
    let first = try #require(try client.json(begin([one]))["download"]?.stringValue)
    for _ in 0..<16 { #expect(try begin([one]).status == 201) }
    #expect(try client.send("GET", "/api/downloads/" + first).status == 404)
  }
}
