// SPDX-License-Identifier: Apache-2.0
public import PhotoEditCodecs
public import PhotoEditFilters
public import PhotoEditPixels

/// Why a picture could not be rendered.
public enum RenderError: Error, Sendable, CustomStringConvertible {
  /// The source cannot be decoded, or the result not encoded.
  case codec(CodecError)
  /// The source's metadata is beyond its bounds.
  case metadata(MetadataError)
  /// A node of the graph cannot be rendered.
  case graph(GraphObstacle)
  /// The graph was made for another picture.
  case otherPicture(expected: FilterGraph.Source, found: FilterGraph.Source)
  /// The result would be larger than a JPEG may be.
  case tooLarge(PixelSize)
  /// Pixels of a caller have numbers of another color space than the rendering.
  case otherColorSpace(expected: PixelColorSpace, found: PixelColorSpace)
  /// Code of a caller that makes pixels failed.
  case pixels(any Error)
  /// Somebody asked to stop.
  case cancelled

  init(_ error: CodecError) {
    self = error == .cancelled ? .cancelled : .codec(error)
  }

  /// One sentence.
  public var description: String {
    switch self {
    case .codec(let error): "\(error)"
    case .metadata(let error): "\(error)"
    case .graph(let obstacle): "\(obstacle)"
    case .otherPicture(let expected, let found):
      if expected.digest != found.digest {
        "the edit was made for another picture (\(expected.digest)), this one is \(found.digest)"
      } else {
        "the edit was made for a picture of \(expected.size) in orientation "
          + "\(expected.orientation.rawValue), this one is \(found.size) in orientation "
          + "\(found.orientation.rawValue)"
      }
    case .tooLarge(let size): "the result of \(size) is larger than a JPEG may be"
    case .otherColorSpace(let expected, let found):
      "the pixels are numbers of \(found), expected \(expected)"
    case .pixels(let error): "the pixels could not be made: \(error)"
    case .cancelled: "cancelled"
    }
  }
}

/// Runs a body whose failures are those of codecs.
func codec<Result>(_ body: () throws(CodecError) -> Result) throws(RenderError) -> Result {
  do throws(CodecError) {
    return try body()
  } catch {
    throw RenderError(error)
  }
}
