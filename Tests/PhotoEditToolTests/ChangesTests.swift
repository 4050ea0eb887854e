// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@Suite("photoedit changes", .runsPrograms)
struct ChangesTests {
  private let folder: TemporaryFolder
  private let library: String

  init() throws {
    folder = try TemporaryFolder()
    library = folder.path + "/library"
    try run(["library", "create", library])
  }

  @discardableResult
  private func run(_ arguments: [String], exitCode: Int32 = 0) throws -> Tool.Result {
    let result = try Tool.run(
      arguments, in: folder.path, environment: ["PHOTOEDIT_LIBRARY": library])
    #expect(result.exitCode == exitCode, "\(arguments): \(result.errors)")
    return result
  }

  /// A process that follows the library, with its output line by line.
  private final class Follower {
    let process: ChildProcess
    private var rest: [UInt8] = []
    private(set) var token = ""

    init(_ test: ChangesTests, since token: String) throws {
      process = try Tool.start(
        ["changes", "--library", test.library, "--follow", "--json", "--since", token],
        in: test.folder.path)
      self.token = token
    }

    func next(seconds: Int = 30) throws -> JSONValue? {
      guard let line = process.line(&rest, until: .now + .seconds(seconds)) else { return nil }
      let json = try JSONValue(parsing: Array(line.utf8))
      token = json["token"]?.stringValue ?? token
      return json
    }

    /// The identifiers of the albums created by the next commits.
    func albums(_ count: Int) throws -> [String] {
      try (0..<count).flatMap { _ in
        try #require(try next())["albums"]?["inserted"]?.arrayValue?.compactMap(\.stringValue) ?? []
      }
    }
  }

  private func start() throws -> String {
    try run(["album", "create", "first"])
    let lines = try run(["changes", "--json"]).jsonLines()
    return try #require(lines.last?["token"]?.stringValue)
  }

  /// Creates an album and returns its identifier.
  private func makeAlbum(_ title: String) throws -> String {
    let lines = try run(["album", "create", title, "--json"]).jsonLines()
    return try #require(lines.first?["identifier"]?.stringValue)
  }

  @Test func `each line is a commit, and a token continues from where it was printed`() throws {
    let names = try ["a", "b", "c"].map { try makeAlbum($0) }
    let lines = try run(["changes", "--json"]).jsonLines()
    #expect(lines.count == 3)
    for (line, name) in zip(lines, names) {
      #expect(line["schemaVersion"]?.integerValue == 1)
      #expect(line["albums"]?["inserted"]?.arrayValue?.compactMap(\.stringValue) == [name])
      #expect(line["albums"]?["updated"]?.arrayValue?.isEmpty == true)
      #expect(line["assets"]?["deleted"]?.arrayValue?.isEmpty == true)
      #expect(line["folders"] != nil && line["date"]?.stringValue?.hasSuffix("Z") == true)
    }
    let token = try #require(lines[0]["token"]?.stringValue)
    #expect(try run(["changes", "--json", "--since", token]).jsonLines() == Array(lines[1...]))
    let people = try run(["changes", "--since", token]).output.split(separator: "\n")
    #expect(people.count == 2)
    #expect(people.first?.contains("albums +\(names[1].prefix(8))  ") == true)
    #expect(people.last?.hasSuffix(lines[2]["token"]?.stringValue ?? "-") == true)
  }

  @Test func `an invalid token is rejected as a data error`() throws {
    let token = try start()
    let result = try run(["changes", "--json", "--since", "x" + token.dropFirst()], exitCode: 65)
    let error = try #require(result.jsonLines().first?["error"])
    #expect(error["code"]?.stringValue == "persistentChangeTokenExpired")
    #expect(error["hint"]?.stringValue?.contains("fetch everything again") == true)
    let other = folder.path + "/other"
    try run(["library", "create", other])
    #expect(
      try run(["changes", "-L", other, "--since", token], exitCode: 65)
        .errors.contains("another library"))
  }

  @Test func `commits by several processes are followed until a signal arrives`() throws {
    let follower = try Follower(self, since: try start())
    var made: [String] = []
    for number in 0..<4 { made.append(try makeAlbum("\(number)")) }
    #expect(try follower.albums(4) == made)
    // The follower is waiting by now; the next commit wakes it.
    made = [try makeAlbum("last")]
    #expect(try follower.albums(1) == made)
    follower.process.send(SIGTERM)
    #expect(follower.process.wait() == 143)
  }

  @Test func `a killed follower resumes without gaps or repetitions`() throws {
    let start = try start()
    var made: [String] = []
    var seen: [String] = []
    var follower = try Follower(self, since: start)
    for number in 0..<9 {
      made.append(try makeAlbum("\(number)"))
      // Killed while it catches up, while it waits, and right after its start.
      guard number % 3 == 2 else { continue }
      seen += try follower.albums(number == 5 ? 3 : 2)
      follower.process.send(SIGKILL)
      #expect(follower.process.wait() == 128 + SIGKILL)
      follower = try Follower(self, since: follower.token)
    }
    seen += try follower.albums(made.count - seen.count)
    #expect(seen == made)
    follower.process.send(SIGINT)
    #expect(follower.process.wait() == 130)
  }

  @Test func `followers stay in step when a writer is killed`() throws {
    let follower = try Follower(self, since: try start())
    for title in ["a", "b", "c"] {
      let writer = try Tool.start(
        ["album", "create", title, "--library", library], in: folder.path)
      writer.send(SIGKILL)
      _ = writer.wait()
    }
    let kept = try makeAlbum("kept")
    var seen: [String] = []
    while seen.last != kept { seen += try follower.albums(1) }
    let all = try run(["album", "list", "--json"]).jsonLines().compactMap {
      $0["identifier"]?.stringValue
    }
    #expect(Set(seen).count == seen.count)
    #expect(seen.count == all.count - 1 && Set(seen).isSubset(of: all))
    follower.process.send(SIGTERM)
    #expect(follower.process.wait() == 143)
  }

  @Test func `following ends with an error when the library is removed`() throws {
    let follower = try Follower(self, since: try start())
    _ = try makeAlbum("a")
    #expect(try follower.albums(1).count == 1)
    try FileManager.default.removeItem(atPath: library)
    let error = try #require(try follower.next()?["error"])
    #expect(error["code"]?.stringValue == "libraryVolumeOffline")
    #expect(error["exit"]?.integerValue == 69)
    #expect(follower.process.wait() == 69)
  }

  @Test func `following ends when the reader closes the pipe, even if nothing changes`() throws {
    let follower = try Follower(self, since: try start())
    follower.process.closeOutput()
    #expect(follower.process.wait() == 141)
  }

  @Test func `the value 'beginning' is a token before the first commit`() throws {
    let names = try ["a", "b"].map { try makeAlbum($0) }
    let all = try run(["changes", "--json"]).jsonLines()
    let listed = try run(["changes", "--json", "--since", "beginning"])
    #expect(try listed.jsonLines() == all && listed.errors == "")
    let follower = try Follower(self, since: "beginning")
    #expect(try follower.albums(2) == names)
    let third = try makeAlbum("c")
    #expect(try follower.albums(1) == [third])
    follower.process.send(SIGTERM)
    #expect(follower.process.wait() == 143)
  }

  @Test func `the beginning of an empty history precedes the next commit`() throws {
    let follower = try Follower(self, since: "beginning")
    let first = try makeAlbum("a")
    #expect(try follower.albums(1) == [first])
  }
}
