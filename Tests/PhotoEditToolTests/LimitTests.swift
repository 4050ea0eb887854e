// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditFilters
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Runs the program under system limits: it exits with the matching code or continues.
@Suite(
  "System limits", .runsPrograms,
  .enabled(if: Allocations.areCounted, "a sanitizer needs more than these limits leave"))
struct LimitTests {
  private let folder: TemporaryFolder

  init() throws {
    folder = try TemporaryFolder()
    try folder.write(try TestImages.bytes("inputs/photo-1024.jpg"), to: "photo.jpg")
    try folder.write(MovieFile().bytes, to: "clip.mov")
    #expect(try Tool.run(["library", "create", "L"], in: folder.path).exitCode == 0)
    let result = try Tool.run(["asset", "import", "-L", "L", "photo.jpg"], in: folder.path)
    #expect(result.exitCode == 0, "\(result.errors)")
  }

  private static let blur = ["apply", "--filter", "gaussianBlur:sigma=3", "photo.jpg"]
  private static let commands: [[String]] = [
    blur, ["thumbnail", "photo.jpg"],
    ["render", "photo.jpg", "--filter", "sepia", "-o", "out.jpg"],
    ["apply", "--filter", "trim:start=0.2,end=0.8", "clip.mov"],
    ["library", "create", "M"], ["asset", "import", "-L", "L", "clip.mov"],
    ["asset", "list", "-L", "L"], ["album", "create", "-L", "L", "Al"],
    ["library", "backup", "--no-hardlinks", "-L", "L", "B"],
    ["library", "check", "--deep", "-L", "L"],
    ["changes", "-L", "L"],
  ]

  /// Runs the program under a limit of `prlimit`, in a copy of the folder.
  private func run(_ arguments: [String], _ limit: String) throws -> Tool.Result {
    let output = folder.path("run")
    try? FileManager.default.removeItem(atPath: output)
    try FileSystem.createFolder(output)
    for name in ["photo.jpg", "clip.mov", "L"] {
      try FileManager.default.copyItem(atPath: folder.path(name), toPath: output + "/" + name)
    }
    let words = arguments.map { "'\($0)'" }.joined(separator: " ")
    // Other open files of the test process would count.
    let alone = "exec 3>&- 4>&- 5>&- 6>&- 7>&- 8>&- 9>&-\n"
    // A process limit binds every user but root.
    var prefix = ""
    if geteuid() == 0, limit.contains("nproc") {
      for path in [folder.path, output] { try #require(chmod(path, 0o777) == 0) }
      prefix =
        "chown -R 65531:65531 . && cp '\(BuiltProgram.path)' ../photoedit && "
        + "exec setpriv --reuid 65531 --regid 65531 --clear-groups "
      return try Tool.runScript(
        "\(alone)\(prefix) prlimit \(limit) ../photoedit \(words)", in: output)
    }
    return try Tool.runScript("\(alone)exec prlimit \(limit) photoedit \(words)", in: output)
  }

  @Test func `without a second thread the same work runs on the first`() throws {
    for command in Self.commands {
      let result = try run(command, "--nproc=1")
      #expect(result.exitCode == 0, "\(command): \(result.errors)")
    }
    let alone = try run(Self.blur, "--nproc=1")
    #expect(alone.exitCode == 0, "\(alone.errors)")
    let digest = try FileBytes.digest(of: folder.path("run/photo.edited.jpg"))
    _ = try run(Self.blur, "--nofile=1024")
    #expect(try FileBytes.digest(of: folder.path("run/photo.edited.jpg")) == digest)
  }

  @Test func `a command that requires threads reports that none are available`() throws {
    let result = try run(["changes", "-L", "L", "--follow"], "--nproc=1")
    #expect(result.exitCode == 75 && result.errors.contains("thread"), "\(result.errors)")
  }

  @Test(arguments: [0, 300, 1500, 20_000, 60_000])
  func `the file size limit is a write error`(_ bytes: Int) throws {
    for command in Self.commands {
      let result = try run(command, "--fsize=\(bytes)")
      #expect([0, 74].contains(result.exitCode), "\(command): \(result.exitCode) \(result.errors)")
      #expect(result.exitCode == 0 || result.errors.contains("error:"), "\(command)")
    }
    #expect(try run(Self.blur, "--fsize=\(bytes)").exitCode == 74)
    #expect(
      try FileSystem.names(in: folder.path("run")) == ["L", "clip.mov", "photo.jpg"],
      "nothing is left")
  }

  @Test(arguments: [5, 6, 7, 8, 9, 10, 12, 16])
  func `the open file limit is a system error`(_ count: Int) throws {
    for command in Self.commands {
      let result = try run(command, "--nofile=\(count)")
      #expect(
        [0, 74, 75].contains(result.exitCode), "\(command): \(result.exitCode) \(result.errors)")
    }
  }

  @Test(arguments: [96, 128, 192, 256, 384])
  func `the address space limit ends in an exit code, never in a signal`(_ megabytes: Int) throws {
    for command in Self.commands {
      let result = try run(command, "--as=\(megabytes << 20)")
      // 127 is the exit code of the loader, which had no space for the program itself.
      #expect(
        [0, 65, 74, 75, 127].contains(result.exitCode),
        "\(command): \(result.exitCode) \(result.errors)")
    }
  }
}
