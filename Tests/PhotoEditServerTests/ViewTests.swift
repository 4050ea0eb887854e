// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditLibrary
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditServer

@Suite("Lists of photos over HTTP")
struct ViewTests {
  private let folder: TemporaryFolder
  private let library: PhotoLibrary
  private let client: TestClient
  private let identifiers: [String]

  init() throws {
    folder = try TemporaryFolder()
    let library = try PhotoLibrary.create(at: URL(filePath: folder.path("library")))
    let names = ["jpeg-444.jpg", "jpeg-422.jpg", "jpeg-gray.jpg"]
    identifiers = try names.enumerated().map { index, name in
      try library.performChangesAndWait { changes throws(LibraryError) in
        let request = try changes.createAsset()
        try request.addResource(.photo, fileURL: URL(filePath: TestImages.path("inputs/" + name)))
        // Two months; the last one is the newest.
        try request.setCreationDate(
          Date(timeIntervalSince1970: 1_700_000_000 + 3e6 * Double(index)))
        return request.placeholder.localIdentifier
      }
    }
    self.library = library
    client = TestClient(
      try TestRequests.service(LibrarySource(library), in: folder.path("state")))
  }

  private func name(_ index: Int) -> String { identifiers[index].withoutSuffix }

  private func open(_ body: String = "{}") throws -> (view: String, token: String) {
    let members = try client.json("POST", "/api/views", body)
    return (
      try #require(members["view"]?.stringValue), try #require(members["token"]?.stringValue)
    )
  }

  private func listed(_ view: String, _ query: String = "") throws -> [String] {
    guard
      case .array(let items)? = try client.json("GET", "/api/views/\(view)/items?\(query)")["items"]
    else { return [] }
    return items.compactMap { item in
      if case .object(let members) = item { members["id"]?.stringValue } else { nil }
    }
  }

  @Test func `the newest photos come first, in sections by month`() throws {
    let members = try client.json("POST", "/api/views", "{\"sections\":\"month\"}")
    #expect(members["count"] == .number(3))
    guard case .array(let sections)? = members["sections"] else { return }
    #expect(sections.count == 3)
    let view = try #require(members["view"]?.stringValue)
    #expect(try listed(view) == [name(2), name(1), name(0)])
    #expect(try listed(view, "from=1&count=1") == [name(1)])
    #expect(try client.send("GET", "/api/views/\(view)/items?from=4").status == 416)
    let index = try client.json("GET", "/api/views/\(view)/index?asset=\(name(0))")
    #expect(index["index"] == .number(2))
    #expect(try client.send("DELETE", "/api/views/\(view)").status == 204)
    #expect(try client.send("GET", "/api/views/\(view)/items").status == 404)
  }

  @Test func `sections by moment end after six hours or fifty kilometers`() throws {
    // The first two are close; then a pause, another city, a location that is unknown.
    let points: [(hours: Double, latitude: Double?)] = [
      (0, 51.4), (2.5, 51.4), (9, 51.4), (10, 52.4), (11, nil),
    ]
    let library = try PhotoLibrary.create(at: URL(filePath: folder.path("moments")))
    for point in points {
      try library.performChangesAndWait { changes throws(LibraryError) in
        let request = try changes.createAsset()
        let file = URL(filePath: TestImages.path("inputs/jpeg-444.jpg"))
        try request.addResource(.photo, fileURL: file)
        try request.setCreationDate(Date(timeIntervalSince1970: 1_700_000_000 + 3600 * point.hours))
        try request.setLocation(
          point.latitude.flatMap { LocationCoordinate(latitude: $0, longitude: -2.6) })
      }
    }
    let client = TestClient(
      try TestRequests.service(LibrarySource(library), in: folder.path("moments-state")))
    let members = try client.json("POST", "/api/views", "{\"sections\":\"moment\"}")
    guard case .array(let sections)? = members["sections"] else { return }
    let counts = sections.map { section in
      if case .object(let members) = section { members["count"] } else { JSONValue?.none }
    }
    #expect(counts == [.number(2), .number(1), .number(2)])
    #expect(try library.fetchMoments().count == counts.count)
  }

