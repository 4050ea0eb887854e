// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage

/// The identity of a result: equal keys stand for renderings that are interchangeable.
enum ResultKey {
  /// Returns the key of the rendering of an original.
  ///
  /// - Parameter options: The canonical JSON of the options that change bytes.
  static func digest(
    original: SHA256Digest, look: SHA256Digest, engine: Int = Renderer.semanticsVersion,
    options: String
  ) -> SHA256Digest {
    let parts = ["photoedit-result 1", original.hex, look.hex, "\(engine)", options]
    return SHA256Digest(of: Array(parts.map { $0 + "\n" }.joined().utf8))
  }
}

extension RenderingArguments {
  /// The options that change the bytes of a rendering.
  var resultOptions: [String: JSONValue] {
    [
      "quality": .string((quality ?? .preserve).description),
      "strip": .string(strip.argumentText ?? ""),
      "dither": .string(dither == .none ? "none" : "tpdf"), "lenient": .bool(isLenient),
    ]
  }

  /// The same options as arguments of a command.
  var resultArguments: [String] {
    ["--quality", (quality ?? .preserve).description]
      + (strip.argumentText.map { ["--strip", $0] } ?? [])
      + (dither == .none ? [] : ["--dither", "tpdf"]) + (isLenient ? ["--lenient"] : [])
  }
}
