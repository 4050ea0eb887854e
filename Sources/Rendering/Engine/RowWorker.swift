// SPDX-License-Identifier: Apache-2.0
import CKernels
import Filters
import Glibc
import Pixels

/// Runs the row steps of one stage; owns the scratch memory of one task at a time.
///
/// Scratch rows are allocated once; steps swap pointers instead of copying where they can.
final class RowWorker {
  private let stage: Stage
  private let hasPackedInput: Bool
  private let inputPlanes: Int
  private let tables: [[Float]]
  private let steps: ArraySlice<RowStep>
  private let byteTables: [UInt8]?
  private let capacity: Int
  private let padding: Int

  private var rows: [UnsafeMutablePointer<Float>]
  /// Rows in use, bottom picture first; the last `picture` of them are worked on.
  private var planes: [UnsafeMutablePointer<Float>] = []
  private var free: [UnsafeMutablePointer<Float>] = []
  private var picture = 0
  private var hasAlpha: Bool
  private let startsWithAlpha: Bool
  private let startPicture: Int
  private var width = 0

  init(_ stage: Stage) {
    self.stage = stage
    startsWithAlpha = stage.hasAlpha
    hasAlpha = stage.hasAlpha
    startPicture = stage.picturePlanes
    var steps = stage.steps[...]
    switch stage.input.format {
    case .packed(let layout):
      hasPackedInput = true
      inputPlanes = layout.channels.count
      tables = Self.loadTables(layout, steps: &steps)
    case .planes(let count):
      hasPackedInput = false
      inputPlanes = count
      tables = []
    }
    self.steps = steps
    byteTables = Self.byteTables(stage, tables: tables, steps: steps)
    capacity = Self.widestRow(of: stage)
    padding = Self.widestKernel(of: stage)
    let saves = stage.steps.count { $0 == .save }
    let count = inputPlanes + (saves + inputPlanes) * (stage.picturePlanes + 2) + 2 + 3
    rows = (0..<count).map { [capacity, padding] _ in
      .allocate(capacity: capacity + 2 * padding)
    }
  }

  deinit { for row in rows { row.deallocate() } }

  // MARK: What a stage is worth

  /// Tables that turn bytes into floats, with the first curves already in them.
  private static func loadTables(
    _ layout: RowLayout, steps: inout ArraySlice<RowStep>
  ) -> [[Float]] {
    guard layout.bytesPerSample == 1 else { return [] }
    var curves = [ToneCurve](repeating: ToneCurve([]), count: layout.channels.colorCount)
    if case .curves(let first)? = steps.first {
      curves = first
      steps = steps.dropFirst()
    }
    if layout.channels.hasAlpha { curves.append(ToneCurve([])) }
    return curves.map { curve in (0..<256).map { Float(curve(Double($0) / 255)) } }
  }

  /// Tables from bytes to bytes, when nothing but curves lies between input and output.
  private static func byteTables(
    _ stage: Stage, tables: [[Float]], steps: ArraySlice<RowStep>
  ) -> [UInt8]? {
    guard stage.gathering == .rows, !tables.isEmpty,
      case .packed(let input) = stage.input.format, !input.channels.hasAlpha,
      case .packed(let output) = stage.output.format, input == output,
      steps.allSatisfy({ if case .cropColumns = $0 { true } else { false } })
    else { return nil }
    return tables.flatMap { table in
      var bytes = [UInt8](repeating: 0, count: 256)
      pe_store_u8(table, 256, 1, 0, &bytes)
      return bytes
    }
  }

  private static func widestRow(of stage: Stage) -> Int {
    var widest = max(stage.input.size.width, stage.output.size.width)
    for case .resampleRow(let weights) in stage.steps { widest = max(widest, weights.starts.count) }
    return widest
  }

  private static func widestKernel(of stage: Stage) -> Int {
    var radius = 0
    for case .blurRow(let kernel) in stage.steps { radius = max(radius, kernel.radius) }
    return radius
  }

  // MARK: Rows

  /// Makes one row of the output.
  func run(row y: Int, from window: StripWindow, into target: UnsafeMutableRawPointer) {
    if let byteTables { return runBytes(row: y, from: window, tables: byteTables, into: target) }
    free = rows
    planes = []
    picture = startPicture
    hasAlpha = startsWithAlpha
    width = stage.input.size.width
    gather(row: y + stage.firstRow, from: window)
    for step in steps { run(step, row: y + stage.firstRow) }
    store(into: target)
  }

  private func runBytes(
    row y: Int, from window: StripWindow, tables: [UInt8], into target: UnsafeMutableRawPointer
  ) {
    let channels = inputPlanes
    var first = 0
    for case .cropColumns(let columns) in steps { first += columns.lowerBound }
    let source = window.row(y + stage.firstRow) + first * channels
    pe_tables_u8(
      source.assumingMemoryBound(to: UInt8.self), stage.output.size.width, channels, tables,
      target.assumingMemoryBound(to: UInt8.self))
  }

  /// A scratch row whose samples may be preceded and followed by `padding` more.
  private func take() -> UnsafeMutablePointer<Float> { free.removeLast() + padding }
  private func giveBack(_ row: UnsafeMutablePointer<Float>) { free.append(row - padding) }

