// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("plan and collect", .runsPrograms)
struct RunTests {
  private static let zeros = String(repeating: "0", count: 64)

  @Test func `a run is planned, executed and reported`() throws {
    let run = try RunFixture()
    let names = (0..<6).map { #","out":"named/\#($0).jpg""# }
    let lines = (0..<6).map { run.line($0, names[$0]) }
    let planned = try run.plan(lines + [lines[3]], ["--shard-lines", "4"])
    try #require(planned.exitCode == 0, "\(planned.errors)")
    let counts = try #require(try planned.jsonLines().first)
    #expect(counts["unique"] == 6 && counts["lines"] == 7 && counts["repeated"] == 1)
    #expect(counts["shards"] == 2)
    let shards = try run.shards()
    #expect(shards.map(\.count) == [4, 2])
    #expect(
      Set(shards.joined().compactMap { $0["id"]?.stringValue }) == Set((0..<6).map { "p\($0)" }))

    #expect(try run.collect().exitCode == 75)
    try run.execute(0)
    let (partial, missing) = try run.collect()
    #expect(partial == 75 && missing["missing"] == 2 && missing["complete"] == false)
    try run.execute(1)
    let (code, report) = try run.collect("--check")
    #expect(code == 0, "\(report)")
    #expect(report["written"] == 6 && report["missing"] == 0 && report["complete"] == true)
    #expect(report["slowest"]?.arrayValue?.count == 6)
    // Doubled work has no effect, and the first result counts.
    #expect(try run.execute(0, attempt: "2").allSatisfy { $0["status"] == "present" })
    #expect(try run.collect("--check").report["written"] == 6)
    for number in 0..<6 {
      let rendered = try run.tool([
        "render", "photos/\(number).jpg", "--graph", "look.json", "-o", "r.jpg", "--force",
      ])
      try #require(rendered.exitCode == 0, "\(rendered.errors)")
      #expect(
        try FileBytes.digest(of: run.folder.path("r.jpg"))
          == FileBytes.digest(of: run.folder.path("out/named/\(number).jpg")))
    }
  }

  @Test func `two reports on the same results differ only in their dates`() throws {
    let run = try RunFixture()
    try run.planned((0..<6).map { run.line($0) })
    try run.execute(0)
    var reports: [[String: JSONValue]] = []
    for _ in 0..<2 {
      #expect(try run.collect().exitCode == 0)
      let json = try JSONValue(
        parsing: FileBytes.reading(run.folder.path("run/report.json")).array)
      var fields = try #require(json.objectValue)
      #expect(fields.removeValue(forKey: "date")?.stringValue?.hasSuffix("Z") == true)
      reports.append(fields)
    }
    #expect(reports[0] == reports[1])
  }

  @Test(arguments: [
    ("", "no lines"), ("{", "manifest.jsonl:1"), ("[]", "expected an object"),
    (#"{"src":"a"}"#, "id is missing"), (#"{"id":"a"}"#, "src is missing"),
    (#"{"id":"a","src":"a","size":3}"#, "unknown field 'size'"),
    (#"{"id":"a","src":"/etc/passwd"}"#, "file:///"),
    (#"{"id":"a","src":"../a"}"#, "relative path"),
    (#"{"id":"a","src":"http://host/a"}"#, "s3://"),
    (#"{"id":"a","src":"file://host/a"}"#, "s3://"),
    (#"{"id":"a","src":"a","bytes":-1}"#, "bytes"),
    (#"{"id":"a","src":"a","bytes":1.5}"#, "bytes"),
    (#"{"id":"a","src":"a","sha256":"xyz"}"#, "sha256"),
    (#"{"id":"a","src":"a","out":"../x.jpg"}"#, "out"),
    (#"{"id":"a","src":"a","out":"/x.jpg"}"#, "out"),
    (#"{"id":"a","src":"a","out":"x//y.jpg"}"#, "out"),
    (#"{"id":"a","src":"a","out":"records/00/x.json"}"#, "named by digest"),
    (#"{"id":"a","src":"a","out":"x/.photoedit-1"}"#, "temporary"),
    (#"{"id":"a","src":"a","out":"x\u0000.jpg"}"#, "out"),
    (#"{"id":"a","src":"a","edit":"\#(zeros)"}"#, "no --graph file has the digest"),
    (#"{"id":"a","src":"a","id":"b"}"#, "duplicate"),
    (#"{"id":"a","src":"a"}"# + "\n" + #"{"id":"a","src":"b"}"#, "same id as line 1"),
    (
      #"{"id":"a","src":"a","out":"x"}"# + "\n" + #"{"id":"b","src":"a","out":"x"}"#,
      "also that of line 1"
    ),
  ])
  func `a manifest that is invalid or contradicts itself is refused`(
    _ manifest: String, _ reason: String
  ) throws {
    let run = try RunFixture(photos: 0)
    let result = try run.plan([manifest])
    #expect(result.exitCode == 65, "\(result.errors)")
    #expect(result.errors.contains(reason), "\(result.errors)")
    #expect(!FileSystem.itemExists(run.folder.path("run")))
  }

  @Test func `long identifiers and lines are refused`() throws {
    let run = try RunFixture(photos: 0)
    for count in [1025, 70_000] {
      let id = String(repeating: "i", count: count)
      #expect(try run.plan([#"{"id":"\#(id)","src":"a"}"#]).exitCode == 65)
    }
    let id = String(repeating: "i", count: 1024)
    #expect(try run.plan([#"{"id":"\#(id)","src":"a","x-note":1}"#]).exitCode == 0)
  }

  @Test func `a run folder is planned once, and an interrupted plan starts over`() throws {
    let run = try RunFixture(photos: 0)
    try FileSystem.createFolder(run.folder.path("run"))
    try FileSystem.createFolder(run.folder.path("run/shards"))
    // Without run.json, these are the files of a plan that was killed.
    try run.folder.write([7], to: "run/shards/0-0.jsonl")
    try run.folder.write([7], to: "run/shards/0-9.jsonl")
    try run.planned([run.line(1)])
    #expect(try FileSystem.names(in: run.folder.path("run/shards")) == ["0-0.jsonl"])
    let again = try run.plan([run.line(2)])
    #expect(again.exitCode == 73 && again.errors.contains("already contains a run"))
    #expect(try run.shards() == [[try JSONValue(parsing: Array(run.line(1).utf8))]])
  }

  @Test func `shards are cut by bytes, and a large image is alone`() throws {
    let run = try RunFixture(photos: 0)
    let lines = (0..<20).map { run.line($0, #","bytes":\#($0 == 5 ? 9_000_000 : 400_000)"#) }
    try run.planned(lines, ["--shard-bytes", "1M"])
    let shards = try run.shards()
    #expect(shards.joined().count == 20)
    for shard in shards {
      let bytes = shard.compactMap { $0["bytes"]?.integerValue }.reduce(0, +)
      #expect(bytes <= 1 << 20 || shard.count == 1)
    }
  }

  @Test func `failures of an image are final, those of a machine are planned again`() throws {
    let run = try RunFixture(photos: 3)
    try run.folder.write([1, 2, 3], to: "photos/3.jpg")
    let lines = (0..<6).map { run.line($0, $0 == 1 ? #","sha256":"\#(Self.zeros)""# : "") }
    try run.planned(lines)
    try run.execute(0) { ["p0", "p1", "p3", "p4"].contains($0) }
    try run.record(
      [
        ["id": "p2", "status": "failed", "exit": 74, "code": "noSpace", "attempt": 1],
        ["id": "p5", "status": "poison", "signal": 11, "attempts": 2],
        ["id": "another", "status": "poison"],
        ["results": 1, "node": "n1", "engine": run.engine(), "components": ["lcms2": "2.14"]],
      ], "0-0.2")
    let (code, report) = try run.collect()
    #expect(code == 75)
    #expect(report["written"] == 1 && report["missing"] == 1 && report["poison"] == 1)
    #expect(report["failed"] == ["changed": 1, "notAnImage": 1, "missing": 1])
    #expect(report["unfinished"] == ["noSpace": 1] && report["unknown"] == 1)
    #expect(report["components"] == ["lcms2": ["2.14"]] && report["nodes"] == ["n1"])

    let resumed = try run.tool(["plan", "--resume", "--run", "run", "--json"])
    let plan = try #require(try resumed.jsonLines().first)
    #expect(plan["level"] == 1 && plan["lines"] == 1 && plan["shards"] == 1)
    try run.execute(level: 1, 0)
    let (failed, complete) = try run.collect("--failed", "failed.jsonl")
    #expect(failed == 1 && complete["missing"] == 0 && complete["written"] == 2)
    #expect(
      Set(try run.lines(of: "failed.jsonl").compactMap { $0["id"]?.stringValue })
        == ["p1", "p3", "p4", "p5"])
    let nothing = try run.tool(["plan", "--resume", "--run", "run", "--json"])
    #expect(try nothing.jsonLines().first?["shards"] == 0)
    let retried = try run.tool(["plan", "--resume", "--retry-failed", "--run", "run", "--json"])
    #expect(try retried.jsonLines().first?["lines"] == 4)
  }

  @Test func `an image that ends its shard is alone after some levels`() throws {
    let run = try RunFixture(photos: 0)
    try run.planned((0..<40).map { run.line($0) }, ["--shard-lines", "16"])
    for level in 1...3 {
      let result = try run.tool(["plan", "--resume", "--run", "run"])
      try #require(result.exitCode == 0, "\(result.errors)")
      let largest = try run.shards(level: level).map(\.count).max()
      #expect(largest == max(1, 16 >> (2 * level)))
    }
  }

  @Test func `a damaged result is found by its digest`() throws {
    let run = try RunFixture(photos: 4)
    try run.planned((0..<4).map { run.line($0, #","out":"\#($0).jpg""#) })
    let results = try run.execute(0)
    #expect(try run.collect("--check").exitCode == 0)
    let file = try #require(
      results.first { $0["id"] == "p2" }?["rendering"]?.stringValue)
    let blob = run.folder.path("out/blobs/\(file.prefix(2))/\(file).jpg")
    let bytes = try FileBytes.reading(blob).array
    try FileSystem.remove(blob)
    #expect(try run.collect("--check").exitCode == 65)
    try StagedFile.write(bytes.dropLast() + [0], to: blob)
    let damaged = try run.tool(["collect", "run", "--check"])
    #expect(damaged.exitCode == 65 && damaged.errors.contains("p2"), "\(damaged.errors)")
    #expect(try run.collect().exitCode == 0)
  }

  @Test func `results of another engine and damaged result files are refused`() throws {
    let run = try RunFixture(photos: 1)
    try run.planned([run.line(0)])
    try run.record([["results": 1, "engine": 99]], "0-0.1")
    let other = try run.tool(["collect", "run"])
    #expect(other.exitCode == 78 && other.errors.contains("engine 99"), "\(other.errors)")
    try FileSystem.remove(run.folder.path("run/results/0-0.1.jsonl"))
    try run.folder.write(Array((#"{"id":"p0","stat"# + "\n").utf8), to: "run/results/0-0.2.jsonl")
    let damaged = try run.tool(["collect", "run"])
    #expect(damaged.exitCode == 65 && damaged.errors.contains("0-0.2.jsonl:1"))
    #expect(try run.tool(["collect", "none"]).exitCode == 66)
  }

  /// An engine that appends to a result file may be killed at any byte.
  @Test func `an incomplete last line of results is left out, and a complete one is not`() throws {
    let run = try RunFixture(photos: 2)
    try run.planned([run.line(0), run.line(1)])
    try run.execute(0)
    let path = "run/results/0-0.1.jsonl"
    let whole = try FileBytes.reading(run.folder.path(path)).array
    let start = try #require(whole.dropLast().lastIndex(of: 10)) + 1
    for end in [start + 1, (start + whole.count) / 2, whole.count - 2] {
      try run.folder.write(Array(whole[..<end]), to: path)
      let result = try run.tool(["collect", "run", "--into", "photos"])
      #expect(result.exitCode == 75 && result.output.contains("missing         1"))
      #expect(result.errors.contains("0-0.1.jsonl:2: the last line is incomplete"))
      #expect(FileSystem.itemExists(run.folder.path("photos/0.edited.jpg")))
      #expect(!FileSystem.itemExists(run.folder.path("photos/1.edited.jpg")))
      let resumed = try run.tool(["plan", "--resume", "--run", "run", "--json"])
      #expect(try resumed.jsonLines().first?["lines"] == 1, "\(resumed.errors)")
    }
    try run.folder.write(Array(whole.dropLast()), to: path)
    let done = try run.tool(["collect", "run", "--into", "photos"])
    #expect(done.exitCode == 0 && done.errors.isEmpty, "\(done.errors)")
    #expect(FileSystem.itemExists(run.folder.path("photos/1.edited.jpg")))
  }

  @Test func `only old temporary files are swept`() throws {
    let run = try RunFixture(photos: 1)
    try run.planned([run.line(0)])
    try run.execute(0)
    try FileSystem.createFolder(run.folder.path("out/blobs/.photoedit-staging-abcdef"))
    let digits = String(repeating: "5e", count: 16)
    let (old, new) = (".photoedit-" + digits, ".photoedit-trial-9")
    let others = [
      ".photoedit-export.json", ".photoedit-0123456789abcdef-0123456789abcdef.pending",
    ]
    for name in [old, new, ".photoedit-staging-abcdef/file"] + others {
      try run.folder.write([1], to: "out/blobs/" + name)
    }
    // A folder that is not one of results, and one that is reached through a link.
    try FileSystem.createFolder(run.folder.path("other"))
    for name in ["other/" + old, "out/blobs/" + old] {
      try run.folder.write([1], to: name + "x")
      try FileSystem.rename(run.folder.path(name + "x"), to: run.folder.path(name))
    }
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
      ofItemAtPath: run.folder.path("other/" + old))
    #expect(symlink(run.folder.path("other"), run.folder.path("out/records/zz")) == 0)
    for name in [old, ".photoedit-staging-abcdef"] + others {
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_000_000_000)],
        ofItemAtPath: run.folder.path("out/blobs/" + name))
    }
    #expect(try run.collect("--sweep").exitCode == 0)
    #expect(
      try FileSystem.names(in: run.folder.path("out/blobs")).filter { $0.hasPrefix(".") }
        == ([new] + others).sorted())
    #expect(try FileSystem.names(in: run.folder.path("other")) == [old])
  }

  @Test func `an estimate renders a few images and writes nothing`() throws {
    let run = try RunFixture(photos: 3)
    try run.folder.write(
      Array((0..<3).map { run.line($0) }.joined(separator: "\n").utf8), to: "manifest.jsonl")
    let before = try FileSystem.names(in: run.folder.path)
    let result = try run.tool([
      "plan", "manifest.jsonl", "--graph", "look.json", "--root", "photos", "--estimate",
      "--price", "core-hour=36000000,put=1000,get=2000", "--cores", "2", "--json",
    ])
    #expect(result.exitCode == 0, "\(result.errors)")
    let estimate = try #require(try result.jsonLines().first)
    #expect(estimate["images"] == 3 && estimate["gets"] == 3 && estimate["puts"] == 6)
    #expect(estimate["costs"]?["requests"] == 12)
    #expect(estimate["costs"]?["storage for a month"] == nil)
    #expect((estimate["bytesOut"]?.numberValue ?? 0) > 0)
    #expect(try FileSystem.names(in: run.folder.path) == before)
  }
}
