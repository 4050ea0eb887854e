// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("A folder over HTTP")
struct FolderTests {
  private let folder: TemporaryFolder
  private let client: TestClient

  init() throws {
    folder = try TemporaryFolder()
    try FileSystem.createFolder(folder.path("photos"))
    for name in ["a.jpg", "b.jpg"] {
      try FileSystem.copy(
        TestImages.path("inputs/jpeg-444.jpg"), to: folder.path("photos/" + name))
    }
    try FileSystem.copy(TestImages.path("inputs/jpeg-444.jpg"), to: folder.path("photos/.c.jpg"))
    client = TestClient(
      try TestRequests.service(
        PhotoFiles(folder: folder.path("photos")), in: folder.path("state")))
  }

  private func items(_ other: TestClient? = nil) throws -> [[String: JSONValue]] {
    let client = other ?? client
    let view = try client.json("POST", "/api/views", "{}")["view"]?.stringValue
    let members = try client.json("GET", "/api/views/\(try #require(view))/items")
    guard case .array(let items)? = members["items"] else { return [] }
    return items.compactMap { if case .object(let members) = $0 { members } else { nil } }
  }

  @Test func `photos are listed without renderings and hidden files`() async throws {
    try await PhotoEditor(SidecarStore(path: folder.path("photos/a.jpg"))).apply([Grayscale()])
    let items = try items()
    #expect(Set(items.compactMap { $0["title"]?.stringValue }) == ["a.jpg", "b.jpg"])
    let edited = try #require(items.first { $0["title"] == .string("a.jpg") })
    #expect(edited["flags"] == .texts(["edited"]))
    #expect((edited["w"]?.integerValue ?? 0) > 0)
  }

  @Test func `a photo has the camera and the size that its file states`() throws {
    let path = folder.path("photos/c.jpg")
    try FileSystem.copy(TestImages.path("inputs/photo-landscape.jpg"), to: path)
    let item = try #require(items().first { $0["title"] == .string("c.jpg") })
    let photo = try client.json("GET", "/api/assets/\(try #require(item["id"]?.stringValue))")
    #expect(photo["camera"] == .string("Testmaker Synthetic 1") && photo["iso"] == .whole(200))
    let size = try FileBytes.reading(path).count
    #expect(photo["fileSize"]?.integerValue == size)
  }

