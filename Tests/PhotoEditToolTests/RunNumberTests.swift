// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Extreme numbers in the files of a run", .runsPrograms, .seeded)
struct RunNumberTests {
  private static let extremes = [
    "1e308", "-1e308", "9223372036854775807", "-9223372036854775808", "1099511627776", "1e22",
    "-1", "0", "1.5", "9007199254740993",
  ]

  /// The places of all numbers in a JSON text, as ranges of its bytes.
  private static func numbers(in json: [UInt8]) -> [Range<Int>] {
    var ranges: [Range<Int>] = []
    var (index, isText) = (0, false)
    while index < json.count {
      let byte = json[index]
      if byte == UInt8(ascii: "\"") { isText.toggle() }
      guard !isText, byte == UInt8(ascii: "-") || (48...57).contains(byte) else {
        index += 1
        continue
      }
      let end = json[index...].firstIndex { !"+-.eE0123456789".utf8.contains($0) } ?? json.count
      ranges.append(index..<end)
      index = end
    }
    return ranges
  }

  @Test func `any number in any field of a run is counted or refused`() throws {
    let run = try RunFixture(photos: 2)
    try run.planned([run.line(0, #","bytes":5"#), run.line(1)])
    try run.execute(0)
    let record = try #require(
      try FileManager.default.subpathsOfDirectory(atPath: run.folder.path("out")).first {
        $0.hasPrefix("records/") && $0.hasSuffix(".json")
      })
    let files = try ["run/results", "run/shards"].flatMap { folder in
      try FileSystem.names(in: run.folder.path(folder)).map { folder + "/" + $0 }
    }
    var cases = 0
    for file in ["run/run.json", "out/" + record] + files {
      let json = try FileBytes.reading(run.folder.path(file)).array
      for range in Self.numbers(in: json) {
        cases += 1
        for value in Self.extremes.some(cases) {
          let changed =
            Array(json[..<range.lowerBound]) + Array(value.utf8) + Array(json[range.upperBound...])
          try run.folder.write(changed, to: file)
          for arguments in [["collect", "run", "--check"], ["plan", "--resume", "--run", "run"]] {
            let result = try run.tool(arguments + ["--json"])
            #expect(
              [0, 1, 65, 66, 75, 78].contains(result.exitCode),
              "\(file) \(range): \(value): \(result.errors)")
          }
        }
      }
      try run.folder.write(json, to: file)
    }
    #expect(cases > 10)
  }

  @Test func `sums over many results saturate, and the report is written`() throws {
    let run = try RunFixture(photos: 2)
    try run.planned([run.line(0), run.line(1)])
    let results = try run.execute(0)
    let lines = results.map { result in
      var fields = result.objectValue ?? [:]
      (fields["bytes"], fields["cpuMs"]) = (.number(0x1p62), .number(1.7e308))
      return fields
    }
    let bytes = try lines.map { try JSONValue.object($0).canonicalBytes() + [10] }.joined()
    try run.folder.write(Array(bytes), to: "run/results/0-0.1.jsonl")
    for arguments in [["collect", "run"], ["collect", "run", "--json"]] {
      let result = try run.tool(arguments)
      #expect(result.exitCode < 124, "\(result.errors)")
    }
  }

  @Test func `a shard of an impossible level does not end the next plan`() throws {
    let run = try RunFixture(photos: 1)
    try run.planned([run.line(0)])
    try run.folder.write([], to: "run/shards/9223372036854775807-0.jsonl")
    let result = try run.tool(["plan", "--resume", "--run", "run", "--json"])
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(FileSystem.itemExists(run.folder.path("run/shards/1-0.jsonl")))
  }
}
