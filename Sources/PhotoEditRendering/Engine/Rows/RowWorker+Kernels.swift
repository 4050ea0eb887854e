// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels

extension RowWorker {
  /// Runs the kernels of a segment on `count` columns starting at column x.
  ///
  /// - Parameter gathered: The index of the row among those whose vertical sums are already
  ///   computed.
  func run(
    _ segment: RowProgram.Segment, _ row: RowPosition, _ x: Int, _ count: Int, gathered: Int
  ) {
    for number in segment.instructions.indices {
      let step = segment.instructions[number]
      func source(_ index: Int) -> UnsafeMutablePointer<Float> { at(step.sources[index], x) }
      func target(_ index: Int) -> UnsafeMutablePointer<Float> { at(step.targets[index], x) }
      func constants<T>(_ type: T.Type) -> UnsafePointer<T>? {
        step.constants?.assumingMemoryBound(to: type)
      }
      let numbers = step.numbers
      switch step.operation {
      case .unpackBytes where row.samples != nil:
        guard let samples = row.samples else { continue }
        convertSamples(samples, row.firstColumn + x, count)
        for channel in 0..<3 {
          pe_unpack_u8(
            converted + channel * RowProgram.blockWidth, count, 1,
            constants(pe_sample_table.self).map { $0 + channel },
            target(channel), registerStride)
        }
      case .unpackBytes:
        pe_unpack_u8(
          row.packed.assumingMemoryBound(to: UInt8.self) + x * inputChannels, count, inputChannels,
          constants(pe_sample_table.self), target(0), registerStride)
      case .unpackWords:
        pe_unpack_u16(
          row.packed.assumingMemoryBound(to: UInt16.self) + x * inputChannels, count,
          inputChannels, target(0), registerStride)
      case .packGray: pe_pack_gray(source(0), count, bytes(row, segment, x, channels: 1))
      case .packColors where program.bytesPerChannel != nil:
        guard let bytesPerChannel = program.bytesPerChannel else { continue }
        for channel in 0..<3 {
          pe_pack_gray(
            source(channel), count,
            bytes(row, segment, x, channels: 1) + channel * bytesPerChannel)
        }
      case .packColors:
        pe_pack_rgb(
          source(0), source(1), source(2), count, bytes(row, segment, x, channels: 3))
      case .copy: target(0).update(from: source(0), count: count)
      case .affine: pe_affine(source(0), count, numbers[0], numbers[1], target(0))
      case .clamp: pe_clamp(source(0), count, numbers[0], numbers[1], target(0))
      case .affineClamp:
        pe_affine_clamp(
          source(0), count, numbers[0], numbers[1], numbers[2], numbers[3], target(0))
      case .power: pe_power(source(0), count, numbers[0], target(0))
      case .powerAboveZero: pe_power_above_zero(source(0), count, numbers[0], target(0))
      case .hyperbolic: pe_hyperbolic(source(0), count, target(0))
      case .threshold: pe_threshold(source(0), count, numbers[0], target(0))
      case .solarize: pe_solarize(source(0), count, numbers[0], target(0))
      case .quantize: pe_quantize(source(0), count, numbers[0], target(0))
      case .polynomial: pe_polynomial(source(0), count, constants(Float.self), target(0))
      case .parabolas:
        pe_parabolas(source(0), count, constants(pe_parabola_curve.self), target(0))
      case .twoPieces:
        pe_two_pieces(source(0), count, constants(pe_two_piece_curve.self), target(0))
      case .inverseLookup:
        pe_inverse_lut1d(source(0), count, constants(pe_lookup_table.self), target(0))
      case .decode: pe_srgb_decode(source(0), count, target(0))
      case .encode: pe_srgb_encode(source(0), count, target(0))
      case .spline: pe_spline(source(0), count, constants(pe_spline_curve.self), target(0))
      case .lookup: pe_lut1d(source(0), count, constants(pe_lookup_table.self), target(0))
      case .matrix:
        pe_matrix(
          source(0), source(1), source(2), count, constants(Float.self), target(0), target(1),
          target(2))
      case .weightedSum:
        pe_weighted_sum(
          source(0), source(1), source(2), count, constants(Float.self), target(0))
      case .map:
        guard let map = constants(RowMap.self) else { continue }
        var run = pe_pixel_run(
          r: source(0), g: source(1), b: source(2), count: count, x: target(0), y: target(1),
          z: target(2), column: x - map.pointee.firstColumn, row: row.y - step.index)
        map.pointee.function(&run, map.pointee.how)
      case .maximum: pe_maximum(source(0), source(1), source(2), count, target(0))
      case .minimum: pe_minimum(source(0), source(1), source(2), count, target(0))
      case .radialGainCosine, .radialGainSmooth, .radialGainInverse:
        guard let radialGain = constants(RowGain.self) else { continue }
        let first = x - radialGain.pointee.firstColumn
        let square = radialGain.pointee.square(y: row.y - step.index)
        // `law` is the first field of `RowGain`.
        let law = constants(pe_radial_gain.self)
        switch step.operation {
        case .radialGainCosine: pe_gain_cosine(first, count, law, square, target(0))
        case .radialGainInverse: pe_gain_inverse(first, count, law, square, target(0))
        default: pe_gain_smooth(first, count, law, square, target(0))
        }
      case .multiply: pe_multiply(source(0), source(1), count, target(0))
      case .divide: pe_divide(source(0), source(1), count, target(0))
      case .mix: pe_mix(source(0), source(1), count, numbers[0], target(0))
      case .mixAlpha:
        pe_mix_alpha(
          source(0), source(1), source(2), source(3), count, numbers[0], target(0))
      case .mixBy: pe_mix_by(source(0), source(1), source(2), count, target(0))
      case .mixAlphaBy:
        pe_mix_alpha_by(
          source(0), source(1), source(2), source(3), source(4), count, target(0))
      case .blend, .blendAlpha: blend(step, x, count)
      case .grain:
        pe_grain(
          source(0), source(1), source(2), source(3), source(4), source(5),
          step.sources[6] < 0 ? nil : UnsafePointer(source(6)), count, numbers[0], target(0),
          target(1), target(2))
      case .addMasks: pe_add_coverages(source(0), source(1), count, target(0))
      case .subtractMasks: pe_subtract_coverages(source(0), source(1), count, target(0))
      case .fill: target(0).update(repeating: numbers[0], count: count)
      case .flatten: pe_flatten(source(0), source(1), count, numbers[0], target(0))
      case .sharpen:
        pe_sharpen(source(0), source(1), count, numbers[0], numbers[1], target(0))
      case .sharpenLuma:
        pe_sharpen_luma(
          source(0), source(1), source(2), source(3), source(4), source(5), count, numbers[0],
          numbers[1], target(0), target(1), target(2))
      case .blur:
        if !program.isColumnMajor { sumColumns(number, step, row.y..<row.y + 1, x, count) }
        pe_convolve(
          self.gathered(number, row: gathered) + Self.columnsAround(radius: step.radius), count,
          constants(Float.self), step.radius, target(0))
      case .resample:
        // Columns are counted in output samples, not in input samples.
        pe_resample(
          at(step.sources[0], 0), x - step.index, count, constants(pe_resampling.self), target(0))
      case .weighRows:
        guard let inputs = row.inputs, let sums = constants(RowSums.self)?.pointee else { continue }
        let offset = sums.offsets[row.y]
        pe_weigh_rows(
          inputs + (sums.starts[row.y] - row.first), x + step.index * inputWidth, count,
          sums.weights + offset, sums.offsets[row.y + 1] - offset, target(0))
      case .weighBlurredRows:
        guard let rows = row.blurred, let sums = constants(RowSums.self)?.pointee else { continue }
        let y = row.y - sums.firstRow
        let offset = sums.offsets[y]
        pe_weigh_rows(
          rows + (sums.starts[y] - row.firstBlurred), x + step.index * blurredWidth, count,
          sums.weights + offset, sums.offsets[y + 1] - offset, target(0))
      }
    }
  }

