// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// The rendering of one image after another with looks that are kept.
struct ImageWorker {
  /// One image to render.
  struct Request {
    var id: String
    var input: String
    /// The path for the rendering; nil discards it.
    var output: String?
    var look: String
    /// The expected digest of the input.
    var digest: SHA256Digest?
  }

  /// A finished rendering and its identity.
  struct Result {
    let original: SHA256Digest
    let look: SHA256Digest
    let key: SHA256Digest
    let rendering: Rendering
    let digest: SHA256Digest
  }

  private let rendering: RenderingArguments
  private let options: RenderOptions
  /// The canonical JSON of the options that change bytes.
  private let optionText: String
  private var looks = LookCache()

  init(_ rendering: RenderingArguments, _ environment: CommandEnvironment) throws(CommandFailure) {
    self.rendering = rendering
    var options = rendering.options(environment)
    options.threads = rendering.threads ?? 1
    self.options = options
    optionText = try JSONValue.object(rendering.resultOptions).canonicalText()
  }

  /// Renders an image and publishes the rendering, which never replaces a file.
  mutating func render(_ request: Request) throws(CommandFailure) -> Result {
    let input = request.input
    if let output = request.output { try Publishing.check(output, replacesFiles: false) }
    let bytes = try mapFileErrors(
      FileBytes.reading(input, maximumBytes: min(4 << 30, rendering.maximumMemory.bytes)))
    let original = bytes.digest()
    if let expected = request.digest, expected != original {
      throw CommandFailure(
        .badData, "\(input): its SHA-256 is \(original.hex), expected \(expected.hex)",
        code: "changed")
    }
    let look = try looks.look(request.look)
    var options = options
    options.assetFiles = { [files = look.files] in files[$0] }
    options.attachments = look.attachments
    let image = try inImage(input, ImageSource(bytes, limits: rendering.limits))
    let result = try inImage(input, Renderer.render(image, look.graph, options: options))
    if let output = request.output {
      // Not synced: the file is to be published elsewhere, and the worker would wait for the disk.
      try translating({ CommandFailure($0) }) { () throws(FileError) in
        let staged = try StagedFile(for: output)
        try staged.file.write(result.jpeg)
        try staged.publish(like: input)
      }
    }
    return Result(
      original: original, look: look.digest,
      key: ResultKey.digest(original: original, look: look.digest, options: optionText),
      rendering: result, digest: SHA256Digest(of: result.jpeg))
  }
}

extension ImageWorker.Request {
  /// Reads a request from a line.
  init(_ fields: inout LineFields) throws(CommandFailure) {
    self.init(
      id: try fields.required("id"), input: try fields.required("input"),
      output: try fields.required("output"), look: try fields.required("look"),
      digest: try fields.digest("sha256"))
    try fields.finish()
  }
}

extension ImageWorker.Result {
  /// The result for scripts.
  var json: [String: JSONValue] {
    [
      "original": .string(original.hex), "look": .string(look.hex), "key": .string(key.hex),
      "rendering": .string(digest.hex), "bytes": .whole(rendering.jpeg.count),
      "width": .whole(rendering.size.width), "height": .whole(rendering.size.height),
      "path": .string(rendering.path.rawValue),
      "losses": .array(
        rendering.losses.map { ["kind": .string($0.kind), "detail": .string($0.detail)] }),
    ]
  }
}