  private func gather(row y: Int, from window: StripWindow) {
    planes = (0..<inputPlanes).map { _ in take() }
    switch stage.gathering {
    case .turn: preconditionFailure("turns have no row steps")
    case .rows:
      if hasPackedInput { return unpack(window.row(y)) }
      for (index, plane) in planes.enumerated() {
        plane.update(from: input(window, y, index), count: width)
      }
    case .blur(let kernel, let fromPlane):
      for (index, plane) in planes.enumerated() {
        if index < fromPlane {
          plane.update(from: input(window, y, index), count: width)
        } else {
          blur(kernel, row: y, plane: index, window, into: plane)
        }
      }
    case .resample(let weights):
      for (index, plane) in planes.enumerated() {
        resample(weights, row: y, plane: index, window, into: plane)
      }
    }
  }

  private func input(_ window: StripWindow, _ y: Int, _ plane: Int) -> UnsafePointer<Float> {
    window.row(y).assumingMemoryBound(to: Float.self) + plane * width
  }

  private func blur(
    _ kernel: BlurKernel, row y: Int, plane: Int, _ window: StripWindow,
    into out: UnsafeMutablePointer<Float>
  ) {
    let last = stage.input.size.height - 1
    pe_scale(input(window, y, plane), width, Float(kernel.weights[0]), out)
    for distance in 1..<kernel.weights.count {
      pe_accumulate_pair(
        input(window, max(0, y - distance), plane), input(window, min(last, y + distance), plane),
        width, Float(kernel.weights[distance]), out)
    }
  }

  private func resample(
    _ weights: ResamplingWeights, row y: Int, plane: Int, _ window: StripWindow,
    into out: UnsafeMutablePointer<Float>
  ) {
    let first = weights.offsets[y]
    for (index, source) in weights.sources(of: y).enumerated() {
      let weight = weights.weights[first + index]
      if index == 0 {
        pe_scale(input(window, source, plane), width, weight, out)
      } else {
        pe_accumulate(input(window, source, plane), width, weight, out)
      }
    }
  }

  private func unpack(_ source: UnsafeRawPointer) {
    for (channel, plane) in planes.enumerated() {
      if tables.isEmpty {
        pe_load_u16(
          source.assumingMemoryBound(to: UInt16.self), width, inputPlanes, channel, plane)
      } else {
        pe_load_u8(
          source.assumingMemoryBound(to: UInt8.self), width, inputPlanes, channel,
          tables[channel], plane)
      }
    }
  }

  private func store(into target: UnsafeMutableRawPointer) {
    switch stage.output.format {
    case .packed:
      let bytes = target.assumingMemoryBound(to: UInt8.self)
      for (channel, plane) in planes.enumerated() {
        pe_store_u8(plane, width, planes.count, channel, bytes)
      }
    case .planes:
      let floats = target.assumingMemoryBound(to: Float.self)
      for (index, plane) in planes.enumerated() {
        (floats + index * width).update(from: plane, count: width)
      }
    }
  }

  // MARK: Steps

  /// Planes of the picture on top, without alpha.
  private var colors: ArraySlice<UnsafeMutablePointer<Float>> {
    planes.suffix(picture).prefix(picture - (hasAlpha ? 1 : 0))
  }

  private func run(_ step: RowStep, row y: Int) {
    switch step {
    case .curves(let curves):
      for (plane, curve) in zip(colors, curves) { run(curve, on: plane) }
    case .matrix(let matrix):
      let c = Array(colors)
      pe_matrix(c[0], c[1], c[2], width, matrix.floats)
    case .weightedSum(let weights, let bias):
      let c = Array(colors)
      pe_weighted_sum(c[0], c[1], c[2], width, (weights + [bias]).map { Float($0) }, c[0])
      dropColors(2)
    case .extremum(let extremum, let givesOnePlane): run(extremum, givesOnePlane: givesOnePlane)
    case .expandGray: expandGray()
    case .shade(let shade, let firstRow): run(shade, row: y - firstRow)
    case .cropColumns(let columns): crop(columns)
    case .blurRow(let kernel): replaceTop { blurRow(kernel, $0, into: $1) }
    case .resampleRow(let weights):
      replaceTop { resampleRow(weights, $0, into: $1) }
      width = weights.starts.count
    case .save:
      for plane in planes.suffix(picture) {
        let copy = take()
        copy.update(from: plane, count: width)
        planes.append(copy)
      }
    case .sharpen(let sharpening): sharpen(sharpening)
    case .mix(let opacity): mix(Float(opacity))
    case .premultiply:
      if let alpha = planes.last { for plane in colors { pe_multiply(plane, alpha, width) } }
    case .unpremultiply:
      if let alpha = planes.last { for plane in colors { pe_divide(plane, alpha, width) } }
    case .flatten(let background): flatten(background)
    }
  }

