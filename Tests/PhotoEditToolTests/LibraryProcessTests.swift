// SPDX-License-Identifier: Apache-2.0
import Dispatch
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("A library shared by several processes", .runsPrograms)
struct LibraryProcessTests {
  @Test func `concurrent writers wait for each other and lose nothing`() throws {
    let folder = try TemporaryFolder()
    let library = folder.path + "/library"
    #expect(try Tool.run(["library", "create", library], in: folder.path).exitCode == 0)
    let made = LockedValue<Set<String>>([])
    let failures = LockedValue<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 4) { thread in
      for number in 1...15 {
        let title = "\(thread)-\(number)"
        do {
          let result = try Tool.run(
            ["album", "create", title, "--library", library], in: folder.path)
          if result.exitCode == 0 {
            made.withLock { _ = $0.insert(title) }
          } else {
            failures.withLock { $0.append(result.errors) }
          }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock { $0 } == [])
    let listed = try Tool.run(
      ["album", "list", "--json", "--library", library], in: folder.path)
    let titles = listed.output.split(separator: "\n").compactMap { line in
      line.firstMatch(of: /"title":"([^"]*)"/).map { String($0.1) }
    }
    #expect(titles.count == 60)
    #expect(Set(titles) == made.withLock { $0 })
    #expect(
      try Tool.run(
        ["library", "check", "--library", library], in: folder.path
      ).exitCode == 0)
  }
}
