// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Creates small videos with the program `ffmpeg`, in a folder removed after the test.
final class Clips: Sendable {
  let path: String

  init() throws {
    var template = Array("/tmp/photoedit-video-XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw FileError(.io, path: "/tmp", reason: "mkdtemp") }
    path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  deinit {
    do { try FileSystem.removeFolder(path) } catch { print("cannot remove \(path): \(error)") }
  }

  static let isInstalled = Program.find("ffmpeg") != nil && Program.find("ffprobe") != nil

  /// A moving chart of 64×48 pixels, 10 frames.
  static let chart = "-f lavfi -i testsrc=size=64x48:rate=25:duration=0.4"
  /// A tone of the same duration.
  static let tone = "-f lavfi -i sine=frequency=440:duration=0.4"
  static let h264 = "-c:v libx264 -preset ultrafast -pix_fmt yuv420p"

  func file(_ name: String) -> String { path + "/" + name }

  var names: [String] { get throws { try FileSystem.names(in: path).sorted() } }

  /// Runs ffmpeg; the arguments are split at spaces.
  @discardableResult
  func make(_ name: String, _ arguments: String) throws -> String {
    let ffmpeg = try #require(Program.find("ffmpeg"))
    let words = arguments.split(separator: " ").map(String.init)
    try #require(
      Program.run(ffmpeg, ["-v", "error", "-y"] + words + [file(name)], output: file("log")) == 0,
      "ffmpeg cannot make \(name)")
    unlink(file("log"))
    return file(name)
  }

  /// The output of a program.
  func output(of program: String, _ arguments: String) throws -> [UInt8] {
    let tool = try #require(Program.find(program))
    let words = arguments.split(separator: " ").map(String.init)
    try #require(Program.run(tool, words, output: file("log")) == 0)
    defer { unlink(file("log")) }
    return try bytes(file("log"))
  }

  /// Output lines of ffprobe for the video track: `entries` such as "frame=pts".
  func probe(_ path: String, _ entries: String, stream: String = "v:0") throws -> [String] {
    let text = try output(
      of: "ffprobe",
      "-v error -select_streams \(stream) -show_entries \(entries) -of csv=p=0 \(path)")
    return String(decoding: text, as: UTF8.self).split(separator: "\n").map {
      $0.hasSuffix(",") ? String($0.dropLast()) : String($0)
    }
  }

  /// The samples of all frames in a format such as "rgb24", decoded by ffmpeg, not rotated.
  func samples(_ path: String, _ format: String) throws -> [UInt8] {
    try output(
      of: "ffmpeg",
      "-v error -noautorotate -i \(path) -map 0:v:0 -fps_mode passthrough -pix_fmt \(format) "
        + "-f rawvideo -")
  }
}

/// The bytes of a file.
func bytes(_ path: String) throws -> [UInt8] {
  let content = try FileBytes.reading(path)
  return withExtendedLifetime(content) { Array(content.buffer) }
}
