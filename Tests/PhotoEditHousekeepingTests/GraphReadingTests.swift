// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Reading of graphs")
struct GraphReadingTests {
  /// Counts the calls in each file that makes any.
  private static func calls(_ text: String, under folder: String) -> [String: Int] {
    Repository.texts(under: folder, type: "swift").reduce(into: [:]) { counts, file in
      let count = file.lines.count { $0.contains(text) && !$0.contains("///") }
      if count > 0 { counts[file.path] = count }
    }
  }

  @Test func `a graph is parsed where it enters and passed on from there`() {
    #expect(
      Self.calls("FilterGraph(json:", under: "Sources") == [
        "Sources/PhotoEdit/Editing/EditRecord.swift": 1,
        "Sources/PhotoEdit/Editing/StoredGraph.swift": 1,
        "Sources/PhotoEditServer/Sessions/Presets.swift": 1,
        "Sources/PhotoEditTool/Support/GraphArguments.swift": 1,
      ])
    #expect(
      Self.calls("self.init(document:", under: "Sources/PhotoEditServer") == [
        "Sources/PhotoEditServer/Routing/FieldType.swift": 1
      ])
  }

  @Test func `beginning an edit reads the stored graph once`() throws {
    let editor = try #require(
      Repository.texts.first { $0.path == "Sources/PhotoEdit/Editing/PhotoEditor.swift" })
    let start = try #require(editor.lines.firstIndex { $0.contains("private func begin(") })
    let end = try #require(editor.lines[start...].firstIndex { $0 == "  }" })
    let body = editor.lines[start..<end]
    #expect(body.count { $0.contains("StoredGraph(") } == 1)
    #expect(!body.contains { $0.contains("blockingReasons(of:") || $0.contains("storedGraph") })
  }

  @Test func `parameters become a filter in one place`() {
    #expect(
      Self.calls(".init(values:", under: "Sources") == [
        "Sources/PhotoEditFilters/Graph/NodeContent.swift": 1
      ])
  }
}