  @Test func `a moment is named by its day and times`() {
    let minute: Int32 = 28_642_150  // 2024-06-16 09:10
    #expect(LocalTime.moment(from: minute, to: minute).title == "16 June 2024, 09:10")
    #expect(
      LocalTime.moment(from: minute, to: minute + 152).title == "16 June 2024, 09:10–11:42")
    #expect(
      LocalTime.moment(from: minute, to: minute + 1440).title
        == "16 June 2024, 09:10 – 17 June 2024, 09:10")
    #expect(LocalTime.moment(from: minute, to: minute + 152).key == "2024-06-16T11:42")
    #expect(LocalTime.moment(from: -1, to: -1).title == "31 December 1969, 23:59")
    #expect(LocalTime.month(of: nil).title == "No date")
  }

  @Test func `a shape is the logarithm of the aspect ratio in one byte`() throws {
    #expect(ViewContents.Entry.shape(100, 100) == 128)
    #expect(ViewContents.Entry.shape(200, 100) == 161)
    #expect(ViewContents.Entry.shape(100, 200) == 95)
    #expect(ViewContents.Entry.shape(0, 100) == 0)
    #expect(ViewContents.Entry.shape(1, 100_000) == 1)
    #expect(ViewContents.Entry.shape(100_000, 1) == 255)
    let (view, token) = try open()
    let response = try client.send("GET", "/api/views/\(view)/shapes?at=\(token)")
    guard case .bytes(let shapes) = response.body else { return }
    #expect(shapes.count == 3 && shapes.allSatisfy { $0 > 0 })
    #expect(try client.send("GET", "/api/views/\(view)/shapes?at=other").status == 409)
  }

  @Test func `a predicate filters, and an error has its position`() throws {
    let response = try client.send("POST", "/api/views", "{\"predicate\":\"nosuch == 1\"}")
    #expect(response.status == 400)
    #expect(try client.json(response)["position"]?.integerValue != nil)
    #expect(
      try client.json("POST", "/api/views", "{\"predicate\":\"favorite == YES\"}")["count"]
        == .number(0))
    for source in ["nosuch", "album:nosuch", "album:../x"] {
      #expect(try client.send("POST", "/api/views", "{\"source\":\"\(source)\"}").status == 404)
    }
  }

  @Test func `words, terms and quotation marks are a search; also in the trash`() throws {
    let asset = try #require(
      library.fetchAssets(withLocalIdentifiers: [identifiers[0]]).first)
    try library.performChangesAndWait { changes throws(LibraryError) in
      try changes.change(asset).setKeywords(["red sea", "boat"])
    }
    func found(_ search: String, _ source: String = "all") throws -> [String] {
      let body = JSONValue.object(["search": .string(search), "source": .string(source)])
      return try listed(open(String(decoding: body.canonicalBytes(), as: UTF8.self)).view)
    }
    for search in ["boat", "keyword:\"red sea\"", "keyword:\u{201C}red sea\u{201D} boat", "444"] {
      #expect(try found(search) == [name(0)], "\(search)")
    }
    #expect(try found("-boat") == [name(2), name(1)])
    #expect(try found("  ").count == 3)
    #expect(try found("boat", "trash") == [])
    #expect(
      try client.send("POST", "/api/trash", "{\"ids\":[\"\(name(0))\"]}").status == 200)
    #expect(try found("boat") == [])
    #expect(try found("boat", "trash") == [name(0)])
    #expect(try client.send("POST", "/api/views", "{\"search\":\"colour:red\"}").status == 400)
  }

  @Test func `photos in the trash are deleted permanently, others are not`() throws {
    let ids = "{\"ids\":[\"\(name(0))\"]}"
    #expect(try client.send("POST", "/api/purge", ids).status == 404)
    #expect(try client.send("POST", "/api/trash", ids).status == 200)
    #expect(try client.send("POST", "/api/purge", ids).status == 200)
    #expect(try client.send("POST", "/api/restore", ids).status == 404)
    #expect(try listed(open().view).count == 2)
  }

  @Test func `every example of the words of a search is valid`() throws {
    let words = try client.json("GET", "/api/search")
    for (list, member) in [("terms", "search"), ("conditions", "predicate")] {
      let examples = words[list]?.arrayValue?.compactMap { $0["example"]?.stringValue } ?? []
      #expect(examples.count > 20)
      for example in examples {
        let body = try JSONValue.object([member: .string(example)]).canonicalBytes()
        let text = String(decoding: body, as: UTF8.self)
        #expect(try client.send("POST", "/api/views", text).status == 201, "\(example)")
      }
    }
  }

  @Test func `recent imports come first, in sections by the day of import`() throws {
    let members = try client.json("POST", "/api/views", "{\"source\":\"recent\"}")
    let sections = try #require(members["sections"]?.arrayValue)
    #expect(sections.count == 1)
    let today = LocalTime.day(
      Int32(LocalTime.minute(of: Date().timeIntervalSince1970) / 1440))
    #expect(sections.first?["title"] == .string(today.title))
    #expect(try listed(#require(members["view"]?.stringValue)) == [name(2), name(1), name(0)])
    #expect(LocalTime.day(nil).key == "none")
    #expect(LocalTime.day(19_888) == ("2024-06-14", "14 June 2024"))
  }

  @Test func `an image is sent for the current version only`() throws {
    let asset = try client.json("GET", "/api/assets/\(name(0))")
    let tag = try #require(asset["picture"]?.stringValue)
    let path = "/api/assets/\(name(0))/picture/"
    let response = try client.send("GET", path + tag + "?w=64&h=64&fit=inside")
    #expect(response.status == 200)
    guard case .bytes(let jpeg) = response.body else { return }
    let size = try ImageSource(FileBytes(jpeg)).size
    #expect(max(size.width, size.height) <= 128)
    #expect(try client.send("GET", path + "0?w=64").status == 404)
    #expect(try client.send("GET", path + tag + "?w=0").status == 400)
    #expect(try client.send("GET", path + tag + "?crop=2,0,1,1").status == 400)
  }

  @Test func `a property changes if nothing else has changed`() throws {
    let path = "/api/assets/\(name(0))"
    let before = try client.send("GET", path)
    let tag = try #require(before.fields.first { $0.name == "ETag" }?.value)
    #expect(try client.send("PATCH", path, "{\"favorite\":true}").status == 428)
    #expect(
      try client.send("PATCH", path, "{\"favorite\":true}", [("if-match", tag)]).status == 200)
    #expect(try client.json("GET", path)["favorite"] == .bool(true))
    #expect(
      try client.send("PATCH", path, "{\"favorite\":false}", [("if-match", tag)]).status == 412)
    #expect(
      try client.send("PATCH", path, "{\"title\":\"A\"}", [("if-match", "*")]).status == 200)
    #expect(try client.json("GET", path)["title"] == .string("A"))
    #expect(try client.send("PATCH", path, "{\"title\":1}", [("if-match", "*")]).status == 400)
  }

  @Test(arguments: [
    ("keywords", "[\"Trips/Lisbon\",\"sea\"]", "[]"), ("people", "[\"Ann\",\"Ben\"]", "[]"),
    ("rating", "4", "0"), ("label", "\"green\"", "null"), ("title", "\"A\"", "null"),
    ("caption", "\"B\"", "null"), ("hidden", "true", "false"),
    ("location", "{\"altitude\":9,\"latitude\":38.7,\"longitude\":-9.1}", "null"),
  ])
  func `a property is shown as it was set, also by the command line`(
    property: String, value: String, cleared: String
  ) throws {
    let path = "/api/assets/\(name(0))"
    for text in [value, cleared] {
      let body = "{\"\(property)\":\(text)}"
      #expect(try client.send("PATCH", path, body, [("if-match", "*")]).status == 200)
      let expected = try JSONValue(parsing: Array(text.utf8))
      #expect(try client.json("GET", path)[property] == expected)
      let stored = try library.fetchAssets(withLocalIdentifiers: [identifiers[0]])
      #expect(try #require(stored.first).statedProperties[property] == expected)
    }
  }

  @Test(arguments: [
    ("{\"rating\":6}", "rating is not a number in range (allowed: -1…5)"),
    ("{\"label\":\"pink\"}", "label must be 'red', 'yellow', 'green', 'blue' or 'purple'"),
    ("{\"keywords\":\"sea\"}", "keywords is not a list"), ("{\"keywords\":[\" \"]}", "keyword"),
    ("{\"people\":[1]}", "people contains a value that is not a string"),
    ("{\"people\":[\"\"]}", "invalid name"),
    ("{\"camera\":\"A\"}", "unknown member 'camera'"),
    ("{\"date\":\"2019-05-01T10:00:00+16:00\"}", "offset"),
  ])
  func `an invalid property is refused and nothing changes`(body: String, detail: String) throws {
    let path = "/api/assets/\(name(0))"
    let before = try client.json("GET", path)
    let response = try client.send("PATCH", path, body, [("if-match", "*")])
    #expect(response.status == 400)
    let found = try client.json(response)["detail"]?.stringValue
    #expect(found?.contains(detail) == true, "\(found ?? "")")
    #expect(try client.json("GET", path) == before)
  }

  @Test func `albums keep the order in which photos are moved`() throws {
    let made = try client.json("POST", "/api/albums", "{\"title\":\"Lisbon\"}")
    let album = try #require(made["id"]?.stringValue)
    let members = "/api/albums/\(album)/members"
    let all = (0..<3).map { "\"\(name($0))\"" }.joined(separator: ",")
    #expect(try client.send("POST", members, "{\"add\":[\(all)]}").status == 200)
    let (view, _) = try open("{\"source\":\"album:\(album)\",\"sections\":\"none\"}")
    #expect(try listed(view) == [name(0), name(1), name(2)])
    let move = "{\"move\":{\"ids\":[\"\(name(2))\"],\"before\":\"\(name(0))\"}}"
    #expect(try client.send("POST", members, move).status == 200)
    let (moved, _) = try open("{\"source\":\"album:\(album)\",\"sections\":\"none\"}")
    #expect(try listed(moved) == [name(2), name(0), name(1)])
    #expect(try client.send("POST", members, "{\"remove\":[\"\(name(0))\"]}").status == 200)
    #expect(try client.send("POST", members, "{\"add\":[\"nosuch\"]}").status == 404)
    #expect(try client.send("PATCH", "/api/albums/\(album)", "{\"title\":\"Porto\"}").status == 204)
    guard case .array(let albums)? = try client.json("GET", "/api/albums")["albums"],
      case .object(let first)? = albums.first
    else {
      Issue.record("no albums")
      return
    }
    #expect(first["title"] == .string("Porto") && first["count"] == .number(2))
    #expect(try client.send("DELETE", "/api/albums/\(album)").status == 204)
    #expect(try client.json("GET", "/api/albums")["albums"] == .array([]))
  }

  @Test func `trashed photos are listed in the trash and can be restored`() throws {
    #expect(try client.send("POST", "/api/trash", "{\"ids\":[\"\(name(1))\"]}").status == 200)
    #expect(try listed(try open().view) == [name(2), name(0)])
    #expect(try listed(try open("{\"source\":\"trash\"}").view) == [name(1)])
    #expect(try client.send("POST", "/api/restore", "{\"ids\":[\"\(name(1))\"]}").status == 200)
    #expect(try listed(try open().view).count == 3)
    #expect(try client.send("POST", "/api/restore", "{\"ids\":[\"\(name(1))\"]}").status == 404)
    #expect(try client.send("POST", "/api/trash", "{\"ids\":[]}").status == 400)
  }

  @Test func `a photo in the trash is shown, but not edited or changed`() throws {
    let asset = try client.json("GET", "/api/assets/\(name(1))")
    #expect(try client.send("POST", "/api/trash", "{\"ids\":[\"\(name(1))\"]}").status == 200)
    let trashed = try client.json("GET", "/api/assets/\(name(1))")
    #expect(trashed["id"] == asset["id"] && trashed["picture"] == asset["picture"])
    let tag = try #require(trashed["picture"]?.stringValue)
    let picture = try client.send("GET", "/api/assets/\(name(1))/picture/\(tag)?w=64")
    #expect(picture.status == 200)
    #expect(try client.send("POST", "/api/assets/\(name(1))/editing", "").status == 404)
    #expect(try client.send("GET", "/api/assets/\(name(1))/info").status == 404)
    #expect(try client.send("POST", "/api/purge", "{\"ids\":[\"\(name(1))\"]}").status == 200)
    #expect(try client.send("GET", "/api/assets/\(name(1))/picture/\(tag)?w=64").status == 404)
  }

  @Test func `an asset is edited like a file`() throws {
    let beginning = try client.json("POST", "/api/assets/\(name(0))/editing", "")
    #expect(beginning["kind"] == .string("first"))
    #expect(try client.send("POST", "/api/assets/nosuch/editing").status == 404)
    #expect(try client.send("GET", "/api/assets/\(name(0))/history").status == 200)
    #expect(try client.json("GET", "/api/assets/\(name(0))/info")["format"] != nil)
  }
}
