// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels
public import PhotoEditStorage

/// An error that prevents rendering an image.
public enum RenderError: PhotoEditError {
  /// The source cannot be decoded, or the result cannot be encoded.
  case codec(CodecError)
  /// The source's metadata exceeds its limits.
  case metadata(MetadataError)
  /// A node of the graph cannot be rendered.
  case graph(UnsupportedNode)
  /// The graph was made for another image.
  case sourceMismatch(expected: FilterGraph.Source, found: FilterGraph.Source)
  /// The result would be larger than a JPEG may be.
  case tooLarge(PixelSize)
  /// The caller's pixels are in a different color space than the rendering.
  case otherColorSpace(expected: PixelColorSpace, found: PixelColorSpace)
  /// The caller's code for changing pixels failed.
  case pixels(any Error)
  /// The rendering was canceled.
  case cancelled

  init(_ error: CodecError) {
    self = error == .cancelled ? .cancelled : .codec(error)
  }

  /// The class, the name and the hint of the case.
  public var facts: FailureFacts {
    switch self {
    case .codec(let error): error.facts
    case .metadata(let error): error.facts
    case .graph(let error): error.facts
    case .sourceMismatch: FailureFacts(.invalidEdit, "otherPicture")
    case .tooLarge: FailureFacts(.invalidEdit, "tooLarge")
    case .otherColorSpace:
      FailureFacts(
        .invalidEdit, "otherColorSpace", hint: "return pixels in the color space of the input")
    case .pixels: FailureFacts(.unsuitable, "pixels")
    case .cancelled: FailureFacts(.cancelled, "cancelled")
    }
  }

  /// A one-sentence description of the error.
  public var description: String {
    switch self {
    case .codec(let error): "\(error)"
    case .metadata(let error): "\(error)"
    case .graph(let error): "\(error)"
    case .sourceMismatch(let expected, let found):
      if expected.digest != found.digest {
        "the edit belongs to another image (expected \(expected.digest), found \(found.digest))"
      } else {
        "the edit belongs to another image (expected \(expected.size) with orientation "
          + "\(expected.orientation.rawValue), found \(found.size) with orientation "
          + "\(found.orientation.rawValue))"
      }
    case .tooLarge(let size): "the result (\(size)) exceeds the maximum JPEG size"
    case .otherColorSpace(let expected, let found):
      "the pixels are in another color space (expected \(expected), found \(found))"
    case .pixels(let error): "the pixels could not be rendered: \(error)"
    case .cancelled: "canceled"
    }
  }
}

/// Runs a body that throws codec errors.
func codec<Result>(_ body: () throws(CodecError) -> Result) throws(RenderError) -> Result {
  do throws(CodecError) {
    return try body()
  } catch {
    throw RenderError(error)
  }
}
