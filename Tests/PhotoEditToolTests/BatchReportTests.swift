// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Summary and report of a batch", .runsPrograms)
struct BatchReportTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func run(_ arguments: [String]) throws -> Tool.Result {
    try Tool.run(arguments, in: folder.path)
  }

  private func writePhotos(_ count: Int, _ input: String = "photo-64.jpg") throws -> [String] {
    let photo = try TestImages.bytes("inputs/" + input)
    return try (10..<10 + count).map { number in
      try folder.write(photo, to: "p\(number).jpg")
      return "p\(number).jpg"
    }
  }

  private func lines(_ name: String) throws -> [JSONValue] {
    try FileBytes.reading(folder.path(name)).array.split(separator: 10)
      .map { try JSONValue(parsing: Array($0)) }
  }

  @Test func `a batch prints one summary and one hint, and each photo with -v`() throws {
    let names = try writePhotos(5)
    let first = try run(["apply", "--filter", "sepia"] + names)
    #expect(first.exitCode == 0)
    let lines = first.errors.split(separator: "\n")
    #expect(lines.count == 2, "\(first.errors)")
    #expect(lines[0].hasPrefix("photoedit: 5 photos: 5 rendered, 0 failed in "))
    #expect(lines[1].contains("'photoedit adjust PHOTO --set …'"))
    try folder.write(Array("no image".utf8), to: "p99.jpg")
    let second = try run(["apply", "--update", "--filter", "sepia", "-v"] + names + ["p99.jpg"])
    #expect(second.exitCode == 1)
    #expect(second.errors.contains("6 photos: 5 unchanged, 1 failed in "), "\(second.errors)")
    #expect(second.errors.contains("p10.jpg: unchanged"))
    #expect(try run(["revert", "-q"] + names).errors.isEmpty)
    #expect(
      try run(["revert"] + names).errors.hasPrefix("photoedit: 5 photos: 5 unchanged, 0 failed in ")
    )
  }

  @Test func `one photo is reported as before`() throws {
    let names = try writePhotos(1)
    let result = try run(["apply", "--filter", "sepia"] + names)
    #expect(result.errors.contains("wrote p10.edited.jpg"))
    #expect(result.errors.contains("'photoedit adjust p10.jpg --set …'"))
    #expect(!result.errors.contains("photos:"))
  }

  @Test func `a report has a line for each photo, and what failed can be repeated`() throws {
    let names = try writePhotos(3)
    let photo = try FileBytes.reading(folder.path(names[1])).array
    try folder.write(Array("no image".utf8), to: names[1])
    let apply = ["apply", "--update", "--filter", "sepia", "--report", "run.jsonl"]
    let first = try run(apply + names + ["missing.jpg"])
    #expect(first.exitCode == 1 && first.output.isEmpty)
    let report = try lines("run.jsonl")
    #expect(report.map { $0["input"]?.stringValue } == names + ["missing.jpg"])
    #expect(report.map { $0["error"] != nil } == [false, true, false, true])
    #expect(report[0]["outcome"]?.stringValue == "created")

    try folder.write(photo, to: names[1])
    let second = try run(apply + ["--retry-failed", "run.jsonl", "--json"])
    #expect(second.exitCode == 1)
    #expect(
      try second.jsonLines().map { $0["input"]?.stringValue } == [names[1], "missing.jpg"])
    #expect(try lines("run.jsonl").count == 6, "the report is continued")

    try folder.write(photo, to: "missing.jpg")
    #expect(try run(apply + ["--retry-failed", "run.jsonl"]).exitCode == 0)
    let done = try run(apply + ["--retry-failed", "run.jsonl"])
    #expect(done.exitCode == 0 && done.errors.contains("nothing to do"), "\(done.errors)")
  }

  @Test func `a report with an incomplete last line is continued on a new one`() throws {
    let names = try writePhotos(2)
    let apply = ["apply", "--update", "--filter", "sepia", "--report", "run.jsonl"]
    #expect(try run(apply + [names[0]]).exitCode == 0)
    let line = try FileBytes.reading(folder.path("run.jsonl")).array
    // Killed in the first line and in a later one.
    for (start, count) in [([], 1), (line, 2)] {
      try folder.write(start + line[..<(line.count / 2)], to: "run.jsonl")
      #expect(try run(apply + [names[1]]).exitCode == 0)
      let lines = try FileBytes.reading(folder.path("run.jsonl")).array.split(separator: 10)
      #expect(lines.count == count + 1)
      #expect(try JSONValue(parsing: Array(lines[count]))["input"] == .string(names[1]))
      let retry = try run(["apply", "--filter", "sepia", "--retry-failed", "run.jsonl"])
      #expect(retry.exitCode == 0 && retry.errors.contains("nothing to do"), "\(retry.errors)")
    }
  }

  @Test func `a file that is not a report is neither read nor continued`() throws {
    let names = try writePhotos(1)
    let before = try FileBytes.digest(of: folder.path(names[0]))
    let report = try run(["apply", "--filter", "sepia", "--report", names[0], names[0]])
    #expect(report.exitCode == 65 && report.errors.contains("not a valid report line"))
    #expect(try FileBytes.digest(of: folder.path(names[0])) == before)
    #expect(try run(["apply", "--filter", "sepia", "--retry-failed", names[0]]).exitCode == 65)
    #expect(try run(["apply", "--filter", "sepia", "--retry-failed", "none"]).exitCode == 66)
    #expect(
      try run(["apply", "--filter", "sepia", "--retry-failed", "none", names[0]]).exitCode == 64)
    #expect(try run(["apply", "--filter", "sepia"]).exitCode == 64)
    #expect(
      try run(["apply", "--filter", "sepia", "--report", "no/run.jsonl", names[0]]).exitCode == 66)
  }

  @Test func `render reports its result`() throws {
    let names = try writePhotos(1)
    let render = ["render", "--filter", "sepia", "-o", "a.jpg", "--report", "run.jsonl"]
    #expect(try run(render + names).exitCode == 0)
    #expect(try lines("run.jsonl").first?["output"]?.stringValue == "a.jpg")
  }

  @Test func `a stopped batch counts and reports what was not started, and completes later`() throws
  {
    let names = try writePhotos(40, "photo-1024.jpg")
    let apply = ["apply", "--update", "--filter", "gaussianBlur:sigma=3", "--report", "run.jsonl"]
    let process = try Tool.start(apply + names, in: folder.path)
    let deadline = ContinuousClock.now.advanced(by: Tool.timeLimit)
    while try !FileSystem.names(in: folder.path).contains(where: { $0.hasSuffix(".edited.jpg") }) {
      try #require(ContinuousClock.now < deadline)
      poll(nil, 0, 1)
    }
    process.send(SIGINT)
    let errors = String(decoding: process.exchange([], until: deadline).error, as: UTF8.self)
    #expect(process.wait() == 130)
    let counts = try #require(
      errors.firstMatch(of: /(\d+) done, 0 failed, (\d+) not started/), "\(errors)")
    let (done, left) = (try #require(Int(counts.1)), try #require(Int(counts.2)))
    #expect(done + left == names.count && done > 0 && left > 0)
    let edited = try FileSystem.names(in: folder.path).filter { $0.hasSuffix(".edited.jpg") }
    #expect(edited.count == done)
    let report = try lines("run.jsonl")
    #expect(report.count == names.count)
    #expect(report.count { $0["outcome"]?.stringValue == "notStarted" } == left)

    let rest = try run(apply + ["--retry-failed", "run.jsonl"])
    #expect(rest.exitCode == 0)
    #expect(rest.errors.contains("\(left) photos: \(left) rendered, 0 failed"), "\(rest.errors)")
    // The result is that of a run without the interruption.
    let again = try run(apply + names)
    #expect(again.errors.contains("40 photos: 40 unchanged, 0 failed"), "\(again.errors)")
    let digests = try names.map { name in
      try FileBytes.digest(of: folder.path(name.dropLast(4) + ".edited.jpg"))
    }
    #expect(Set(digests).count == 1)
  }
}
