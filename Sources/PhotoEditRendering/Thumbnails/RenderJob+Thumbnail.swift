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
    thumbnailOf picture: Picture, part: Region, size: PixelSize, options: RenderOptions
  ) throws(RenderError) {
    var options = options
    options.dither = .none
    var job = try RenderJob(picture, FilterGraph(), options: options)
    // Samples are mixed with the transfer function of sRGB, whatever transfer function the image
    // has.
    job.treatment = try ColorTreatment(picture.color, changesColors: true)
    var recipe = job.operations.filter { if case .orient = $0 { true } else { false } }
    if part != Region(picture.size) { recipe.append(.crop(part)) }
    var scaling = PreviewScaling(recipe, stored: picture.header.size, target: size)
    let isJPEG = picture.frame != nil
    job.decodingScale = isJPEG ? scaling.decoding : .full
    var steps = scaling.scaled(recipe, isDecodedSmall: isJPEG)
    if case .curves(let curves, _) = job.treatment {
      let place = steps.prefix { if case .orient = $0 { true } else { false } }.count
      steps.insert(.curves(curves), at: place)
      job.treatment = .curves(into: curves, back: nil)
    }
    if let matrix = picture.color.matrixToSRGB(icc: picture.metadata.icc) {
      steps += [FilterOperation.matrix(ColorTransform(rows: matrix))].inLight(.linear)
    }
    job.operations = steps
    job.outputSize = size
    self = job
  }

  /// Decodes and filters to the encoder's input.
  func renderImage() throws(RenderError) -> SampleImage {
    try withSource { source throws(RenderError) in
      let plan = plan(source.shape, result: .bytes(expandingGray: false))
      guard case .packed(let layout)? = plan.stages.last?.output.format else {
        preconditionFailure("a plan for bytes ends in bytes")
      }
      let bytesPerRow = layout.bytesPerRow(width: plan.outputSize.width)
      let image = Guarded(SampleImage(size: plan.outputSize, layout: layout))
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
