// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
import PhotoEditCodecs
public import PhotoEditPixels
import PhotoEditStorage
public import Testing

/// Expects an image to be equal to a recorded one, its golden.
///
/// Goldens are PNG files with 8 or 16 bits per sample. An image without a golden is a failure. An
/// image that does not match is written next to the golden as `NAME.candidate.png`, with the
/// difference, amplified 16 times, as `NAME.difference.candidate.png`; both and the golden are
/// attached to the test as well. A later match removes the files. If the variable `CI` is set, only
/// the attachments are made.
///
/// The variable `PHOTOEDIT_RECORD_GOLDENS` records: `missing` goldens that do not exist, `all` also
/// those that are not equal. A test that records fails, so that a recording cannot pass for a
/// comparison, and nothing is recorded if `CI` is set.
///
/// - Parameters:
///   - image: Any size of at least one pixel; gray or RGB, with or without alpha, 8 or 16 bits.
///   - name: The name of the golden: letters, digits, ".", "_" and "-".
///   - tolerance: The permitted difference.
///   - folder: The folder of the golden; nil for `Goldens` next to the file of the test.
/// - Returns: `true` if the image matches.
@discardableResult
public func expectGolden(
  _ image: ImageBuffer, named name: String, tolerance: GoldenTolerance = .exact,
  in folder: String? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
  let golden: GoldenImage
  do throws(GoldenError) {
    golden = try GoldenImage(named: name, in: folder ?? goldensFolder(of: filePath))
  } catch {
    Issue.record("\(error)", sourceLocation: sourceLocation)
    return false
  }
  return GoldenCheck(image, golden, tolerance).expect(sourceLocation)
}

/// Expects pixels to be equal to a recorded image, its golden.
///
/// Samples of 8 bits are compared as such, and all others with 16 bits, for which floats are
/// rounded and clamped to their range. The order of the samples and the color space are ignored.
/// Everything else is as for an `ImageBuffer`.
///
/// - Returns: `true` if the pixels match.
@discardableResult
public func expectGolden<Sample>(
  _ pixels: PixelBuffer<Sample>, named name: String, tolerance: GoldenTolerance = .exact,
  in folder: String? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
  expectGolden(
    ImageBuffer(pixels), named: name, tolerance: tolerance, in: folder, filePath: filePath,
    sourceLocation: sourceLocation)
}

/// Expects an image file to be equal to a recorded image, its golden.
///
/// The samples are compared as they are stored: neither the orientation nor the profile of the file
/// is applied. Everything else is as for an `ImageBuffer`.
///
/// - Parameter file: A file of any format that the package reads, such as a rendering.
/// - Returns: `true` if the image matches; `false` also if the file cannot be decoded.
@discardableResult
public func expectGolden(
  contentsOf file: URL, named name: String, tolerance: GoldenTolerance = .exact,
  in folder: String? = nil, filePath: String = #filePath,
  sourceLocation: SourceLocation = #_sourceLocation
) -> Bool {
  let image: ImageBuffer
  do throws(ImageFileError) {
    image = try ImageBuffer(contentsOf: file)
  } catch {
    Issue.record("the image of the golden '\(name)': \(error)", sourceLocation: sourceLocation)
    return false
  }
  return expectGolden(
    image, named: name, tolerance: tolerance, in: folder, filePath: filePath,
    sourceLocation: sourceLocation)
}

extension GoldenCheck {
  /// Records an issue with attachments unless the image matches.
  ///
  /// - Returns: `true` if it matches.
  package func expect(_ sourceLocation: SourceLocation) -> Bool {
    guard let failure = failure() else { return true }
    for (kind, image) in failure.images {
      guard let png = try? PNGEncoder.encode(image) else { continue }
      Attachment.record(
        png, named: "\(golden.name).\(kind).png", sourceLocation: sourceLocation)
    }
    Issue.record("\(failure.message)", sourceLocation: sourceLocation)
    return false
  }
}

/// Returns the folder of the goldens of the tests in a file.
private func goldensFolder(of filePath: String) -> String {
  URL(filePath: filePath).deletingLastPathComponent().appending(path: "Goldens").path
}
