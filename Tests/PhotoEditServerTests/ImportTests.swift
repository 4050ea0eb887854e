// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditServeArguments
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("Imports and exports over HTTP")
struct ImportTests {
  private let folder: TemporaryFolder
  private let library: PhotoLibrary
  private let service: WebService
  private let client: TestClient

  init() throws {
    folder = try TemporaryFolder()
    for name in ["card", "out"] { try FileSystem.createFolder(folder.path(name)) }
    library = try PhotoLibrary.create(at: URL(filePath: folder.path("library")))
    var arguments = ServeArguments()
    arguments.library = folder.path("library")
    (arguments.imports, arguments.exports) = ([folder.path("card")], [folder.path("out")])
    service = try TestRequests.service(
      LibrarySource(library), in: folder.path("state"), roots: Roots(arguments))
    client = TestClient(service)
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    try folder.write(bytes, to: "card/" + name)
  }

  private func result(_ response: HTTPResponse) throws -> [String: JSONValue] {
    #expect(response.status == 202)
    let job = try #require(try client.json(response)["job"]?.stringValue)
    let ended = try client.json("GET", "/api/jobs/\(job)?wait=1")
    guard case .object(let result)? = ended["result"] else {
      Issue.record("the job failed: \(ended)")
      return [:]
    }
    return result
  }

  private struct Plan {
    let id: String
    /// The groups by their files.
    let groups: [String: [String: JSONValue]]
    func kind(_ files: String) -> String? { groups[files]?["kind"]?.stringValue }
    func key(_ files: String) -> String { groups[files]?["key"]?.stringValue ?? "" }
  }

  private func plan(_ body: String = #"{"root":"card"}"#) throws -> Plan {
    let result = try result(client.send("POST", "/api/imports", body))
    guard case .array(let groups)? = result["groups"] else { return Plan(id: "", groups: [:]) }
    let named = groups.compactMap { value -> (String, [String: JSONValue])? in
      guard case .object(let group) = value, case .array(let files)? = group["files"] else {
        return nil
      }
      return (files.compactMap(\.stringValue).joined(separator: " "), group)
    }
    return Plan(id: result["plan"]?.stringValue ?? "", groups: Dictionary(named) { $1 })
  }

  private func run(_ plan: Plan, _ files: [String]) throws -> [String: JSONValue] {
    let keys = files.map { "\"\(plan.key($0))\"" }.joined(separator: ",")
    return try result(
      client.send("POST", "/api/imports/\(plan.id)/run", "{\"groups\":[\(keys)]}"))
  }

  private func send(_ name: String, _ bytes: [UInt8]) throws -> String {
    let upload = try service.uploads.begin(name, byteCount: bytes.count)
    bytes.withUnsafeBytes { upload.write($0) }
    return try upload.finish().id
  }

  private var names: [String] {
    get throws { try library.fetchAssets().map(\.originalFilename).sorted() }
  }

  // MARK: Plans

  @Test func `a plan shows what belongs together, and imports nothing`() throws {
    try write(ImageFile.live("L-1"), "LIVE.JPG")
    try write(MovieFile.live("L-1"), "LIVE.MOV")
    try write(ImageFile().jpeg(1), "RAW.JPG")
    try write(ImageFile.dng(1), "RAW.DNG")
    try write(ImageFile().jpeg(2), "IMG_1.JPG")
    try write(ImageFile().jpeg(3), "IMG_E1.JPG")
    try write(ImageFile.record(), "IMG_1.AAE")
    for number in 4...5 {
      var file = ImageFile()
      file.exif = [ImageFile.appleNote(burst: "B-1")]
      try write(file.jpeg(number), "BURST\(number).JPG")
    }
    try write(ImageFile().jpeg(6), "plain.jpg")
    try write(Array("no image".utf8), "broken.jpg")
    try write(Array("text".utf8), "notes.txt")
    try write(MovieFile().bytes, "clip.mov")

    let plan = try plan()
    #expect(plan.kind("LIVE.JPG LIVE.MOV") == "livePhoto")
    #expect(plan.kind("RAW.DNG RAW.JPG") == "rawPair")
    #expect(plan.kind("IMG_1.AAE IMG_1.JPG IMG_E1.JPG") == "edited")
    #expect(plan.kind("BURST4.JPG BURST5.JPG") == "burst")
    #expect(plan.kind("plain.jpg") == "photo")
    #expect(plan.kind("clip.mov") == "video")
    for name in ["broken.jpg", "notes.txt"] {
      #expect(plan.kind(name) == "rejected")
      #expect(plan.groups[name]?["reason"]?.stringValue?.isEmpty == false)
      #expect(plan.groups[name]?["importable"] == .bool(false))
    }
    #expect(try names.isEmpty)
  }

