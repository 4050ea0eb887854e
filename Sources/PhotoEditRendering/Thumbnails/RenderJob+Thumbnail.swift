// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Creates a job for a thumbnail: orientation applied, cropped, resized, in sRGB.
  ///
  /// - Parameters:
  ///   - part: The part to crop from the image with its orientation applied.
  ///   - size: The size of the thumbnail.
  init(
    thumbnailOf image: ImageSource, part: Region, size: PixelSize, options: RenderOptions
  ) throws(RenderError) {
    var options = options
    options.dither = .none
    var job = try RenderJob(image, FilterGraph(), options: options)
    // Samples are mixed with the transfer function of sRGB, regardless of the transfer function of
    // the image.
    job.treatment = try ColorManagement(image.color, changesColors: true)
    var geometrySteps = job.operations.filter { if case .orient = $0 { true } else { false } }
    if part != Region(image.size) { geometrySteps.append(.crop(part)) }
    var scaling = PreviewScaling(
      geometrySteps, stored: image.header.size, target: size,
      margin: PreviewScaling.marginAtEighth)
    if scaling.decoding != .eighth {
      scaling = PreviewScaling(geometrySteps, stored: image.header.size, target: size)
    }
    let isJPEG = image.frame != nil
    job.decodingScale = isJPEG ? scaling.decoding : .full
    var steps = scaling.scaled(geometrySteps, isDecodedSmall: isJPEG)
    if case .curves(let curves, _) = job.treatment {
      let index = steps.prefix { if case .orient = $0 { true } else { false } }.count
      steps.insert(.curves(curves), at: index)
      job.treatment = .curves(into: curves, back: nil)
    }
    if let matrix = image.color.matrixToSRGB(icc: image.metadata.icc) {
      steps += [FilterOperation.matrix(ColorTransform(rows: matrix))].inEncoding(.linear)
    }
    job.operations = steps
    job.outputSize = size
    self = job
  }

  /// Decodes and filters to the encoder's input.
  func renderImage() throws(RenderError) -> ImageBuffer {
    try withSource { source throws(RenderError) in
      let plan = plan(source.shape, result: .bytes(expandingGray: false))
      guard case .packed(let layout)? = plan.stages.last?.output.format else {
        preconditionFailure("byte plan must end in bytes")
      }
      let bytesPerRow = layout.bytesPerRow(width: plan.outputSize.width)
      let image = LockedValue(ImageBuffer(size: plan.outputSize, layout: layout))
      try deliver(plan, of: source, result: plan.outputSize.height * bytesPerRow) { strip in
        image.withLock { image in
          image.bytes.withUnsafeMutableBytes { target in
            for y in strip.rows {
              let row = UnsafeRawBufferPointer(start: strip.row(y), count: bytesPerRow)
              UnsafeMutableRawBufferPointer(rebasing: target[(y * bytesPerRow)...])
                .copyMemory(from: row)
            }
          }
        }
      }
      return image.withLock { $0 }
    }
  }
}
