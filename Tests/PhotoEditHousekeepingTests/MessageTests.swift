// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import Testing

@Suite("Error messages")
struct MessageTests {
  private static let path = "Tests/Messages.txt"

  /// Compares the messages with the recorded ones, which are read as a whole when they change.
  @Test func `the messages are the recorded ones`() throws {
    let text = MessageCatalog.text(of: Repository.texts(under: "Sources", type: "swift"))
    let recorded = try #require(Repository.texts.first { $0.path == Self.path })
    let lines = text.split(omittingEmptySubsequences: false) { $0.isNewline }
    #expect(lines.count > 500)
    guard lines != recorded.lines else { return }
    let candidate = Repository.root + "/Tests/Messages.candidate.txt"
    let file = try #require(fopen(candidate, "w"))
    defer { fclose(file) }
    fputs(text, file)
    let new = Set(lines).subtracting(recorded.lines).sorted()
    let removed = Set(recorded.lines).subtracting(lines).sorted()
    Issue.record(
      """
      messages changed; read them in Messages.candidate.txt and move it to \(Self.path)
      new: \(new.joined(separator: "\n     "))
      gone: \(removed.joined(separator: "\n      "))
      """)
  }

  @Test func `messages, hints and descriptions are found`() {
    func messages(_ text: String, in path: String = "Sources/A/B.swift") -> [String] {
      MessageCatalog.messages(in: TextFile(path: path, text: text))
    }
    #expect(
      messages(
        """
        throw EditingError(
          .invalid, path: "a b", "the \\(name(of: x)) is "
            + "damaged", hint: isOld ? "use a" : "use b")
        """) == ["a b | the {name(of: x)} is damaged → use a | use b"])
    #expect(messages("// throw EditingError(\"a b\")\nprint(\"c d\")").isEmpty)
    #expect(messages("case .a: \"no \\(x)\"", in: "Sources/A/BError.swift") == ["no {x}"])
    #expect(messages("throw .usage(\"\\\"a\\\": no b\")") == ["\"a\": no b"])
    #expect(messages("translating({ AnError.b(\"no \\($0)\") }, c())") == ["no {$0}"])
  }
}
