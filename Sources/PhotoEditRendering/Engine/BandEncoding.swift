// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditStorage

/// Runs the last passes and encodes their rows, a few at a time while they are in the cache; the
/// end of a pipeline whose strips are `JPEGStripEncoder.bandHeight` rows high.
struct BandEncoding: StripProducer {
  let filling: any RowSource
  let layout: RowLayout
  let settings: JPEGSettings
  let pool: StripPool
  let assembler: JPEGAssembler
  let thumbnail: ThumbnailSums?
  let levels: LockedValue<LevelCounts>?
  private let encoders = ObjectPool<Encoder>()

  var name: String { filling.name.isEmpty ? "encoding" : "\(filling.name) + encoding" }
  var height: Int { filling.output.size.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> {
    filling.inputRows(for: rows, of: input)
  }

  func make(_ rows: Range<Int>, from inputs: [StripWindow]) throws(RenderError) -> Strip? {
    try encoders.with(makeEncoder) { encoder throws(RenderError) in
      var band = thumbnail?.band()
      var counts = levels.map { _ in LevelCounts() }
      try codec { () throws(CodecError) in try encoder.band.begin(rows: rows.count) }
      for first in stride(from: rows.lowerBound, to: rows.upperBound, by: filling.rowsAtOnce) {
        let strip = Strip(
          rows: first..<min(first + filling.rowsAtOnce, rows.upperBound),
          bytesPerRow: filling.output.bytesPerRow, pool: pool)
        try filling.fill(strip, from: inputs)
        band?.add(strip)
        counts?.count(
          strip, width: filling.output.size.width, channels: layout.channels.count,
          separatesChannels: filling.separatesChannels)
        try codec { () throws(CodecError) in try encoder.write(strip) }
      }
      band?.finish()
      if let counts { levels?.withLock { $0.add(counts) } }
      try codec { () throws(CodecError) in
        try encoder.band.end { band throws(CodecError) in
          try assembler.add(band, at: rows.lowerBound / JPEGStripEncoder.bandHeight(settings))
        }
      }
    }
    return nil
  }

  private func makeEncoder() throws(RenderError) -> Encoder {
    let width = filling.output.size.width
    return try codec { () throws(CodecError) in
      Encoder(
        band: try JPEGBandEncoder(
          width: width, settings: settings, layout: layout,
          takesSamples: filling.separatesChannels),
        samples: filling.separatesChannels
          ? EncoderSamples(width: width, sampling: settings.sampling) : nil)
    }
  }

  /// An encoder, with the memory to convert rows for it.
  private struct Encoder {
    let band: JPEGBandEncoder
    let samples: EncoderSamples?

    func write(_ strip: Strip) throws(CodecError) {
      guard let samples else {
        return try band.write(
          rows: strip.rows.count, from: strip.memory, bytesPerRow: strip.bytesPerRow)
      }
      for y in stride(from: strip.rows.lowerBound, to: strip.rows.upperBound, by: samples.mcuHeight)
      {
        try samples.write(
          y..<min(y + samples.mcuHeight, strip.rows.upperBound), of: strip, to: band)
      }
    }
  }
}
