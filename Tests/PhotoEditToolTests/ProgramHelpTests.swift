// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Help of the program", .runsPrograms)
struct ProgramHelpTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
  }

  @Test func `the list of commands fits a screen`() throws {
    let help = try Tool.run(["help"], in: folder.path, environment: ["COLUMNS": "80"]).output
    let lines = help.split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 48, "\(lines.count) lines")
    #expect(lines.allSatisfy { $0.count <= 80 })
    let groups = lines.filter { $0.hasSuffix(":") && !$0.hasPrefix(" ") }
    #expect(groups == ["Examples:", "Edit:", "View:", "Library:", "Tools:"])
  }

  @Test func `every command has an example`() throws {
    let result = try Tool.run(["--describe"], in: folder.path)
    let description = try JSONValue(
      parsing: result.outputBytes,
      limits: JSONLimits(maximumBytes: 16 << 20, maximumStringBytes: 1 << 20))
    let commands = try #require(description["commands"]?.arrayValue)
    #expect(commands.count > 40)
    for command in commands {
      let name = try #require(command["name"]?.stringValue)
      let examples = command["examples"]?.arrayValue ?? []
      #expect(examples.first?["line"]?.stringValue?.hasPrefix(name) == true, "\(name)")
      #expect(examples.allSatisfy { $0["text"]?.stringValue?.isEmpty == false }, "\(name)")
    }
  }
}
