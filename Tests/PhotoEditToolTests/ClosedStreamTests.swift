// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Starts the program without standard streams, as services and scripts do.
///
/// The system gives the next file the number of a closed stream; messages must not end up in it.
@Suite("Closed standard streams", .runsPrograms)
struct ClosedStreamTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
  }

  private func run(_ script: String) throws -> Tool.Result {
    try Tool.runScript("exec photoedit " + script, in: folder.path)
  }

  private func content(_ name: String) throws -> [UInt8] {
    try FileBytes.reading(folder.path(name)).array
  }

  @Test func `a rendered image never receives messages`() throws {
    let render = "render photo.jpg --filter sepia --json -f -o"
    #expect(try run("\(render) whole.jpg").exitCode == 0)
    for closed in ["<&-", "2>&-", "<&- 2>&-"] {
      #expect(try run("\(render) out.jpg \(closed)").exitCode == 0, "\(closed)")
      #expect(try content("out.jpg") == content("whole.jpg"), "\(closed)")
    }
    for closed in [">&-", "<&- >&-", "<&- >&- 2>&-"] {
      // The report is lost, which is a failure; the image is not.
      #expect(try run("\(render) out.jpg \(closed)").exitCode == 74, "\(closed)")
      #expect(try content("out.jpg") == content("whole.jpg"), "\(closed)")
    }
  }

  @Test func `a stream that the command needs is named in the error`() throws {
    let output = try run("filters >&-")
    #expect(output.exitCode == 74 && output.errors.contains("standard output"), "\(output.errors)")
    let input = try run("render - --filter sepia -o out.jpg <&-")
    #expect(input.exitCode == 74 && input.errors.contains("standard input"), "\(input.errors)")
    #expect(try FileSystem.names(in: folder.path) == ["photo.jpg"])
  }
}