  /// Blends an image over another one; with alpha, every fourth plane is the alpha.
  private func blend(_ step: RowInstruction, _ x: Int, _ count: Int) {
    let hasAlpha = step.operation == .blendAlpha
    let planes = hasAlpha ? 4 : 3
    func pointers(_ locations: SIMD8<Int32>, _ first: Int) -> InlineArray<4, UnsafePointer<Float>?>
    {
      InlineArray { $0 < planes ? UnsafePointer(at(locations[first + $0], x)) : nil }
    }
    let targets = InlineArray<4, UnsafeMutablePointer<Float>?> {
      $0 < planes ? at(step.targets[$0], x) : nil
    }
    let (below, above) = (pointers(step.sources, 0), pointers(step.sources, planes))
    below.span.withUnsafeBufferPointer { below in
      above.span.withUnsafeBufferPointer { above in
        targets.span.withUnsafeBufferPointer { targets in
          pe_blend(
            pe_blend_mode(rawValue: Int32(step.index)), below.baseAddress, above.baseAddress, count,
            hasAlpha ? 1 : 0, targets.baseAddress)
        }
      }
    }
  }

  @inline(__always)
  private func at(_ location: Int32, _ x: Int) -> UnsafeMutablePointer<Float> {
    bases[Int(location)] + x * strides[Int(location)]
  }

  private func bytes(
    _ row: RowPosition, _ segment: RowProgram.Segment, _ x: Int, channels: Int
  ) -> UnsafeMutablePointer<UInt8> {
    row.target.assumingMemoryBound(to: UInt8.self) + (x - segment.columns.lowerBound) * channels
  }
}
