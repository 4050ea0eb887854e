// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Circles of files")
struct FileCircleTests {
  /// The maximum number of files of a module each of which depends on all others.
  private static let maximum = 40

  private static func files(_ texts: KeyValuePairs<String, String>) -> [TextFile] {
    texts.map { TextFile(path: $0.key, text: $0.value) }
  }

  @Test func `no circle of files in a module is larger than the maximum`() {
    let modules = Dictionary(grouping: Repository.texts(under: "Sources", type: "swift")) {
      $0.module ?? ""
    }
    #expect(modules.count > 20)
    for (module, files) in modules {
      let circle = FileCircles(files).largest
      #expect(circle.count <= Self.maximum, "\(module): \(circle.joined(separator: ", "))")
    }
  }

  @Test(arguments: ["Import", "Export", "Recovery"])
  func `the rest of the library does not depend on a part that uses it`(part: String) {
    let library = Repository.texts(under: "Sources/PhotoEditLibrary", type: "swift")
    let folder = "Sources/PhotoEditLibrary/\(part)"
    #expect(library.contains { $0.path.hasPrefix(folder + "/") })
    #expect(FileCircles(library).dependencies(onFolder: folder) == [])
  }

  @Test func `a dependency on a folder is found from outside of it`() {
    let files = Self.files([
      "A/a": "struct A { let b: B }", "A/b": "struct B {}", "C": "let a: [A] = []", "AB": "B()",
      "D": "// A",
    ])
    #expect(FileCircles(files).dependencies(onFolder: "A") == ["C: A/a", "AB: A/b"])
    #expect(FileCircles(files).dependencies(onFolder: "C") == [])
  }

  @Test func `a circle is found over several files`() {
    let files = Self.files([
      "A": "struct A { let b: B }", "B": "final class B {}\nextension C {}",
      "C": "public enum C { case a(A) }", "D": "struct D { let a: A }", "E": "struct E {}",
    ])
    #expect(FileCircles(files).largest == ["A", "B", "C"])
  }

  @Test(
    arguments: [
      ("struct A {}", "A"), ("@frozen public indirect enum A: Int {", "A"),
      ("package final class A<B> {", "A"), ("typealias A = Int", "A"), ("protocol A: B {", "A"),
      ("private struct A {}", nil), ("fileprivate enum A {}", nil), ("extension A {", nil),
      ("  struct A {}", nil), ("// struct A", nil), ("func a() {}", nil), ("", nil),
    ] as [(Substring, Substring?)])
  func `a line declares a type for other files`(line: Substring, type: Substring?) {
    #expect(FileCircles.declaredType(line) == type)
  }

  @Test(arguments: [
    ("let a = Abc.make(Def()) // Ghi", ["Abc", "Def"]),
    ("print(\"Abc \\(Def(\"Ghi \\(Jkl.a)\", Mno())) Pqr\", Stu)", ["Def", "Jkl", "Mno", "Stu"]),
    ("\"\\\"Abc\" + Def", ["Def"]),
    ("let a = \"\"\"\n  Abc \"Def\" \\(Ghi(\"Jkl\"))\n  \"\"\" + Mno", ["Ghi", "Mno"]),
    ("/// Abc\nimport Def", ["Def"]), ("aB_C1 + A_b1", ["A_b1"]),
  ])
  func `names in comments and texts do not count`(text: String, names: [String]) {
    let file = TextFile(path: "a.swift", text: text)
    #expect(FileCircles.names(in: file).map(String.init).sorted() == names)
  }
}
