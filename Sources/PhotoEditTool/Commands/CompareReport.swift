// SPDX-License-Identifier: Apache-2.0

/// The result of a comparison, for display and for scripts.
struct CompareReport {
  let first: OrientedImage
  let second: OrientedImage
  /// The requested tolerance class; nil means that no difference is allowed.
  let tolerance: ToleranceClass?
  /// The difference; nil if the sizes differ.
  let difference: ImageDifference?
  /// The path of the difference map to write, if any.
  let map: String?

  /// The reason why the images are not similar enough, as a clause; nil if they are.
  var failure: String? {
    guard let difference else {
      return "the sizes differ: \(first.image.size) and \(second.image.size)"
    }
    if let tolerance { return tolerance.failure(of: difference) }
    return difference.isEqual ? nil : "the pixels differ"
  }

  func write(to environment: CommandEnvironment) throws(CommandFailure) {
    if environment.wantsJSON { return try environment.write(json) }
    var lines = LabelledLines()
    lines.add("A", "\(first.name), \(first.image.size)")
    lines.add("B", "\(second.name), \(second.image.size)")
    if let difference { add(difference, to: &lines) }
    if difference != nil { lines.add("written", map) }
    let pass = tolerance.map { "within \($0.rawValue)" } ?? "equal: no pixel differs"
    lines.add("result", failure ?? pass)
    lines.print(in: environment)
  }

  private func add(_ difference: ImageDifference, to lines: inout LabelledLines) {
    let position = difference.maximumPosition.map { " at (\($0.x), \($0.y))" } ?? ""
    lines.add("maximum", figure(difference.maximum) + position)
    lines.add("mean", figure(difference.mean, decimals: 5))
    lines.add("PSNR", figure(difference.psnr, decimals: 2) + " dB")
    lines.add("SSIM", figure(difference.ssim, decimals: 6))
    lines.add(
      "ΔE2000",
      "mean \(figure(difference.deltaEMean)), 99 % within \(figure(difference.deltaEPercentile99)), "
        + "maximum \(figure(difference.deltaEMaximum))")
    let pixels = difference.first.size.pixelCount
    let share = 100 * Double(difference.differingPixels) / Double(pixels)
    lines.add(
      "differing", "\(difference.differingPixels) of \(pixels) pixels (\(figure(share)) %)")
    if difference.maximumAlpha > 0 {
      lines.add("alpha", "maximum " + figure(difference.maximumAlpha))
    }
  }

  private var json: [String: JSONValue] {
    var fields: [String: JSONValue] = [
      "first": json(first), "second": json(second), "class": .text(tolerance?.rawValue),
      "isEqual": .bool(difference?.isEqual ?? false), "isWithin": .bool(failure == nil),
      "failure": .text(failure), "diff": .text(difference == nil ? nil : map),
    ]
    guard let difference else { return fields }
    fields["maximum"] = .real(difference.maximum)
    fields["maximumPosition"] =
      difference.maximumPosition.map { ["x": .whole($0.x), "y": .whole($0.y)] } ?? .null
    fields["maximumAlpha"] = .real(difference.maximumAlpha)
    fields["mean"] = .real(difference.mean)
    fields["meanSigned"] = .array((0..<3).map { .real(difference.meanSigned[$0]) })
    // JSON has no infinity; equal images have no noise to measure.
    fields["psnr"] = difference.psnr.isFinite ? .real(difference.psnr) : .null
    fields["ssim"] = .real(difference.ssim)
    fields["deltaE2000"] = [
      "mean": .real(difference.deltaEMean), "p99": .real(difference.deltaEPercentile99),
      "maximum": .real(difference.deltaEMaximum),
    ]
    fields["worstBlockMean"] = .real(difference.worstBlockMean)
    fields["differingPixels"] = .whole(difference.differingPixels)
    fields["pixels"] = .whole(difference.first.size.pixelCount)
    return fields
  }

  private func json(_ image: OrientedImage) -> JSONValue {
    [
      "input": .string(image.name), "width": .whole(image.image.size.width),
      "height": .whole(image.image.size.height),
      "bitsPerSample": .whole(8 * image.image.layout.bytesPerSample),
      "notices": .texts(image.notices),
    ]
  }
}

/// A whole image in memory with the orientation applied; for comparisons, never for renderings.
struct OrientedImage {
  let name: String
  let image: ImageBuffer
  /// The color profile, which is kept but not applied.
  let profile: [UInt8]?
  /// Notices about irregularities of the file.
  let notices: [String]

  /// Decodes a file; "-" is standard input.
  init(
    _ name: String, _ arguments: RenderingArguments, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let source = try arguments.open(name, environment)
    self.name = name
    profile = source.metadata.icc
    let stored: ImageBuffer
    do throws(CodecError) {
      let decoder = try ImageDecoders.open(
        source.bytes,
        options: DecoderOptions(
          limits: arguments.limits, isLenient: arguments.isLenient,
          isCancelled: { environment.isCancelled }))
      let bytes =
        decoder.header.size.height
        * decoder.header.layout.bytesPerRow(width: decoder.header.size.width)
      try arguments.limits.check(memory: decoder.workingBytes + 2 * bytes)
      stored = try ImageDecoders.decode(decoder)
      notices = decoder.notices.map(\.message)
    } catch .cancelled {
      try environment.checkCancellation()
      throw .cancelled(.interrupted)
    } catch {
      throw CommandFailure(error, input: name)
    }
    image = stored.oriented(source.metadata.orientation)
  }
}

extension ImageBuffer {
  func oriented(_ orientation: Orientation) -> ImageBuffer {
    guard orientation != .up else { return self }
    let pixel = layout.bytesPerPixel
    var oriented = ImageBuffer(size: orientation.applied(to: size), layout: layout)
    let (columns, rows) = (oriented.size.width, oriented.size.height)
    bytes.withUnsafeBytes { stored in
      oriented.bytes.withUnsafeMutableBytes { memory in
        var target = 0
        for y in 0..<rows {
          for x in 0..<columns {
            let position = orientation.storedPosition(x: x, y: y, stored: size)
            let source = (position.y * size.width + position.x) * pixel
            for byte in 0..<pixel { memory[target + byte] = stored[source + byte] }
            target += pixel
          }
        }
      }
    }
    return oriented
  }
}
