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
    let bytes = template.dropLast().map { UInt8(truncatingIfNeeded: $0) }
    path = String(decoding: bytes, as: UTF8.self)
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

  /// Copies a video whose header turns it clockwise by a multiple of 90°.
  func turn(_ source: String, by degrees: Int, as name: String) throws -> String {
    let path = try make(name, "-i \(source) -c copy")
    var bytes = try bytes(path)
    let start = try #require(bytes.firstRange(of: Array("tkhd".utf8))).upperBound
    // After the version, the dates, the numbers and the layer.
    let matrix = start + (bytes[start] == 0 ? 40 : 52)
    let (cosine, sine) = [0: (1, 0), 90: (0, 1), 180: (-1, 0), 270: (0, -1)][degrees] ?? (1, 0)
    for (index, value) in [cosine, sine, 0, -sine, cosine].enumerated() {
      let fixed = UInt32(bitPattern: Int32(value << 16))
      for byte in 0..<4 {
        bytes[matrix + 4 * index + byte] = UInt8(truncatingIfNeeded: fixed >> (24 - 8 * byte))
      }
    }
    unlink(path)
    try OpenFile(creating: path).write(bytes)
    return path
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
