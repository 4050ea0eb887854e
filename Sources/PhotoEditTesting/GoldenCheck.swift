// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
package import PhotoEditPixels

/// The variable that lets tests record goldens instead of only comparing with them.
package enum GoldenRecording: String, Sendable, CaseIterable {
  /// Records goldens that do not exist.
  case missing
  /// Also replaces goldens that are not equal to the new image, even within the tolerance.
  case all

  /// The name of the variable.
  package static let variable = "PHOTOEDIT_RECORD_GOLDENS"
}

/// One comparison of an image with its golden.
package struct GoldenCheck: Sendable {
  /// The image under test.
  package let image: ImageBuffer
  /// The golden.
  package let golden: GoldenImage
  /// The permitted difference.
  package let tolerance: GoldenTolerance
  /// The way to replace the golden if another program records it; nil for `GoldenRecording`.
  package let recorder: String?
  /// The environment of the process.
  package let environment: [String: String]

  /// Creates a check.
  package init(
    _ image: ImageBuffer, _ golden: GoldenImage, _ tolerance: GoldenTolerance,
    recorder: String? = nil, environment: [String: String] = ProcessInfo.processInfo.environment
  ) {
    (self.image, self.golden, self.tolerance) = (image, golden, tolerance)
    (self.recorder, self.environment) = (recorder, environment)
  }

  /// The result of a check that did not pass.
  package struct Failure: Sendable {
    /// One sentence with the values, the paths and what to do.
    package let message: String
    /// The images to look at, by the ends of their names.
    package let images: [(kind: String, image: ImageBuffer)]
  }

  /// A machine that records its own expectations would never find a difference.
  private var isContinuousIntegration: Bool { environment["CI"].map { !$0.isEmpty } ?? false }

  /// Compares, and writes a candidate next to a golden that does not match.
  ///
  /// - Returns: nil if the image matches. A recorded golden is a failure too, so that a test that
  ///   records does not pass.
  package func failure() -> Failure? {
    do throws(GoldenError) {
      let recording = try recording()
      guard let expected = try golden.image() else {
        if recording != nil { return try recorded() }
        let missing = GoldenError.missing(golden.name, path: golden.path)
        return Failure(message: "\(missing)" + candidate(nil), images: [("actual", image)])
      }
      if recording == .all, expected != image { return try recorded() }
      guard let mismatch = try golden.mismatch(of: image, from: expected, tolerance) else {
        golden.removeCandidate()
        return nil
      }
      return Failure(
        message: "'\(golden.name)' does not match its golden: \(mismatch.reason)"
          + candidate(mismatch.difference),
        images: [("expected", expected), ("actual", image)]
          + (mismatch.difference.map { [("difference", $0)] } ?? []))
    } catch {
      return Failure(message: "\(error)", images: [("actual", image)])
    }
  }

  private func recording() throws(GoldenError) -> GoldenRecording? {
    guard let value = environment[GoldenRecording.variable], !value.isEmpty else { return nil }
    guard let recording = GoldenRecording(rawValue: value) else {
      throw .invalidRecording(value)
    }
    if isContinuousIntegration { throw .recordingInCI }
    return recorder == nil ? recording : nil
  }

  private func recorded() throws(GoldenError) -> Failure {
    try golden.record(image)
    return Failure(
      message: "recorded the golden '\(golden.name)' (\(golden.path)); look at it, commit it, and "
        + "run the test again without \(GoldenRecording.variable)",
      images: [("actual", image)])
  }

  /// Writes the candidate, and returns the end of the message.
  private func candidate(_ difference: ImageBuffer?) -> String {
    // The folder of a machine that only tests is not looked at.
    if isContinuousIntegration { return "; see the attachments" }
    do throws(GoldenError) {
      try golden.writeCandidate(image, difference: difference)
    } catch {
      return "; no candidate: \(error)"
    }
    return "; look at \(golden.candidatePath)"
      + (difference == nil ? "" : " and \(golden.differencePath)") + "; to accept it, "
      + (recorder ?? "run the test with \(GoldenRecording.variable)=all")
  }
}
