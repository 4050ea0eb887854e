// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Names of files are bytes", .runsPrograms)
struct FileNameTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// "Straße.jpg" in ISO 8859-1.
  private static let damaged = #"$(printf 'Stra\337e.jpg')"#

  private func script(_ text: String) throws -> Tool.Result {
    try Tool.runScript(text, in: folder.path)
  }

  private func write(_ names: String...) throws {
    for name in names { try folder.write(TestImages.bytes("inputs/photo-64.jpg"), to: name) }
  }

  @Test(arguments: [
    ("apply --filter sepia", ".edited.jpg"), ("thumbnail", ".thumb.jpg"),
  ])
  func `a name that is not UTF-8 does not stop a batch`(command: String, ending: String) throws {
    try write("a.jpg", "z.jpg")
    let result = try script(
      """
      cp a.jpg "\(Self.damaged)"
      photoedit \(command) a.jpg "\(Self.damaged)" z.jpg
      """)
    #expect(result.exitCode == 1)
    #expect(result.errors.contains("Stra\u{FFFD}e.jpg: its name is not valid UTF-8"))
    #expect(result.errors.contains("rename the file"))
    for name in ["a", "z"] { #expect(FileSystem.itemExists(folder.path(name + ending))) }
    #expect(result.errors.contains(" 1 failed"), "\(result.errors)")
  }

  @Test func `a name that is not UTF-8 is never an option's value nor the only input`() throws {
    try write("a.jpg")
    for arguments in [
      "a.jpg -o \"\(Self.damaged)\"", "\"\(Self.damaged)\"", "a.jpg \"-q\(Self.damaged)\"",
    ] {
      let result = try script("photoedit render --filter sepia \(arguments)")
      #expect(result.exitCode == 64, "\(arguments)")
      #expect(result.errors.contains("not valid UTF-8"), "\(arguments)")
    }
  }

  @Test func `each of several names that are not UTF-8 is reported with its bytes`() throws {
    try write("ok.jpg")
    let result = try script(
      #"""
      mkdir in
      for byte in '\347' '\350' '\351'; do cp ok.jpg in/"$(printf "a$byte.jpg")"; done
      mv ok.jpg in/
      photoedit library create -q L
      photoedit asset import in -L L --report report.jsonl || echo "import: $?"
      photoedit apply -r --filter sepia in -o out/ || echo "apply: $?"
      cat report.jsonl
      find out -type f
      """#)
    #expect(result.output.contains("import: 1") && result.output.contains("apply: 1"))
    #expect(result.errors.contains("3 rejected"), "\(result.errors)")
    for byte in ["E7", "E8", "E9"] {
      #expect(result.errors.contains("in/a\\x\(byte).jpg"), "a message names it")
      #expect(result.output.contains("a\\\\x\(byte).jpg"), "the report names it")
    }
    #expect(!result.errors.contains("same photo"))
    #expect(result.output.contains("/ok."), "the other photo is edited")
  }

  @Test func `photos in a folder whose name is not UTF-8 are edited`() throws {
    try write("x.jpg")
    let result = try script(
      #"""
      bad=$(printf 'Fa\337e')
      mkdir -p "$bad/below"
      cp x.jpg "$bad/x.jpg"
      cp x.jpg "$bad/below/y.jpg"
      cd "$bad"
      photoedit apply --filter sepia x.jpg below/y.jpg
      photoedit adjust x.jpg --set sepia.amount=0.5
      photoedit undo x.jpg
      cd below
      photoedit apply --filter invert ../x.jpg
      test -e y.edited.jpg -a -e ../x.edited.jpg
      """#)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  @Test func `composed and decomposed accents are two names`() throws {
    let (composed, decomposed) = ("\u{E9}.jpg", "e\u{301}.jpg")
    try write(composed, decomposed)
    let edited = try Tool.run(
      ["apply", "--filter", "sepia", composed, decomposed], in: folder.path)
    #expect(edited.exitCode == 0, "\(edited.errors)")
    let reduced = try Tool.run(["thumbnail", composed, decomposed], in: folder.path)
    #expect(reduced.exitCode == 0, "\(reduced.errors)")
    let names = try FileSystem.names(in: folder.path)
    for stem in ["\u{E9}", "e\u{301}"] {
      for ending in [".edited.jpg", ".thumb.jpg"] {
        #expect(names.filter { $0.utf8.elementsEqual((stem + ending).utf8) }.count == 1)
      }
    }
  }
}
