// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("Names from data")
struct BoundaryTests {
  private var files: [TextFile] {
    Repository.texts(under: "Sources").filter { ["swift", "c", "h"].contains($0.type) }
      + Repository.texts(under: "Tools/cluster/photoedit_cluster", type: "py")
  }

  @Test func `one function resolves names from data`() {
    #expect(files.count > 400)
    #expect(files.flatMap { BoundaryRules.resolverFindings(in: $0) } == [])
  }

  @Test func `files that handle names from data do not use paths`() {
    for door in BoundaryRules.doors {
      #expect(files.contains { $0.path.hasPrefix(door) }, "\(door)")
    }
    #expect(files.flatMap { BoundaryRules.pathFindings(in: $0) } == [])
  }

  @Test func `every exception is used and has a reason`() {
    let rules: [([BoundaryRules.Exception], (TextFile, [BoundaryRules.Exception]) -> [String])] = [
      (BoundaryRules.resolverExceptions, { BoundaryRules.resolverFindings(in: $0, except: $1) }),
      (BoundaryRules.pathExceptions, { BoundaryRules.pathFindings(in: $0, except: $1) }),
    ]
    for (exceptions, findings) in rules {
      for (index, exception) in exceptions.enumerated() {
        var others = exceptions
        others.remove(at: index)
        #expect(exception.reason.split(separator: " ").count > 1)
        #expect(
          files.contains { file in
            file.path.hasSuffix(exception.file) && !findings(file, others).isEmpty
          }, "\(exception.file): \(exception.text)")
      }
    }
  }

  @Test(arguments: [
    ("Sources/PhotoEditTool/a.swift", "if part == \"..\" { return nil }", true),
    ("Sources/PhotoEditLibrary/a.swift", "openat(folder, name, O_RDONLY)", true),
    ("Sources/PhotoEditStorage/a.swift", "openat(folder, name, O_RDONLY)", false),
    ("Sources/PhotoEditTool/a.swift", "// neither \"..\" nor a link", false),
    ("Tools/cluster/photoedit_cluster/run.py", "if '..' in name:", true),
  ])
  func `a second resolver is reported`(path: String, line: String, isReported: Bool) {
    let file = TextFile(path: path, text: line)
    #expect(BoundaryRules.resolverFindings(in: file).isEmpty != isReported)
  }

  @Test(arguments: [
    ("Sources/PhotoEditTool/Runs/a.swift", "try FileBytes.reading(output + name)", true),
    ("Sources/PhotoEditTool/Runs/a.swift", "try folder.reading(name)", false),
    ("Sources/PhotoEditTool/Commands/a.swift", "try FileBytes.reading(output)", false),
    ("Sources/PhotoEditServer/Collections/PhotoFiles.swift", "stat(path + name, &status)", true),
    (
      "Sources/PhotoEditServer/Handlers/FileRoutes.swift", "let file = OpenFile(reading: path)",
      true
    ),
    ("Tools/cluster/photoedit_cluster/run.py", "with open(self.url + name) as file:", true),
  ])
  func `a path in a file that handles names is reported`(
    path: String, line: String, isReported: Bool
  ) {
    let file = TextFile(path: path, text: line)
    #expect(BoundaryRules.pathFindings(in: file).isEmpty != isReported)
  }
}
