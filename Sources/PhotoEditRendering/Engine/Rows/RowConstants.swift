// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Memory for the coefficients, weights and tables of a program; never moves.
final class RowConstants: KernelMemory {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { block.deallocate() } }

  func store<Element: BitwiseCopyable>(_ elements: [Element]) -> UnsafePointer<Element> {
    let memory = UnsafeMutablePointer<Element>.allocate(capacity: max(1, elements.count))
    memory.initialize(from: elements, count: elements.count)
    blocks.append(UnsafeMutableRawPointer(memory))
    return UnsafePointer(memory)
  }

  /// Returns tables that convert a byte to a float, one for each channel.
  func tables(_ curves: [ToneCurve]) -> UnsafePointer<pe_sample_table> {
    let memory = UnsafeMutablePointer<pe_sample_table>.allocate(capacity: max(1, curves.count))
    blocks.append(UnsafeMutableRawPointer(memory))
    for (table, curve) in curves.enumerated() {
      memory[table] = pe_sample_table()
      withUnsafeMutableBytes(of: &memory[table].values) { bytes in
        let values = bytes.assumingMemoryBound(to: Float.self)
        for level in 0..<256 { values[level] = Float(curve(Double(level) / 255)) }
      }
      pe_prepare_table(memory + table)
    }
    return UnsafePointer(memory)
  }

  /// Returns weights with an equal number of taps for every output, as the kernel expects them.
  func resampling(_ weights: ResamplingWeights) -> UnsafePointer<pe_resampling> {
    let most = weights.widestSum
    let taps = most == 1 ? 1 : (most + 7) / 8 * 8
    var padded = [Float](repeating: 0, count: weights.starts.count * taps)
    for i in weights.starts.indices {
      for (k, weight) in weights.weights[weights.offsets[i]..<weights.offsets[i + 1]].enumerated() {
        padded[i * taps + k] = weight
      }
    }
    let starts = store(weights.starts.map { Int32($0) })
    return store([pe_resampling(starts: starts, weights: store(padded), taps: taps)])
  }

  /// Returns the weights for the rows starting at the given one.
  func sums(_ weights: ResamplingWeights, firstRow: Int) -> UnsafeRawPointer {
    UnsafeRawPointer(
      store([
        RowSums(
          firstRow: firstRow, starts: store(weights.starts), offsets: store(weights.offsets),
          weights: store(weights.weights))
      ]))
  }

  func table(_ curve: LookupCurve) -> UnsafePointer<pe_lookup_table> {
    store([
      pe_lookup_table(
        values: store(curve.values), size: curve.values.count, low: curve.lower,
        scale: curve.scale)
    ])
  }

  func table(_ curve: SampledCurve) -> UnsafePointer<pe_lookup_table> {
    let count = curve.values.count
    return store([
      pe_lookup_table(
        values: store(curve.values), size: count, low: 0, scale: Float(count - 1))
    ])
  }

  func curve(_ curve: ParametricCurve) -> UnsafePointer<pe_two_piece_curve> {
    let value = Float(curve(0))
    return store([
      pe_two_piece_curve(
        limit: Float(curve.d), slope: Float(curve.c), offset: Float(curve.f),
        inner_scale: Float(curve.a), inner_offset: Float(curve.b), exponent: Float(curve.g),
        outer_scale: 1, outer_offset: Float(curve.e), zero: 0, value: value)
    ])
  }

  func inverse(of curve: ParametricCurve) -> UnsafePointer<pe_two_piece_curve> {
    let zero = Float(curve(0))
    let slope = curve.c > 0 ? 1 / curve.c : 0
    return store([
      pe_two_piece_curve(
        limit: curve.d > 0 ? Float(curve(curve.d)) : zero, slope: Float(slope),
        offset: Float(curve.c > 0 ? -curve.f * slope : curve.d), inner_scale: 1,
        inner_offset: Float(-curve.e), exponent: Float(1 / curve.g),
        outer_scale: Float(1 / curve.a), outer_offset: Float(-curve.b / curve.a), zero: zero,
        value: 0)
    ])
  }

  func curve(_ spline: MonotoneSpline) -> UnsafePointer<pe_spline_curve> {
    let pieces = spline.cubics.map { cubic -> pe_cubic in
      let start = Float(cubic.start)
      // Points closer together than float precision: the piece is never used, but must not cause
      // a division by zero.
      let length = cubic.end - cubic.start
      let inverse = Float(cubic.end) > start ? Float(1 / length) : 0
      let c = cubic.coefficients.map { Float($0) }
      return pe_cubic(
        start: start, start_rest: Float(cubic.start - Double(start)), inverse: inverse,
        c: (c[0], c[1], c[2], c[3]))
    }
    let (first, last) = (spline.firstPoint, spline.lastPoint)
    return store([
      pe_spline_curve(
        pieces: store(pieces), count: pieces.count, low: Float(first.x), high: Float(last.x),
        below: Float(first.y), above: Float(last.y))
    ])
  }

  func curve(_ parabolas: PiecewiseQuadratic) -> UnsafePointer<pe_parabola_curve> {
    let pieces = parabolas.pieces.map { piece -> pe_parabola in
      let start = Float(piece.start)
      return pe_parabola(
        start: start, start_rest: Float(piece.start - Double(start)), y: Float(piece.y),
        slope: Float(piece.slope), bend: Float(piece.bend),
        is_horizontal: piece.hasHorizontalAxis ? 1 : 0)
    }
    return store([pe_parabola_curve(pieces: store(pieces), count: pieces.count)])
  }
}

extension ResamplingWeights {
  /// The largest number of source samples that any output sample is computed from.
  var widestSum: Int { zip(offsets.dropFirst(), offsets).map { $0 - $1 }.max() ?? 1 }
}
