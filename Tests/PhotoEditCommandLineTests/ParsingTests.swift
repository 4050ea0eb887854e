// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Argument parsing")
struct ParsingTests {
  struct Case: CustomTestStringConvertible, Sendable {
    var words: [String]
    var change: @Sendable (inout BrushCommand) -> Void
    var testDescription: String { words.joined(separator: " ") }

    init(_ words: String..., change: @escaping @Sendable (inout BrushCommand) -> Void) {
      self.words = words
      self.change = change
    }
  }

  static let cases = [
    Case { _ in },
    Case("b", "c") { $0.inputs = ["a", "b", "c"] },
    Case("--size", "7") { $0.size = 7 },
    Case("--size=7") { $0.size = 7 },
    Case("-s", "7") { $0.size = 7 },
    Case("-s7") { $0.size = 7 },
    Case("-s=7") { $0.size = 7 },
    Case("--size", "1", "--size", "100") { $0.size = 100 },
    Case("--size", "+5") { $0.size = 5 },
    Case("--pressure", "-1") { $0.pressure = -1 },
    Case("--pressure=-.5e-3") { $0.pressure = -0.0005 },
    Case("--mode", "spray") { $0.mode = .spray },
    Case("--tag", "x", "b", "--tag", "y") {
      $0.tags = ["x", "y"]; $0.inputs = ["a", "b"]
    },
    Case("--tag=") { $0.tags = [""] },
    Case("--tag=a=b") { $0.tags = ["a=b"] },
    Case("--tag=\u{301}") { $0.tags = ["\u{301}"] },
    Case("--tag", "-unknown") { $0.tags = ["-unknown"] },
    Case("--tag", "-") { $0.tags = ["-"] },
    Case("--tag=--force") { $0.tags = ["--force"] },
    Case("--set", "a=-1", "--remove", "b", "--set=c=2", "--move", "-3") {
      $0.changes = [.set("a=-1"), .remove("b"), .set("c=2"), .move(-3)]
    },
    Case("-f") { $0.output.force = true },
    Case("-fnn") {
      $0.output.force = true; $0.output.near = 2
    },
    Case("-fonew") {
      $0.output.force = true; $0.output.file = "new"
    },
    Case("-fo", "new") {
      $0.output.force = true; $0.output.file = "new"
    },
    Case("-oé\u{301}") { $0.output.file = "é\u{301}" },
    Case("-") { $0.inputs = ["a", "-"] },
    Case("--", "-f", "--size", "--") { $0.inputs = ["a", "-f", "--size", "--"] },
    Case("--secret", "s") { $0.secret = "s" },
    Case("-qv", "--json", "--color=always", "--no-color", "--debug") { _ in },
  ]

  @Test(arguments: cases)
  func `arguments set exactly the properties they name`(_ item: Case) throws {
    var expected = BrushCommand()
    expected.inputs = ["a"]
    item.change(&expected)
    #expect(try BrushCommand.parse(["a"] + item.words) == expected)
  }

  @Test func `required and optional arguments are filled in order`() throws {
    var expected = MixCommand(a: "red", b: "blue", share: nil, into: "pot")
    #expect(try MixCommand.parse(["--into", "pot", "red", "blue"]) == expected)
    expected.share = 0.25
    #expect(try MixCommand.parse(["red", "--into=pot", "blue", "0.25"]) == expected)
  }

  @Test func `defaults are the initial values of the properties`() throws {
    #expect(BrushCommand().size == 10)
    #expect(try BrushCommand.parse(["x"]).size == 10)
  }

  @Test func `many arguments are parsed in linear time`() throws {
    let words = (0..<20_000).map { "--tag=\($0)" } + ["x"]
    #expect(try BrushCommand.parse(words).tags.count == 20_000)
  }
}