  private func run(_ curve: ToneCurve, on row: UnsafeMutablePointer<Float>) {
    for step in curve.steps {
      switch step {
      case .affine(let scale, let offset): pe_affine(row, width, Float(scale), Float(offset))
      case .power(let exponent): pe_power(row, width, Float(exponent))
      case .clamp(let range):
        pe_clamp(row, width, Float(range.lowerBound), Float(range.upperBound))
      case .decode: pe_srgb_decode(row, width)
      case .encode: pe_srgb_encode(row, width)
      case .spline(let spline):
        for i in 0..<width { row[i] = Float(spline(Double(row[i]))) }
      }
    }
  }

  private func run(_ extremum: ChannelExtremum, givesOnePlane: Bool) {
    let c = Array(colors)
    switch extremum {
    case .maximum: pe_maximum(c[0], c[1], c[2], width)
    case .minimum: pe_minimum(c[0], c[1], c[2], width)
    }
    if givesOnePlane {
      dropColors(2)
    } else {
      for plane in c.dropFirst() { plane.update(from: c[0], count: width) }
    }
  }

  private func run(_ shade: Shade, row y: Int) {
    let factors = take()
    for x in 0..<width { factors[x] = Float(shade.factor(x: x, y: y)) }
    for plane in colors { pe_multiply(plane, factors, width) }
    giveBack(factors)
  }

  private func crop(_ columns: Range<Int>) {
    for plane in planes where columns.lowerBound > 0 {
      plane.update(from: plane + columns.lowerBound, count: columns.count)
    }
    width = columns.count
  }

  private func sharpen(_ sharpening: Sharpening) {
    let (below, top) = split()
    let (amount, threshold) = (Float(sharpening.amount), Float(sharpening.threshold))
    let count = below.count - (hasAlpha ? 1 : 0)
    if sharpening.isLumaOnly && count == 3 {
      pe_sharpen_luma(
        below[0], below[1], below[2], top[0], top[1], top[2], width, amount, threshold)
    } else {
      for i in 0..<count { pe_sharpen(below[i], top[i], width, amount, threshold) }
    }
    dropTop()
  }

  private func mix(_ opacity: Float) {
    var (below, top) = split()
    if hasAlpha, let alpha = below.popLast(), let otherAlpha = top.popLast() {
      for (plane, other) in zip(below, top) {
        pe_mix_alpha(plane, alpha, other, otherAlpha, width, opacity)
      }
      pe_mix(alpha, otherAlpha, width, opacity)
    } else {
      for (plane, other) in zip(below, top) { pe_mix(plane, other, width, opacity) }
    }
    dropTop()
  }

  private func flatten(_ background: Background) {
    let values = [background.red, background.green, background.blue].map { Float($0) / 255 }
    if let alpha = planes.last {
      for (plane, value) in zip(colors, values) { pe_flatten(plane, alpha, width, value) }
      giveBack(alpha)
      planes.removeLast()
    }
    picture -= 1
    hasAlpha = false
  }

  private func expandGray() {
    var expanded: [UnsafeMutablePointer<Float>] = []
    for start in stride(from: 0, to: planes.count, by: picture) {
      let gray = planes[start]
      expanded.append(gray)
      for _ in 0..<2 {
        let copy = take()
        copy.update(from: gray, count: width)
        expanded.append(copy)
      }
      if hasAlpha { expanded.append(planes[start + 1]) }
    }
    planes = expanded
    picture += 2
  }

  private func dropColors(_ count: Int) {
    let alpha = hasAlpha ? planes.removeLast() : nil
    for _ in 0..<count { giveBack(planes.removeLast()) }
    if let alpha { planes.append(alpha) }
    picture -= count
  }

  private func split() -> (
    below: [UnsafeMutablePointer<Float>], top: [UnsafeMutablePointer<Float>]
  ) {
    (Array(planes.dropLast(picture).suffix(picture)), Array(planes.suffix(picture)))
  }

  private func dropTop() {
    for _ in 0..<picture { giveBack(planes.removeLast()) }
  }

  private func replaceTop(
    _ body: (UnsafeMutablePointer<Float>, UnsafeMutablePointer<Float>) -> Void
  ) {
    for index in (planes.count - picture)..<planes.count {
      let out = take()
      body(planes[index], out)
      giveBack(planes[index])
      planes[index] = out
    }
  }

  private func blurRow(
    _ kernel: BlurKernel, _ row: UnsafeMutablePointer<Float>,
    into out: UnsafeMutablePointer<Float>
  ) {
    let radius = kernel.radius
    (row - radius).update(repeating: row[0], count: radius)
    (row + width).update(repeating: row[width - 1], count: radius)
    pe_convolve(row - radius, width, kernel.weights.map { Float($0) }, radius, out)
  }

  private func resampleRow(
    _ weights: ResamplingWeights, _ row: UnsafeMutablePointer<Float>,
    into out: UnsafeMutablePointer<Float>
  ) {
    pe_resample(
      row, weights.starts, weights.offsets, weights.weights, weights.starts.count, out)
  }
}

extension ColorTransform {
  /// Three rows of three coefficients and a bias, as the kernel takes them.
  fileprivate var floats: [Float] {
    (0..<3).flatMap { i in (rows[i] + [bias[i]]).map { Float($0) } }
  }
}
