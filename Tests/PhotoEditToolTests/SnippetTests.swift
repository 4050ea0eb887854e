// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Runs the commands of the documentation in folders that hold the files they name.
@Suite("Commands in the documentation", .runsPrograms)
struct SnippetTests {
  /// A block that is not run here: its file, its first text, and the reason.
  private static let exceptions: [(file: String, beginning: String, reason: String)] = [
    ("README.md", "Tools/photoedit apply", "the launcher and Tools/test are what runs this test"),
    ("README.md", "$ photoedit apply --filter grayscale", "ReadmeTests compares the whole session"),
    (
      "Sources/PhotoEditLibrary/PhotoEditLibrary.docc/KeepALibrary.md", "work() {",
      "ReadmeTests runs it without '--follow', which never ends"
    ),
  ]

  private static let commands = Fence.all.filter { ["sh", "console"].contains($0.kind) }

  private static func isException(_ fence: Fence) -> Bool {
    exceptions.contains { fence.file == $0.file && fence.lines[0].hasPrefix($0.beginning) }
  }

  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  /// Runs a script; one that creates a library must also name it for the commands that follow.
  private func run(_ script: String, _ comment: Comment) throws -> Tool.Result {
    let library = script.contains("library create ~") ? "" : folder.path("Photos")
    let result = try Tool.runScript(
      script, in: folder.path,
      environment: ["HOME": folder.path, "PHOTOEDIT_LIBRARY": library])
    #expect(result.exitCode == 0, "\(comment): \(script)\n\(result.errors)")
    return result
  }

  @Test func `every exception matches an existing block and gives a reason`() {
    for (file, beginning, reason) in Self.exceptions {
      let blocks = Self.commands.filter { $0.file == file && $0.lines[0].hasPrefix(beginning) }
      #expect(blocks.count == 1 && !reason.isEmpty, "\(file): \(beginning)")
    }
    #expect(Self.commands.count > 6 && Self.commands.allSatisfy { !$0.lines.isEmpty })
  }

  @Test(arguments: commands.filter { !isException($0) })
  func `a block runs and prints the shown output`(_ fence: Fence) throws {
    try prepare(for: fence)
    for (command, shown) in Self.steps(of: fence) {
      let result = try run(try inPlace(command), "\(fence)")
      let printed = Self.normalized(result.output + result.errors)
      for line in shown {
        #expect(printed.contains(Self.normalized(line)), "\(fence): no '\(line)' in\n\(printed)")
      }
    }
  }

  // MARK: Contents of a block

  /// The commands of a block, each with the output shown for it.
  private static func steps(of fence: Fence) -> [(command: String, shown: [String])] {
    guard fence.kind == "console" else { return [(fence.lines.joined(separator: "\n"), [])] }
    var steps: [(command: String, shown: [String])] = []
    var isContinued = false
    for line in fence.lines {
      if line.hasPrefix("$ ") {
        steps.append((String(line.dropFirst(2)), []))
      } else if isContinued {
        steps[steps.count - 1].command += "\n" + line
      } else if !steps.isEmpty {
        steps[steps.count - 1].shown.append(line)
      }
      isContinued = line.hasSuffix("\\")
    }
    return steps
  }

  /// Text without numbers, digests and dates, which depend on library versions and on the day.
  private static func normalized(_ text: String) -> String {
    text.replacing(/[0-9][0-9a-f]*/, with: "#")
  }

  /// A command with the paths of this test in place of the examples of the text.
  private func inPlace(_ command: String) throws -> String {
    guard command.contains("AbcD…") else { return command }
    let line = try run("photoedit changes --json", "for a token").output.split(separator: "\n")[0]
    let token = try #require(line.firstMatch(of: /"token":"([^"]*)"/)).1
    return command.replacing("AbcD…", with: token)
  }

  // MARK: Requirements of a block

  private func prepare(for fence: Fence) throws {
    let folders = ["Takeout", "iCloud-1", "iCloud-2", "Pictures", "Cameras"].map {
      $0 + "/IMG_2.jpg"
    }
    let parts = [1, 2].map { "iCloud Photos Part \($0) of 2.zip" }
    for name in ["takeout-1.zip", "photos.zip", "holiday.tgz"] + parts {
      let archive = ArchiveFile([("\(name).jpg", try TestImages.bytes("photo-64.jpg"))])
      try write(name.hasSuffix(".zip") ? archive.zip : archive.tar, name)
    }
    for name in ["photo.jpg", "IMG_1.jpg", "more/first.jpg"] + folders {
      try write(try TestImages.bytes("photo-64.jpg"), name)
    }
    try write(try TestImages.bytes("raw-bayer.dng"), "IMG_1.CR2")
    try write(Array(Self.lightroom.utf8), "IMG_1.xmp")
    try write(Array(Self.cube.utf8), "look.cube")
    let commands = fence.lines.joined()
    let needsLibrary = ["photoedit changes", "photoedit asset"].contains { commands.contains($0) }
    if needsLibrary, !commands.contains("library create") {
      _ = try run("photoedit library create Photos -q && photoedit album create A -q", "\(fence)")
    }
  }

  private func write(_ bytes: [UInt8], _ name: String) throws {
    if name.contains("/") {
      try FileManager.default.createDirectory(
        atPath: folder.path(String(name.prefix { $0 != "/" })), withIntermediateDirectories: true)
    }
    try folder.write(bytes, to: name)
  }

  private static let cube =
    (["LUT_3D_SIZE 2"] + (0..<8).map { "\($0 & 1) \($0 >> 1 & 1) \($0 >> 2)" })
    .joined(separator: "\n") + "\n"

  private static let lightroom = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/">
     <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
      <rdf:Description rdf:about="" xmlns:crs="http://ns.adobe.com/camera-raw-settings/1.0/"
       crs:Version="15.4" crs:ProcessVersion="11.0" crs:HasSettings="True" crs:HasCrop="True"
       crs:CropLeft="0" crs:CropTop="0" crs:CropRight="0.75" crs:CropBottom="1" crs:CropAngle="0"
       crs:Exposure2012="+0.50" crs:Dehaze="+12"/>
     </rdf:RDF>
    </x:xmpmeta>
    """
}
