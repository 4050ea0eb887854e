// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
public import PhotoEditPixels

extension Renderer {
  /// Encodes pixels that somebody else made of a picture, as a rendering of it.
  ///
  /// Metadata, profile and settings of the encoder are those that a rendering of the picture has.
  ///
  /// - Parameters:
  ///   - image: Upright gray or RGB of any size, in the numbers that `raster` gives of the picture;
  ///     transparency is left out.
  ///   - picture: What it was made of.
  /// - Throws: `RenderError`; `tooLarge` beyond 65,500 pixels in a row or column.
  public static func encode(
    _ image: SampleImage, inPlaceOf picture: Picture, options: RenderOptions = RenderOptions()
  ) throws(RenderError) -> Rendering {
    var job = try RenderJob(picture, FilterGraph(), options: options)
    guard image.size.longEdge <= 65_500, image.size.pixelCount > 0 else {
      throw .tooLarge(image.size)
    }
    job.outputSize = image.size
    // Nobody knows where its pixels came from.
    job.isGeometryKnown = image.size == picture.size
    let isGray = image.layout.channels.colorCount == 1 && !job.hasColorProfile
    let rows = EightBitRows(image, isGray: isGray)
    let encoding = options.quality.encoding(
      frame: picture.frame, isGray: isGray, swapsAxes: job.turn.swapsAxes)
    let metadata = job.rendered(isGray: isGray, sampling: encoding.settings.sampling)
    let jpeg = try codec { () throws(CodecError) in
      let encoder = try JPEGBandEncoder(
        width: image.size.width, settings: encoding.settings, layout: rows.layout)
      let assembler = try JPEGAssembler(size: image.size, segments: metadata.segments)
      let height = JPEGStripEncoder.bandHeight(encoding.settings)
      for (index, first) in stride(from: 0, to: image.size.height, by: height).enumerated() {
        if options.isCancelled() { throw .cancelled }
        let band = rows.band(first..<min(first + height, image.size.height))
        try encoder.begin(rows: band.count / rows.bytesPerRow)
        try band.withUnsafeBufferPointer { bytes throws(CodecError) in
          guard let base = bytes.baseAddress else { return }
          try encoder.write(
            rows: band.count / rows.bytesPerRow, from: base, bytesPerRow: rows.bytesPerRow)
        }
        try encoder.end { band throws(CodecError) in try assembler.add(band, at: index) }
      }
      return try assembler.finish()
    }
    return job.rendering(
      jpeg, method: .float, encoding: encoding, metadata: metadata,
      pixelLosses: job.colorLosses(isGray: isGray), notices: [])
  }
}

/// Rows of a picture as an encoder takes them: gray or RGB, 8 bits a sample.
private struct EightBitRows {
  let image: SampleImage
  let layout: RowLayout

  init(_ image: SampleImage, isGray: Bool) {
    self.image = image
    layout = RowLayout(channels: isGray ? .gray : .rgb)
  }

  var bytesPerRow: Int { layout.bytesPerRow(width: image.size.width) }

  func band(_ rows: Range<Int>) -> [UInt8] {
    if image.layout == layout {
      return Array(image.bytes[(rows.lowerBound * bytesPerRow)..<(rows.upperBound * bytesPerRow)])
    }
    let channels = layout.channels.count
    let colors = image.layout.channels.colorCount
    var bytes = [UInt8](repeating: 0, count: rows.count * bytesPerRow)
    var position = 0
    for y in rows {
      for x in 0..<image.size.width {
        for channel in 0..<channels {
          let sample = image[x: x, y: y, channel: min(channel, colors - 1)]
          bytes[position] = UInt8((sample * 255 + image.maximum / 2) / image.maximum)
          position += 1
        }
      }
    }
    return bytes
  }
}
