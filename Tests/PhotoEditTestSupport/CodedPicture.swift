// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage

/// An image that `ffmpeg` coded losslessly with HEVC or AV1, and its samples.
package struct CodedPicture: Sendable {
  /// The parameters of a coded image.
  package struct Settings: Hashable, Sendable, CustomStringConvertible {
    /// The codec: "hevc" or "av1".
    package var codec = "hevc"
    package var width = 32
    package var height = 24
    /// The bit depth: 8, 10 or 12.
    package var bits = 8
    /// The binary logarithms of horizontal and vertical chroma subsampling; nil for gray.
    package var chroma: [Int]? = [0, 0]
    /// The stated color description: primaries, transfer and matrix of H.273.
    package var color = [1, 13, 6]
    package var isFullRange = true
    /// True if the coded image states its color description.
    package var statesColor = true
    /// The seed of the samples.
    package var seed = 1
    /// The number of independent parts of an HEVC picture.
    package var partCount = 1

    package init() {}

    package func with(_ change: (inout Settings) -> Void) -> Settings {
      var copy = self
      change(&copy)
      return copy
    }

    package var description: String {
      "\(codec) \(width)×\(height) \(bits) bits \(pixelFormat) \(color) full \(isFullRange) stated \(statesColor)"
    }

    var pixelFormat: String {
      let depth = bits > 8 ? "\(bits)le" : ""
      guard let chroma else { return "gray" + depth }
      if color[2] == 0 { return "gbrp" + depth }
      return ["yuv444p", "yuv422p", "yuv420p"][chroma[0] + chroma[1]] + depth
    }

    /// The columns and rows of each plane.
    package var planeSizes: [(width: Int, height: Int)] {
      let own = (width, height)
      guard let chroma else { return [own] }
      let small = (
        (width + (1 << chroma[0]) - 1) >> chroma[0], (height + (1 << chroma[1]) - 1) >> chroma[1]
      )
      return [own, small, small]
    }
  }

  package let settings: Settings
  /// The samples of each plane: luma or green first, then the others.
  package let planes: [[Int]]
  /// The stream: HEVC units with start codes, or AV1 units with lengths.
  package let stream: [UInt8]

  /// True if images can be coded on this machine.
  package static var isPossible: Bool { Program.find("ffmpeg") != nil }

  private static let made = LockedValue<[Settings: CodedPicture]>([:])

  /// Codes an image of smooth shapes in all values; each variant is encoded once.
  package static func make(_ settings: Settings) throws -> CodedPicture {
    try made.withLock { made in
      if let known = made[settings] { return known }
      let planes = settings.planeSizes.indices.map { samples(settings, plane: $0) }
      let image = try CodedPicture(settings, planes: planes)
      made[settings] = image
      return image
    }
  }

  /// Codes the given samples.
  package init(_ settings: Settings, planes: [[Int]]) throws {
    self.settings = settings
    self.planes = planes
    let folder = try TemporaryFolder()
    try folder.write(
      planes.joined().flatMap { value -> [UInt8] in
        let low = UInt8(truncatingIfNeeded: value)
        return settings.bits > 8 ? [low, UInt8(truncatingIfNeeded: value >> 8)] : [low]
      }, to: "raw")
    guard let ffmpeg = Program.find("ffmpeg") else { throw Failure(settings: settings) }
    let size = "\(settings.width)x\(settings.height)"
    let output = folder.path("coded")
    let range = ["-color_range", settings.isFullRange ? "pc" : "tv"]
    let color = [
      "-color_primaries", "\(settings.color[0])", "-color_trc", "\(settings.color[1])",
      "-colorspace", "\(settings.color[2])",
    ]
    // The full range that ffmpeg 7 assumes for gray is stated as well.
    let stated = settings.statesColor ? color + range : settings.chroma == nil ? range : []
    // Those of the input too: since version 7, ffmpeg converts samples from one to the other.
    let input =
      ["-v", "error", "-f", "rawvideo", "-pix_fmt", settings.pixelFormat, "-s", size] + stated
      + ["-i", folder.path("raw"), "-frames:v", "1"]
    let isHEVC = settings.codec == "hevc"
    let coding =
      isHEVC
      ? [
        "-c:v", "libx265", "-x265-params",
        "log-level=none:lossless=1:pools=1:info=0:slices=\(settings.partCount)", "-f", "hevc",
      ]
      : [
        "-c:v", "libaom-av1", "-still-picture", "1", "-aom-params", "lossless=1", "-cpu-used", "8",
        "-f", "obu",
      ]
    let code = Program.run(
      ffmpeg, input + stated + coding + [output],
      output: folder.path("log"))
    guard code == 0 else { throw Failure(settings: settings) }
    stream = [UInt8](try Data(contentsOf: URL(filePath: output)))
  }

  private static func samples(_ settings: Settings, plane: Int) -> [Int] {
    let (width, height) = settings.planeSizes[plane]
    let top = 1 << settings.bits
    return (0..<(width * height)).map { index in
      let (x, y) = (index % width, index / width)
      let ramp = [x * top / width, y * top / height, (x + y) * top / (width + height)][plane]
      let pattern = (x / 3 * 7 + y / 5 * 11 + settings.seed * 29) % 13 * (top / 32)
      return min(max(ramp + pattern - top / 6, 0), top - 1)
    }
  }

  /// The error for an image that could not be coded.
  package struct Failure: Error, CustomStringConvertible {
    let settings: Settings

    /// "ffmpeg could not code hevc 32×24 …".
    package var description: String { "ffmpeg could not code \(settings)" }
  }
}