  @Test func `only the chosen groups are imported, and a file added later is not`() throws {
    for number in 1...3 { try write(ImageFile().jpeg(number), "\(number).jpg") }
    let plan = try plan()
    try write(ImageFile().jpeg(4), "4.jpg")
    let result = try run(plan, ["1.jpg", "3.jpg"])
    #expect(result["assets"] == .whole(2))
    #expect(try names == ["1.jpg", "3.jpg"])
    #expect(FileSystem.itemExists(folder.path("card/1.jpg")), "the files of a folder stay")

    let again = try self.plan()
    #expect(again.kind("1.jpg") == "duplicate" && again.kind("2.jpg") == "photo")
    let key = again.key("1.jpg")
    #expect(
      try client.send("POST", "/api/imports/\(again.id)/run", "{\"groups\":[\"\(key)\"]}").status
        == 400)
    let used = try client.send("POST", "/api/imports/\(plan.id)/run", "{\"groups\":[\"g1\"]}")
    #expect(used.status == 404)
  }

  @Test func `the result names every file that was not taken`() throws {
    for number in 1...4 { try write(ImageFile().jpeg(number), "\(number).jpg") }
    try write(Array("no image".utf8), "broken.jpg")
    try write(Array("text".utf8), "notes.txt")
    let plan = try plan()
    try FileSystem.remove(folder.path("card/2.jpg"))
    try write(Array("damaged meanwhile".utf8), "3.jpg")
    // Another program imports a file in between.
    _ = try run(self.plan(), ["1.jpg"])
    let result = try run(plan, ["1.jpg", "2.jpg", "3.jpg"])
    guard case .array(let failed)? = result["failed"] else { return }
    let reasons = failed.reduce(into: [String: String]()) { reasons, value in
      guard case .object(let row) = value else { return }
      reasons[row["file"]?.stringValue ?? ""] = row["reason"]?.stringValue ?? ""
    }
    // Not among them: 4.jpg, which was left out, and the text.
    #expect(Set(reasons.keys) == ["1.jpg", "2.jpg", "3.jpg", "broken.jpg"])
    #expect(reasons["1.jpg"] == "the library already has this file")
    #expect(reasons["2.jpg"] == "the file is no longer there")
    #expect(!reasons.values.contains(""))
    #expect(result["assets"] == .whole(0))
  }

  @Test func `the problem of an import that ends early names what it did not take`() throws {
    try write(ImageFile().jpeg(1), "1.jpg")
    let url = URL(filePath: folder.path("library"))
    try folder.write(
      Array(#"{"schemaVersion": 1, "clients": {"org.example.app": "none"}}"#.utf8),
      to: "library/policy.json")
    var configuration = PhotoLibrary.Configuration()
    configuration.client = "org.example.app"
    let restricted = try PhotoLibrary(at: url, configuration: configuration)
    let (jobs, ended) = (Jobs(), LockedValue<Jobs.Job?>(nil))
    let job = try jobs.start("import") {
      [library, card = folder.path("card")] handle throws(Problem) in
      let plan = try WebImportPlan(.root(card), library, handle)
      return try plan.run(Set(plan.groups.map(\.key)), restricted, handle)
    }
    jobs.whenEnded(job) { job in ended.change { $0 = job } }
    let problem = try #require(ended.wait { $0 }.problem)
    #expect(problem.kind == .readOnly)
    guard case .array(let failed)? = problem.members["failed"],
      case .object(let row)? = failed.first
    else { throw problem }
    #expect(failed.count == 1 && row["file"] == "1.jpg")
    #expect(row["reason"] == "the import ended before this file")
  }

  @Test func `a group has a thumbnail, and a link out of the folder has none`() throws {
    try write(ImageFile().jpeg(1), "a.jpg")
    let plan = try plan()
    let path = "/api/imports/\(plan.id)/picture/"
    let response = try client.send("GET", path + plan.key("a.jpg"))
    #expect(response.status == 200)
    #expect(try client.send("GET", path + "g9").status == 404)
    try folder.write(ImageFile().jpeg(2), to: "secret.jpg")
    try FileSystem.remove(folder.path("card/a.jpg"))
    try FileManager.default.createSymbolicLink(
      atPath: folder.path("card/a.jpg"), withDestinationPath: folder.path("secret.jpg"))
    #expect(try client.send("GET", path + plan.key("a.jpg")).status != 200)
  }

  // MARK: Uploads

  @Test func `sent files are imported under their names, and do not stay`() throws {
    let ids = [
      try send("IMG_1.JPG", ImageFile.live("L-1")), try send("IMG_1.MOV", MovieFile.live("L-1")),
      // Another folder of the camera.
      try send("img_1.jpg", ImageFile().jpeg(7)),
    ]
    let list = ids.map { "\"\($0)\"" }.joined(separator: ",")
    let plan = try plan("{\"uploads\":[\(list)]}")
    #expect(plan.kind("IMG_1.JPG IMG_1.MOV") == "livePhoto")
    #expect(plan.kind("img_1.jpg") == "photo")
    #expect(try run(plan, ["IMG_1.JPG IMG_1.MOV", "img_1.jpg"])["assets"] == .whole(2))
    #expect(try names == ["IMG_1.JPG", "img_1.jpg"])
    let uploads = folder.path("state/photoedit/uploads")
    service.end()
    #expect(try FileSystem.names(in: uploads).isEmpty)
    let used = try client.send("POST", "/api/imports", "{\"uploads\":[\(list)]}")
    #expect(used.status == 404)
  }

  @Test func `an upload that ends early leaves nothing`() throws {
    let upload = try service.uploads.begin("a.jpg", byteCount: 10)
    [1, 2, 3].withUnsafeBytes { upload.write($0) }
    #expect(throws: Problem.self) { try upload.finish() }
    upload.discard()
    let uploads = folder.path("state/photoedit/uploads")
    let staging = try #require(try FileSystem.names(in: uploads).first)
    #expect(try FileSystem.names(in: uploads + "/" + staging).isEmpty)
  }

  @Test func `names and sizes of uploads are limited, and the disk keeps a reserve`() throws {
    func kind(_ name: String, _ count: Int, in uploads: Uploads? = nil) -> Problem.Kind? {
      do throws(Problem) {
        _ = try (uploads ?? service.uploads).begin(name, byteCount: count)
        return nil
      } catch {
        return error.kind
      }
    }
    #expect(kind("a.jpg", 0) == .badRequest)
    #expect(kind(".hidden", 1) == .badRequest)
    #expect(kind(String(repeating: "a", count: 256), 1) == .badRequest)
    #expect(kind("a.jpg", Uploads.maximumBytes + 1) == .tooLarge)
    let uploads = Uploads({ _ in nil }, available: { _ in Uploads.reservedBytes + 100 })
    #expect(kind("a.jpg", 101, in: uploads) == .diskFull)
    let first = try uploads.begin("a.jpg", byteCount: 60)
    #expect(kind("b.jpg", 60, in: uploads) == .diskFull, "two at once share the space")
    first.discard()
    #expect(kind("b.jpg", 60, in: uploads) == nil)
  }

  @Test func `a file is only accepted from a client that has logged in`() throws {
    let request = try #require(TestRequests.request("PUT", "/api/uploads/a.jpg"))
    #expect {
      try service.beginUpload(request, byteCount: 1)
    } throws: { ($0 as? Problem)?.kind == .unauthorized }
  }

  @Test func `a plan is discarded with the files that were sent for it`() throws {
    let id = try send("a.jpg", ImageFile().jpeg(1))
    let plan = try plan("{\"uploads\":[\"\(id)\"]}")
    #expect(try client.send("DELETE", "/api/imports/\(plan.id)").status == 204)
    #expect(try client.send("DELETE", "/api/imports/\(plan.id)").status == 404)
    let uploads = folder.path("state/photoedit/uploads")
    for staging in try FileSystem.names(in: uploads) {
      #expect(try FileSystem.names(in: uploads + "/" + staging).isEmpty)
    }
  }

  // MARK: Exports

  @Test func `an export writes into a named folder, and replaces only if asked to`() throws {
    try write(ImageFile().jpeg(1), "a.jpg")
    _ = try run(plan(), ["a.jpg"])
    let id = try #require(try library.fetchAssets().first).localIdentifier.withoutSuffix
    func export(_ more: String = "", root: String = "out") throws -> HTTPResponse {
      try client.send("POST", "/api/exports", "{\"ids\":[\"\(id)\"],\"root\":\"\(root)\"\(more)}")
    }
    let first = try result(export())
    #expect(first["files"] == .texts(["a.jpg"]) && first["count"] == .whole(1))
    #expect(FileSystem.itemExists(folder.path("out/a.jpg")))
    #expect(try result(export())["count"] == .whole(0))
    #expect(try result(export(",\"replace\":true,\"sidecar\":true"))["count"] == .whole(1))
    #expect(FileSystem.itemExists(folder.path("out/a.jpg.xmp")))
    #expect(try export(root: "card").status == 404)
    #expect(try export(root: "../out").status == 404)
    #expect(try export(",\"version\":\"best\"").status == 400)
    #expect(try export(",\"replace\":1").status == 400)
  }

  @Test func `members of an export shape copies of the current versions`() throws {
    try write(TestImages.bytes("photo-1024.jpg"), "a.jpg")
    _ = try run(plan(), ["a.jpg"])
    let id = try #require(try library.fetchAssets().first).localIdentifier.withoutSuffix
    func export(_ more: String) throws -> HTTPResponse {
      try client.send(
        "POST", "/api/exports", "{\"ids\":[\"\(id)\"],\"root\":\"out\",\"replace\":true\(more)}")
    }
    func copy(_ more: String) throws -> (image: ImageSource, byteCount: Int) {
      #expect(try result(export(more))["count"] == .whole(1), "\(more)")
      let bytes = try FileBytes.reading(folder.path("out/a.jpg"))
      return (try ImageSource(bytes), bytes.count)
    }
    let original = try copy("")
    let small = try copy(",\"fit\":200,\"srgb\":true,\"progressive\":true,\"onlyCopyright\":true")
    #expect(max(small.image.size.width, small.image.size.height) == 200)
    #expect(small.byteCount < original.byteCount)
    #expect(try copy(",\"maxBytes\":60000").byteCount <= 60_000)
    #expect(try copy(",\"maxBytes\":60000").image.size == original.image.size)
    #expect(try copy(",\"srgb\":false,\"fit\":65500").image.size == original.image.size)
    #expect(try result(export(",\"maxBytes\":9"))["count"] == .whole(0))
    for wrong in [
      "\"fit\":0", "\"fit\":65501", "\"maxBytes\":0", "\"sharpenFor\":\"wall\"", "\"srgb\":1",
      "\"fit\":200,\"version\":\"original\"", "\"onlyCopyright\":true,\"version\":\"all\"",
    ] { #expect(try export(",\(wrong)").status == 400, "\(wrong)") }
  }

  @Test func `folders of the command line must exist and need a library`() throws {
    var arguments = ServeArguments()
    arguments.imports = [folder.path("card")]
    #expect(throws: CommandFailure.self) { try Roots(arguments) }
    arguments.library = folder.path("library")
    #expect(try Roots(arguments).imports.map(\.name) == ["card"])
    arguments.imports = [folder.path("card"), folder.path("card")]
    #expect(try Roots(arguments).imports.map(\.name) == ["card", "card (2)"])
    arguments.exports = [folder.path("missing")]
    #expect(throws: CommandFailure.self) { try Roots(arguments) }
    (arguments.exports, arguments.isReadOnly) = ([], true)
    #expect(throws: CommandFailure.self) { try Roots(arguments) }
  }
}
