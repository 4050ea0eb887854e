// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
package import PhotoEditPixels
package import PhotoEditStorage
package import PhotoEditTesting

/// A complete edit with its input and expected result, in a folder of `TestImages/goldens`.
///
/// `graph.json` is adjustment data as stored by the library, `golden.png` the result with 8 or 16
/// bits per sample, and `golden.json` the `Record`. `Tools/golden-recorder` writes them.
package struct Golden: Sendable, CustomStringConvertible {
  /// The content of `golden.json`.
  package struct Record: Codable, Hashable, Sendable {
    /// The input image, relative to `TestImages`.
    package var input: String
    /// The tolerance class for results with another digest.
    package var tolerance: String
    /// The `Renderer.semanticsVersion` at recording time.
    package var engine: Int
    /// The SHA-256 digests of accepted rasters in hexadecimal, one per math library.
    package var rasters: [String]
    /// The purpose of the example.
    package var purpose: String

    package init(input: String, tolerance: String, engine: Int, rasters: [String], purpose: String)
    {
      self.input = input
      self.tolerance = tolerance
      self.engine = engine
      self.rasters = rasters
      self.purpose = purpose
    }
  }

  /// The folder with all goldens.
  package static var root: String { "\(TestImages.folder)/goldens" }

  /// The names of all folders there, sorted.
  package static func names() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: root).sorted()
  }

  /// The name of the golden's folder.
  package let name: String
  /// The path of the golden's folder.
  package let folder: String
  /// The content of `golden.json`.
  package let record: Record
  /// The bytes of `graph.json`.
  package let graph: [UInt8]
  /// The expected result of the edit.
  package let image: ImageBuffer

  /// Reads a golden.
  ///
  /// - Throws: `Missing` if one of its files does not exist; a missing golden is a failure.
  package init(_ name: String, in root: String = Golden.root) throws {
    self.name = name
    folder = "\(root)/\(name)"
    let record = try Self.read("golden.json", of: name, in: folder)
    self.record = try JSONDecoder().decode(Record.self, from: record)
    graph = [UInt8](try Self.read("graph.json", of: name, in: folder))
    let png = try Self.read("golden.png", of: name, in: folder)
    image = try ImageDecoders.decode(FileBytes([UInt8](png)))
  }

  /// The name.
  package var description: String { name }

  /// The SHA-256 of a raster: width, height, plane count and samples, little-endian.
  package static func digest(size: PixelSize, planes: [[Float]]) -> SHA256Digest {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(24 + 4 * size.pixelCount * planes.count)
    for number in [size.width, size.height, planes.count] {
      withUnsafeBytes(of: UInt64(number).littleEndian) { bytes.append(contentsOf: $0) }
    }
    for plane in planes {
      for sample in plane {
        withUnsafeBytes(of: sample.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
      }
    }
    return SHA256Digest(of: bytes)
  }

  /// Returns the comparison of a rendering with the golden, by the golden's tolerance class; nil for
  /// a rendering with a recorded digest, which matches.
  ///
  /// A rendering that does not match is written as the candidate, next to the golden.
  package func check(
    size: PixelSize, planes: [[Float]], image: ImageBuffer,
    environment: [String: String] = ProcessInfo.processInfo.environment
  ) throws -> GoldenCheck? {
    let digest = Self.digest(size: size, planes: planes).hex
    if record.rasters.contains(digest) { return nil }
    guard let tolerance = ToleranceClass(rawValue: record.tolerance) else {
      throw Missing(golden: name, file: "tolerance class '\(record.tolerance)'")
    }
    return GoldenCheck(
      image, try GoldenImage(named: "golden", in: folder), .toleranceClass(tolerance),
      recorder: "run golden-recorder \(name)", environment: environment)
  }

  private static func read(_ file: String, of name: String, in folder: String) throws -> Data {
    do {
      return try Data(contentsOf: URL(filePath: "\(folder)/\(file)"))
    } catch {
      throw Missing(golden: name, file: file)
    }
  }

  /// The error for a golden file that cannot be read.
  package struct Missing: Error, Hashable, CustomStringConvertible {
    package let golden: String
    package let file: String

    package init(golden: String, file: String) {
      self.golden = golden
      self.file = file
    }

    package var description: String {
      "the golden '\(golden)' has no \(file); a golden is recorded by Tools/golden-recorder, "
        + "looked at and committed"
    }
  }
}
