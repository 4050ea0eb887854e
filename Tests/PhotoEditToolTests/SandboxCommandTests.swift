// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Confined decoders on the command line", .runsPrograms)
struct SandboxCommandTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(ImageFile.gif(frames: 1), to: "crafted.gif")
    try folder.write(try TestImages.bytes("inputs/photo-64.jpg"), to: "photo.jpg")
  }

  private func run(
    _ arguments: [String], crashes: Bool = true, input: String = ""
  ) throws -> Tool.Result {
    let library = try TemporaryFolder()
    if crashes { try HostileLibrary.build("*(volatile int *)8 = 1;", in: library) }
    return try Tool.run(
      arguments, in: folder.path, input: Array(input.utf8),
      environment: ["LD_LIBRARY_PATH": library.path])
  }

  private static let hasCompiler = HostileLibrary.compiler != nil
  private static let crash = "its decoder crashed (SIGSEGV)"

  @Test(.enabled(if: hasCompiler, "no C compiler is installed"))
  func `a decoder that crashes refuses its image, and a batch continues`() throws {
    let result = try run(["apply", "--filter", "grayscale", "crafted.gif", "photo.jpg"])
    #expect(result.exitCode != 0 && result.exitCode < 128)
    #expect(result.errors.contains("crafted.gif") && result.errors.contains(Self.crash))
    #expect(try FileSystem.names(in: folder.path).contains("photo.edited.jpg"))
  }

  @Test(.enabled(if: hasCompiler, "no C compiler is installed"))
  func `a worker answers for the image and continues`() throws {
    try folder.writeLook(["sepia"], to: "look.json")
    let lines = ["crafted.gif", "photo.jpg", "crafted.gif"].enumerated().map { number, name in
      #"{"id":"\#(number)","input":"\#(name)","output":"\#(number).jpg","look":"look.json"}"#
    }
    let result = try run(["worker"], input: lines.joined(separator: "\n") + "\n")
    let answers = try result.jsonLines().dropFirst()
    #expect(result.exitCode == 0, "\(result.errors)")
    #expect(answers.count == 3)
    let refused = result.output.split(separator: "\n").filter { $0.contains(Self.crash) }
    #expect(refused.count == 2, "\(result.output)")
  }

  @Test(.enabled(if: hasCompiler, "no C compiler is installed"))
  func `an import reports the image and brings in the others`() throws {
    _ = try run(["library", "create", "library"])
    let result = try run(["asset", "import", "--library", "library", "crafted.gif", "photo.jpg"])
    #expect(result.exitCode < 128)
    #expect((result.errors + result.output).contains(Self.crash))
    let list = try run(["asset", "list", "--library", "library", "--json"], crashes: false)
    #expect(list.output.contains("photo.jpg"))
  }

  @Test(
    .enabled(if: hasCompiler && hasFFmpeg, "no C compiler or no program ffmpeg is installed"))
  func `a decoder that crashes refuses its video, and a batch continues`() throws {
    _ = try makeVideo("crafted.mov")
    let library = try TemporaryFolder()
    let replacement = try HostileLibrary.buildReplacement(
      of: "avcodec_send_packet", by: "*(volatile int *)8 = 1;", in: library)
    for arguments in [["thumbnail"], ["apply", "--filter", "grayscale"]] {
      let result = try Tool.run(
        arguments + ["crafted.mov", "photo.jpg"], in: folder.path,
        environment: ["LD_PRELOAD": replacement])
      #expect(result.exitCode != 0 && result.exitCode < 128)
      #expect(result.errors.contains("crafted.mov") && result.errors.contains(Self.crash))
    }
    let names = try FileSystem.names(in: folder.path)
    #expect(names.contains("photo.thumb.jpg") && names.contains("photo.edited.jpg"))
    #expect(!names.contains("crafted.thumb.jpg") && !names.contains("crafted.edited.mov"))
  }

  @Test(.enabled(if: hasFFmpeg, "the program ffmpeg is not installed"))
  func `all policies give the same frames of a video`() throws {
    let video = try makeVideo("source.mov")
    var files: [[UInt8]] = []
    for policy in ["auto", "require", "off"] {
      try folder.write(video, to: "\(policy).mov")
      let result = try Tool.run(
        ["apply", "--filter", "grayscale", "\(policy).mov", "--sandbox", policy],
        in: folder.path)
      #expect(result.exitCode == 0, "\(result.errors)")
      files.append(try FileBytes.reading(folder.path("\(policy).edited.mov")).array)
    }
    #expect(files[0] == files[1] && files[1] == files[2])
  }

  /// Creates a video of ten frames, some of which are stored out of order.
  private func makeVideo(_ name: String) throws -> [UInt8] {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let words =
      "-v error -f lavfi -i testsrc=size=64x48:rate=25:duration=0.4 -c:v libx264 -bf 2 "
      + "-pix_fmt yuv420p"
    let arguments = words.split(separator: " ").map(String.init) + [folder.path(name)]
    try #require(Program.run(ffmpeg, arguments, output: folder.path("log")) == 0)
    return try FileBytes.reading(folder.path(name)).array
  }

  private static let hasFFmpeg = Program.find("ffmpeg") != nil

  @Test func `all policies give the same bytes`() throws {
    var files: [[UInt8]] = []
    for policy in ["auto", "require", "off"] {
      let result = try run(
        ["render", "crafted.gif", "--sandbox", policy, "-o", "\(policy).jpg"], crashes: false)
      #expect(result.exitCode == 0, "\(result.errors)")
      files.append(try FileBytes.reading(folder.path("\(policy).jpg")).array)
    }
    #expect(files[0] == files[1] && files[1] == files[2])
  }

  @Test func `the check shows that all forbidden actions are refused`() throws {
    let result = try Tool.run(["version", "--check", "--json"], in: folder.path)
    let sandbox = try #require(try result.jsonLines().first?["sandbox"])
    #expect(sandbox["seccomp"] == true)
    #expect(sandbox["permitted"] == [])
    #expect(sandbox["refused"]?.arrayValue?.count ?? 0 >= 8)
  }

  @Test func `an unknown policy is a usage error`() throws {
    let result = try Tool.run(["inspect", "photo.jpg", "--sandbox", "on"], in: folder.path)
    #expect(result.exitCode == 64)
    #expect(result.errors.contains("auto, require"))
  }
}
