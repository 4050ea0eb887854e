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
