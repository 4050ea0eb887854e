// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
package import PhotoEditPixels
import PhotoEditStorage

/// An expected image, a PNG with 8 or 16 bits per sample, and the files next to it.
package struct GoldenImage: Sendable, Hashable {
  /// The name of the file without its extension.
  package let name: String
  /// The folder of the golden and of its candidate.
  package let folder: String

  /// Creates the golden of a name, whose file need not exist.
  ///
  /// - Parameter name: Letters, digits, ".", "_" and "-", with a letter or a digit first.
  /// - Throws: `GoldenError.invalidName`.
  package init(named name: String, in folder: String) throws(GoldenError) {
    guard let first = name.first, first.isLetter || first.isNumber,
      name.allSatisfy({ $0.isLetter || $0.isNumber || "._-".contains($0) }), name.utf8.count <= 200
    else { throw .invalidName(name) }
    (self.name, self.folder) = (name, folder)
  }

  /// The path of the expected image.
  package var path: String { "\(folder)/\(name).png" }
  /// The path of an image that did not match, for review.
  package var candidatePath: String { "\(folder)/\(name).candidate.png" }
  /// The path of the amplified difference of the candidate.
  package var differencePath: String { "\(folder)/\(name).difference.candidate.png" }

  /// Reads the expected image; nil if it does not exist.
  ///
  /// - Throws: `GoldenError.unreadable`.
  package func image() throws(GoldenError) -> ImageBuffer? {
    let bytes: FileBytes
    do throws(FileError) {
      bytes = try FileBytes.reading(path)
    } catch {
      if error.failureClass == .missing { return nil }
      throw .unreadable(path, reason: error.reason)
    }
    return try translating(
      { GoldenError.unreadable(path, reason: "\($0 as CodecError)") },
      ImageDecoders.decode(bytes))
  }

  /// Returns the difference of an image from the expected one; nil if the tolerance permits it.
  ///
  /// - Throws: `GoldenError.unreadable` for images without pixels.
  package func mismatch(
    of image: ImageBuffer, from expected: ImageBuffer, _ tolerance: GoldenTolerance
  ) throws(GoldenError) -> GoldenMismatch? {
    guard image.size == expected.size, image.layout == expected.layout else {
      return GoldenMismatch(
        reason: "\(Self.shape(image)) instead of \(Self.shape(expected))", difference: nil)
    }
    let difference = try translating(
      { GoldenError.unreadable(path, reason: "\($0 as ComparisonError)") },
      ImageDifference(expected, image))
    guard let reason = tolerance.failure(of: difference) else { return nil }
    return GoldenMismatch(
      reason: "\(reason) (\(difference))", difference: difference.differenceImage())
  }

  /// Writes the candidate and its difference.
  ///
  /// - Throws: `GoldenError.unwritable`.
  package func writeCandidate(
    _ image: ImageBuffer, difference: ImageBuffer?
  ) throws(GoldenError) {
    try Self.write(image, to: candidatePath)
    if let difference {
      try Self.write(difference, to: differencePath)
    } else {
      try? FileManager.default.removeItem(atPath: differencePath)
    }
  }

  /// Replaces the expected image, and removes the candidate.
  ///
  /// - Throws: `GoldenError.unwritable`.
  package func record(_ image: ImageBuffer) throws(GoldenError) {
    try Self.write(image, to: path)
    removeCandidate()
  }

  /// Removes the candidate of an earlier run.
  package func removeCandidate() {
    for path in [candidatePath, differencePath]
    where FileManager.default.fileExists(atPath: path) {
      try? FileManager.default.removeItem(atPath: path)
    }
  }

  /// "64×48 rgb of 8 bits".
  private static func shape(_ image: ImageBuffer) -> String {
    "\(image.size) \(image.layout.channels) of \(8 * image.layout.bytesPerSample) bits"
  }

  private static func write(_ image: ImageBuffer, to path: String) throws(GoldenError) {
    let bytes = try translating(
      { GoldenError.unwritable(path, reason: "\($0 as CodecError)") }, PNGEncoder.encode(image))
    do {
      try FileManager.default.createDirectory(
        atPath: URL(filePath: path).deletingLastPathComponent().path,
        withIntermediateDirectories: true)
      try Data(bytes).write(to: URL(filePath: path), options: .atomic)
    } catch {
      throw .unwritable(path, reason: "\(error)")
    }
  }
}

/// An image that differs from its golden by more than its tolerance permits.
package struct GoldenMismatch: Sendable {
  /// A clause with the limits that were exceeded.
  package let reason: String
  /// The difference, amplified 16 times; nil for images of different shapes.
  package let difference: ImageBuffer?
}

/// An error of a golden.
package enum GoldenError: Error, Hashable, CustomStringConvertible {
  /// The name cannot be that of a file.
  case invalidName(String)
  /// There is no expected image.
  case missing(String, path: String)
  /// The expected image cannot be read.
  case unreadable(String, reason: String)
  /// A golden or a candidate cannot be written.
  case unwritable(String, reason: String)
  /// The variable for recording has another value.
  case invalidRecording(String)
  /// Recording in continuous integration.
  case recordingInCI

  /// One sentence.
  package var description: String {
    switch self {
    case .invalidName(let name):
      "'\(name)' is not a valid name of a golden; use letters, digits, '.', '_' and '-'"
    case .missing(let name, let path): "there is no golden '\(name)' (\(path))"
    case .unreadable(let path, let reason): "\(path): the golden cannot be read: \(reason)"
    case .unwritable(let path, let reason): "\(path): cannot write: \(reason)"
    case .invalidRecording(let value):
      "\(GoldenRecording.variable) is '\(value)' (allowed: missing, all)"
    case .recordingInCI:
      "CI is set; record goldens on another machine, look at them and commit them"
    }
  }
}