  @Test func `composed and decomposed accents are two photos`() async throws {
    let stems = ["\u{E9}", "e\u{301}"]
    for (stem, name) in zip(stems, ["photo-landscape.jpg", "jpeg-444.jpg"]) {
      try FileSystem.copy(
        TestImages.path("inputs/" + name), to: folder.path("photos/\(stem).jpg"))
    }
    let found = try items().filter { $0["title"]?.stringValue == "\u{E9}.jpg" }
    let titles = found.compactMap { $0["title"]?.stringValue.map { Array($0.utf8) } }
    #expect(Set(titles) == Set(stems.map { Array(($0 + ".jpg").utf8) }))
    #expect(Set(found.map(\.id)).count == 2 && Set(found.compactMap { $0["w"] }).count == 2)
    let path = folder.path("photos/\(stems[1]).jpg")
    try await PhotoEditor(SidecarStore(path: path)).apply([Grayscale()])
    let edited = try items().filter { $0["flags"] == .texts(["edited"]) }
    #expect(
      edited.map { Array(($0["title"]?.stringValue ?? "").utf8) } == [Array("e\u{301}.jpg".utf8)])
  }

  @Test func `photos are sorted by their capture date, or by that of the file`() throws {
    try FileSystem.copy(
      TestImages.path("inputs/photo-landscape.jpg"), to: folder.path("photos/0.jpg"))
    try folder.write(Array("damaged".utf8), to: "photos/c.jpg")
    let items = try items()
    let names = items.compactMap { $0["title"]?.stringValue }
    #expect(Set(names) == ["0.jpg", "a.jpg", "b.jpg", "c.jpg"] && names.last == "0.jpg")
    #expect(items.last?["date"]?.stringValue?.hasPrefix("2024-06-21T") == true)
    #expect(items.first { $0["title"] == "c.jpg" }?["w"] == 0)
  }

  @Test func `videos are listed with their duration, and are sent in part`() throws {
    try folder.write(MovieFile().bytes, to: "photos/clip.MOV")
    try folder.write(Array("damaged".utf8), to: "photos/damaged.mp4")
    let items = try items()
    let clip = try #require(items.first { $0["title"] == "clip.MOV" })
    #expect(clip["flags"] == .texts(["movie"]) && clip["duration"] == 1)
    #expect(clip["w"] == 64 && clip["h"] == 48)
    #expect(items.first { $0["title"] == "damaged.mp4" }?["flags"] == .texts(["movie"]))
    #expect(try movie(of: clip, "bytes=4-7").status == 206)
    let photo = try #require(items.first { $0["title"] == "a.jpg" })
    #expect(try client.send("GET", "/api/assets/\(photo.id)/movie").status == 404)
    #expect(try client.send("POST", "/api/assets/\(clip.id)/editing").status == 409)
  }

  @Test func `the still and the video of a Live Photo are one asset`() async throws {
    try folder.write(try ImageFile.live("L"), to: "photos/live.jpg")
    try folder.write(try ImageFile.live("L", seed: 1), to: "photos/another.jpg")
    try folder.write(MovieFile.live("L"), to: "photos/live.mov")
    try folder.write(MovieFile.live("M"), to: "photos/a.mov")
    let items = try items()
    let flags = Dictionary(
      uniqueKeysWithValues: items.map { ($0["title"]?.stringValue, $0["flags"]) })
    #expect(flags.count == 5 && flags["live.mov"] == nil)
    #expect(flags["live.jpg"] == .texts(["live"]) && flags["another.jpg"] == .texts([]))
    #expect(flags["a.mov"] == .texts(["movie"]) && flags["a.jpg"] == .texts([]))
    let live = try #require(items.first { $0["title"] == "live.jpg" })
    #expect(try movie(of: live, "bytes=0-3").status == 206)
    try await PhotoEditor(SidecarStore(path: folder.path("photos/live.jpg"))).apply([Grayscale()])
    let edited = try #require(try self.items().first { $0["title"] == "live.jpg" })
    #expect(edited["flags"] == .texts(["edited"]))
    #expect(try client.send("GET", "/api/assets/\(live.id)/movie").status == 404)
    #expect(try movie(of: live, "bytes=0-3", version: "original").status == 206)
  }

  private func movie(
    of item: [String: JSONValue], _ range: String, version: String = "current"
  ) throws -> HTTPResponse {
    let response = try client.send(
      "GET", "/api/assets/\(item.id)/movie?version=\(version)", "", [("range", range)])
    if case .file(let descriptor, _) = response.body { close(descriptor) }
    return response
  }

  @Test func `no response contains a path, and no request can name one`() throws {
    let service = try client.send("GET", "/api/service")
    guard case .bytes(let bytes) = service.body else { return }
    #expect(!String(decoding: bytes, as: UTF8.self).contains(folder.path))
    for item in try items() {
      let text = String(decoding: try JSONValue.object(item).canonicalBytes(), as: UTF8.self)
      #expect(!text.contains(folder.path))
    }
    for name in ["a.jpg", "photos%252Fa.jpg"] {
      #expect(try client.send("GET", "/api/assets/\(name)").status == 404)
    }
  }

  /// The status of every response for a photo that could contain a file, and the bytes they contain.
  private func sent(
    _ id: String, _ other: TestClient? = nil, tag: String = "x"
  ) throws -> (statuses: Set<Int>, bytes: [UInt8]) {
    let client = other ?? client
    var statuses: Set<Int> = []
    var bytes: [UInt8] = []
    for path in [
      "file", "file?version=original", "movie", "movie?version=original", "info",
      "picture/\(tag)?w=64",
    ] {
      let response = try client.send("GET", "/api/assets/\(id)/\(path)")
      statuses.insert(response.status)
      switch response.body {
      case .file(let descriptor, let range):
        defer { close(descriptor) }
        var part = [UInt8](repeating: 0, count: range.count)
        #expect(pread(descriptor, &part, part.count, range.lowerBound) == part.count)
        bytes += part
      case .bytes(let body): bytes += body
      default: break
      }
    }
    return (statuses, bytes)
  }

  private static let secret = Array("a private key".utf8)

  private func writeSecret() throws -> String {
    try FileSystem.createFolder(folder.path("home"))
    return try folder.write(Self.secret, to: "home/key")
  }

  @Test func `links in the folder are left out with a note`() throws {
    let secret = try writeSecret()
    for name in ["key.jpg", "clip.mov"] {
      #expect(symlink(secret, folder.path("photos/" + name)) == 0)
    }
    #expect(symlink("a.jpg", folder.path("photos/inner.jpg")) == 0)
    #expect(symlink("photos", folder.path("served")) == 0)
    let notes = LockedValue<[String]>([])
    let photos = try PhotoFiles(folder: folder.path("served/")) { _ in
      nil
    } note: { note in
      notes.withLock { $0.append(note) }
    }
    for _ in 0..<2 {
      let found = try photos.photos(of: PhotoList())
      #expect(Set(found.map(\.originalFilename)) == ["a.jpg", "b.jpg"])
    }
    let names = ["clip.mov", "inner.jpg", "key.jpg"]
    #expect(
      notes.withLock { $0 }
        == names.map {
          folder.path("served//\($0)")
            + ": left out: a link or special file, which is not followed in a served folder"
        })
  }

  @Test func `photos in subfolders are listed, except in libraries and behind links`() throws {
    for path in ["in", "in/deep", ".hidden", "other", "other/assets", "other/collections"] {
      try FileSystem.createFolder(folder.path("photos/" + path))
    }
    try folder.write([], to: "photos/other/library.db")
    for path in ["in/deep/d.jpg", ".hidden/h.jpg", "other/assets/o.jpg"] {
      try FileSystem.copy(
        TestImages.path("inputs/jpeg-444.jpg"), to: folder.path("photos/" + path))
    }
    try FileSystem.createFolder(folder.path("elsewhere"))
    #expect(symlink(folder.path("elsewhere"), folder.path("photos/link")) == 0)
    let notes = LockedValue<[String]>([])
    let photos = try PhotoFiles(folder: folder.path("photos")) { _ in
      nil
    } note: { note in
      notes.withLock { $0.append(note) }
    }
    let found = try photos.photos(of: PhotoList()).map(\.originalFilename)
    #expect(Set(found) == ["a.jpg", "b.jpg", "d.jpg"])
    #expect(
      photos.subfolders == ["in", "in/deep"].map { folder.path("photos/" + $0) })
    #expect(
      Set(notes.withLock { $0 }) == [
        folder.path("photos/link")
          + ": left out: a link or special file, which is not followed in a served folder",
        folder.path("photos/other") + ": left out: a photo library; serve it with --library",
      ])
    // Another name for a photo that was listed is no way into a folder that became a link.
    let client = TestClient(try TestRequests.service(photos, in: folder.path("state")))
    let deep = try #require(try items(client).first { $0["title"] == "d.jpg" })
    try FileSystem.rename(folder.path("photos/in"), to: folder.path("elsewhere/in"))
    #expect(symlink(folder.path("elsewhere/in"), folder.path("photos/in")) == 0)
    #expect(try sent(deep.id, client, tag: deep["picture"]?.stringValue ?? "").statuses == [404])
  }

  @Test func `a photo that became a link is not sent`() throws {
    let secret = try writeSecret()
    let item = try #require(try items().first { $0["title"] == "a.jpg" })
    try FileSystem.remove(folder.path("photos/a.jpg"))
    #expect(symlink(secret, folder.path("photos/a.jpg")) == 0)
    let (statuses, bytes) = try sent(item.id, tag: item["picture"]?.stringValue ?? "")
    #expect(statuses == [404] && !bytes.contains(Self.secret))
    #expect(try client.send("POST", "/api/assets/\(item.id)/editing").status == 404)
  }

  @Test(arguments: ["rendering", "absolute", "parent", "subfolder", "sidecar", "base"])
  func `the files that a sidecar names are not sent from elsewhere`(_ kind: String) async throws {
    let secret = try writeSecret()
    let photo = folder.path("photos/a.jpg")
    try await PhotoEditor(SidecarStore(path: photo)).apply([Grayscale()])
    let item = try #require(try items().first { $0["title"] == "a.jpg" })
    let tag = item["picture"]?.stringValue ?? ""
    #expect(try sent(item.id, tag: tag).statuses == [200, 404])
    let sidecar = folder.path("photos/a.jpg.aae")
    func replace(_ name: String) throws {
      let text = String(decoding: try FileBytes.reading(sidecar).array, as: UTF8.self)
      let digest = try FileBytes.digest(of: folder.path("photos/a.edited.jpg")).hex
      let changed = text.replacing("a.edited.jpg", with: name)
        .replacing(digest, with: SHA256Digest(of: Self.secret).hex)
      #expect(changed != text)
      try folder.write(Array(changed.utf8), to: "photos/a.jpg.aae")
    }
    switch kind {
    case "absolute": try replace(secret)
    case "parent": try replace("../home/key")
    case "subfolder":
      #expect(symlink(folder.path("home"), folder.path("photos/sub")) == 0)
      try replace("sub/key")
    case "sidecar":
      try FileSystem.rename(sidecar, to: folder.path("home/moved"))
      #expect(symlink(folder.path("home/moved"), sidecar) == 0)
    case "base":
      // A rendering of another program is the input of the edit.
      try replace("a.base.jpg")
      #expect(symlink(secret, folder.path("photos/a.base.jpg")) == 0)
    default:
      try FileSystem.remove(folder.path("photos/a.edited.jpg"))
      #expect(symlink(secret, folder.path("photos/a.edited.jpg")) == 0)
    }
    let (statuses, bytes) = try sent(item.id, tag: tag)
    #expect(!statuses.contains(200), "\(statuses)")
    #expect(!bytes.contains(Self.secret))
    #expect(!(200..<300).contains(try client.send("POST", "/api/assets/\(item.id)/editing").status))
    #expect(try !items().contains { $0["title"] == "a.jpg" })
  }

  @Test func `edits in a state directory are served, also before the first one`() throws {
    let state = folder.path("edits")
    let client = TestClient(
      try TestRequests.service(
        PhotoFiles(folder: folder.path("photos")) { photo in
          try? StateDirectory.folder(for: photo, in: state)
        }, in: folder.path("state")))
    let asset = try #require(try items(client).first { $0["title"] == "a.jpg" }).id
    #expect(try sent(asset, client).statuses == [200, 404])
    let store = SidecarStore(path: folder.path("photos/a.jpg"))
      .stored(in: try StateDirectory.folder(for: folder.path("photos/a.jpg"), in: state))
    let edited = try PhotoEditor(store).begin().commit(FilterGraph().appending([Grayscale()]))
    #expect(edited.state.current.path.hasPrefix(state + "/"))
    let item = try #require(try items(client).first { $0["title"] == "a.jpg" })
    #expect(item["flags"] == .texts(["edited"]))
    let (statuses, bytes) = try sent(asset, client, tag: item["picture"]?.stringValue ?? "")
    #expect(statuses == [200, 404])
    #expect(bytes.contains(try FileBytes.reading(edited.state.current.path).array))
    // A link in the state directory is not followed either.
    let secret = try writeSecret()
    try FileSystem.remove(store.sidecarPath)
    #expect(symlink(secret, store.sidecarPath) == 0)
    #expect(try !items(client).contains { $0["title"] == "a.jpg" })
  }

  @Test func `a folder that cannot be opened is not served`() {
    #expect(throws: FileError.self) { try PhotoFiles(folder: folder.path("none")) }
    #expect(throws: FileError.self) { try PhotoFiles(photo: folder.path("none/a.jpg")) }
  }

  @Test func `an image of a photo is sent, and properties cannot be changed`() throws {
    let item = try #require(try items().first)
    let (id, tag) = (item["id"]?.stringValue ?? "", item["picture"]?.stringValue ?? "")
    #expect(try client.send("GET", "/api/assets/\(id)/picture/\(tag)?w=64").status == 200)
    #expect(
      try client.send(
        "PATCH", "/api/assets/\(id)", "{\"favorite\":true}", [("if-match", "*")]
      ).status == 409)
    #expect(
      try client.send("POST", "/api/views", "{\"predicate\":\"favorite == YES\"}").status == 404)
    #expect(try client.send("POST", "/api/views", "{\"search\":\"boat\"}").status == 404)
  }

  @Test func `a file is sent as an attachment, or in part`() throws {
    let id = try #require(try items().first?["id"]?.stringValue)
    func send(_ range: String?) throws -> (HTTPResponse, Range<Int>?) {
      let response = try client.send("GET", "/api/assets/\(id)/file", "", [("range", range)])
      guard case .file(let descriptor, let part) = response.body else { return (response, nil) }
      close(descriptor)
      return (response, part)
    }
    let (whole, all) = try send(nil)
    #expect(whole.status == 200)
    #expect(whole.fields.contains { $0 == ("Content-Security-Policy", "sandbox") })
    #expect(
      whole.fields.contains { $0.name == "Content-Disposition" && $0.value.hasPrefix("attachment") }
    )
    let (partial, part) = try send("bytes=2-5")
    #expect(partial.status == 206 && part == 2..<6)
    let size = try #require(all?.upperBound)
    #expect(partial.fields.contains { $0 == ("Content-Range", "bytes 2-5/\(size)") })
    let (refused, _) = try send("bytes=\(size)-")
    #expect(refused.status == 416)
    #expect(refused.fields.contains { $0 == ("Content-Range", "bytes */\(size)") })
    #expect(WebService.escaped("a b\"\n\u{e9}.jpg") == "a%20b%22%0A%C3%A9.jpg")
  }
}

extension [String: JSONValue] {
  fileprivate var id: String { self["id"]?.stringValue ?? "" }
}
