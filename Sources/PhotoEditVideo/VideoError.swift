// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

/// An error while reading or rendering the frames of a video.
public enum VideoError: PhotoEditError {
  /// The movie file cannot be read or written.
  case movie(MovieError)
  /// The graph cannot be rendered on its frames.
  case render(RenderError)
  /// A library that is needed for frames is not installed or is incompatible.
  case libraryMissing(name: String, reason: String)
  /// No decoder is available for its packets.
  case cannotDecode(codec: String, reason: String)
  /// The encoder is not available, or does not support these frames.
  case cannotEncode(encoder: String, reason: String)
  /// The confined process that decodes ended or answered wrongly; the value is the reason, with its
  /// subject: "its decoder crashed (SIGSEGV)".
  case decoderFailed(String)
  /// Confinement is required, but not possible; the value is the reason.
  case notConfined(String)
  /// A frame cannot be decoded, or does not match the movie's description; with the time in
  /// seconds.
  case damaged(time: Double?, reason: String)
  /// Frames exceed the pixel limit.
  case tooLarge(PixelSize, limit: Int)
  /// A property of the video that rendering cannot keep; the reason is a sentence without a full
  /// stop.
  case unsupported(String)
  /// The written file does not match the rendering; it has been removed.
  case verificationFailed(String)
  /// The system is out of memory.
  case outOfMemory
  /// The caller canceled the operation; no files remain.
  case cancelled

  init(_ error: MovieError) {
    self = error == .cancelled ? .cancelled : .movie(error)
  }

  init(_ error: RenderError) {
    if case .cancelled = error { self = .cancelled } else { self = .render(error) }
  }

  /// Creates the error of a confined process.
  init(confined error: CodecError) {
    switch error {
    case .decoderFailed(let reason): self = .decoderFailed(reason)
    case .notConfined(let reason): self = .notConfined(reason)
    case .outOfMemory: self = .outOfMemory
    case .cancelled: self = .cancelled
    default: self = .render(.codec(error))
    }
  }

  /// The class, the name and the hint of the case.
  public var facts: FailureFacts {
    switch self {
    case .movie(let error): error.facts
    case .render(let error): error.facts
    case .libraryMissing(let name, _): SharedLibrary.missing(name)
    case .unsupported, .cannotEncode: FailureFacts(.invalidEdit, "movie")
    case .decoderFailed(let reason): CodecError.decoderFailed(reason).facts
    case .notConfined(let reason): CodecError.notConfined(reason).facts
    case .outOfMemory: FailureFacts(.busy, "movie")
    case .verificationFailed: FailureFacts(.internalError, "movie")
    case .cancelled: FailureFacts(.cancelled, "cancelled")
    case .cannotDecode, .damaged, .tooLarge: FailureFacts(.unsuitable, "movie")
    }
  }

  /// The failed file operation, if any.
  public var file: FileError? {
    if case .movie(let error) = self { error.file } else { nil }
  }

  /// A one-sentence description: the problem, its location, and a possible remedy.
  public var description: String {
    switch self {
    case .movie(let error): return error.description
    case .render(let error): return error.description
    case .libraryMissing(let name, let reason):
      return "\(name) is required for video frames but could not be loaded (\(reason)); "
        + "install it and try again"
    case .cannotDecode(let codec, let reason): return "\(codec) cannot be decoded: \(reason)"
    case .decoderFailed(let reason): return "the video cannot be decoded: \(reason)"
    case .notConfined(let reason):
      return "the video cannot be decoded in a confined process: \(reason)"
    case .cannotEncode(let encoder, let reason):
      return "\(encoder) cannot encode the frames: \(reason)"
    case .damaged(let time, let reason):
      guard let time, let tenths = Int(exactly: (time * 1000).rounded()) else {
        return "the video is damaged: \(reason)"
      }
      return "the video is damaged at \(tenths) ms: \(reason)"
    case .tooLarge(let size, let limit):
      return "frames have \(size) pixels (maximum: \(limit) pixels)"
    case .unsupported(let reason): return reason
    case .verificationFailed(let what):
      return "the written video does not match the rendering and was removed: \(what)"
    case .outOfMemory: return "out of memory for video frames"
    case .cancelled: return "canceled; nothing was written"
    }
  }
}

/// Evaluates an expression and rethrows its movie error as a video error.
func movie<Result: ~Copyable>(
  _ body: @autoclosure () throws(MovieError) -> Result
) throws(VideoError) -> Result {
  try translating(VideoError.init, body)
}

/// Evaluates an expression and rethrows its render error as a video error.
func rendering<Result: ~Copyable>(
  _ body: @autoclosure () throws(RenderError) -> Result
) throws(VideoError) -> Result {
  try translating(VideoError.init, body)
}
