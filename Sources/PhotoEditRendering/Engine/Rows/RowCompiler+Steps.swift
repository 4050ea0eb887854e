// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

extension RowCompiler {
  mutating func compile(_ step: RowStep) {
    switch step {
    case .curves(let curves):
      for (index, curve) in zip(colors, curves) { compile(curve, on: index) }
    case .matrix(let matrix):
      let sources = colorLocations
      let coefficients = (0..<3).flatMap { matrix.rows[$0] + [matrix.bias[$0]] }
      append(
        RowInstruction(
          .matrix, from: sources, to: writable(colors), constants: store(coefficients)))
    case .weightedSum(let weights, let bias):
      let sources = colorLocations
      dropColors(2)
      let target = writable(colors.lowerBound)
      append(
        RowInstruction(
          .weightedSum, from: sources, to: [target], constants: store(weights + [bias])))
    case .extremum(let extremum, let producesOnePlane):
      compile(extremum, producesOnePlane: producesOnePlane)
    case .expandGray: expandGray()
    case .radialGain(let radialGain, let firstRow): compile(radialGain, firstRow: firstRow)
    case .map(let map, let firstRow): compile(map, firstRow: firstRow)
    case .cropColumns(let requested): crop(requested)
    case .resampleRow(let weights):
      beginSegment()
      let table = UnsafeRawPointer(constants.resampling(weights))
      setWidth(weights.starts.count)
      replaceTop { RowInstruction(.resample, constants: table) }
    case .enlargeBlurred(let weights): enlargeBlurred(weights)
    case .keepTop: values = Array(values.suffix(image))
    case .save: values += values.suffix(image)
    case .sharpen(let sharpening): compile(sharpening)
    case .mix(let opacity): mix(Float(opacity))
    case .merge(let merge): compile(merge)
    case .addAlpha: addAlpha()
    case .fade(let share):
      let index = values.count - 1
      let source = values[index]
      append(
        RowInstruction(
          .affine, from: [source], to: [writable(index)], SIMD4(Float(share), 0, 0, 0)))
    case .dropAlpha:
      values = stride(from: 0, to: values.count, by: image).flatMap {
        Array(values[$0..<$0 + image - 1])
      }
      image -= 1
      hasAlpha = false
    case .premultiply: scaleByAlpha(.multiply)
    case .unpremultiply: scaleByAlpha(.divide)
    case .flatten(let background): flatten(background)
    }
  }

  var colorLocations: [Int] { Array(values[colors]) }

  mutating func writable(_ indices: Range<Int>) -> [Int] {
    var targets: [Int] = []
    for index in indices { targets.append(writable(index)) }
    return targets
  }

  private func store(_ numbers: [Double]) -> UnsafeRawPointer {
    UnsafeRawPointer(constants.store(numbers.map { Float($0) }))
  }

  private mutating func compile(_ extremum: ChannelExtremum, producesOnePlane: Bool) {
    let sources = colorLocations
    if producesOnePlane { dropColors(2) }
    let target = writable(colors.lowerBound)
    for index in colors { values[index] = target }
    append(
      RowInstruction(
        extremum == .maximum ? .maximum : .minimum, from: sources, to: [target]))
  }

  private mutating func compile(_ radialGain: RadialGain, firstRow: Int) {
    let rows = RowGain(radialGain, firstColumn: columns.lowerBound)
    let operation: RowInstruction.Operation =
      switch radialGain.model {
      case .cosine: .radialGainCosine
      case .smooth: .radialGainSmooth
      case .inverse: .radialGainInverse
      }
    let constant = UnsafeRawPointer(constants.store([rows]))
    withTemporary { compiler, factors in
      compiler.append(
        RowInstruction(operation, to: [factors], index: firstRow, constants: constant))
      if radialGain.keepsWhite { compiler.keepWhite(factors) }
      for index in compiler.colors {
        let source = compiler.values[index]
        let target = compiler.writable(index)
        compiler.append(RowInstruction(.multiply, from: [source, factors], to: [target]))
      }
    }
  }

  /// Reduces factors above 1 so that no color passes white: f / (1 + m·(f − 1)), m the largest
  /// channel.
  private mutating func keepWhite(_ factors: Int) {
    withTemporary { compiler, largest in
      let sources = compiler.colorLocations
      let most = sources.count == 3 ? largest : sources[0]
      if sources.count == 3 {
        compiler.append(RowInstruction(.maximum, from: sources, to: [largest]))
      }
      compiler.withTemporary { compiler, shares in
        let steps: [RowInstruction] = [
          RowInstruction(.affine, from: [factors], to: [shares], SIMD4(1, -1, 0, 0)),
          RowInstruction(.multiply, from: [shares, most], to: [shares]),
          RowInstruction(.affine, from: [shares], to: [shares], SIMD4(1, 1, 0, 0)),
          RowInstruction(.divide, from: [factors, shares], to: [factors]),
        ]
        for step in steps { compiler.append(step) }
      }
    }
  }

  /// In a gray image, three channels are the same plane.
  private mutating func compile(_ map: PixelMap, firstRow: Int) {
    let sources = colorLocations
    let targets = writable(colors)
    let constant = UnsafeRawPointer(
      constants.store([RowMap(map, firstColumn: columns.lowerBound, constants)]))
    append(
      RowInstruction(
        .map, from: sources.count == 3 ? sources : Array(repeating: sources[0], count: 3),
        to: targets.count == 3 ? targets : Array(repeating: targets[0], count: 3), index: firstRow,
        constants: constant))
  }

  /// The planes of the image below the top one, without alpha, as indices of `values`.
  var colorsBelow: Range<Int> {
    colors.lowerBound - image..<colors.upperBound - image
  }

  // The top image stays in `values` until nothing reads it anymore: its registers are not free.

  private mutating func compile(_ sharpening: Sharpening) {
    let numbers = SIMD4(Float(sharpening.amount), Float(sharpening.threshold), 0, 0)
    if sharpening.isLumaOnly && colors.count == 3 {
      let sources = Array(values[colorsBelow] + values[colors])
      let targets = writable(colorsBelow)
      append(RowInstruction(.sharpenLuma, from: sources, to: targets, numbers))
    } else {
      for index in colorsBelow {
        let sources = [values[index], values[index + image]]
        append(RowInstruction(.sharpen, from: sources, to: [writable(index)], numbers))
      }
    }
    values.removeLast(image)
  }

  private mutating func mix(_ share: Float) {
    let numbers = SIMD4(share, 0, 0, 0)
    let alpha = values.count - image - 1
    for index in colorsBelow {
      let (source, other) = (values[index], values[index + image])
      if hasAlpha {
        let sources = [source, values[alpha], other, values[alpha + image]]
        append(RowInstruction(.mixAlpha, from: sources, to: [writable(index)], numbers))
      } else {
        append(RowInstruction(.mix, from: [source, other], to: [writable(index)], numbers))
      }
    }
    if hasAlpha {
      let sources = [values[alpha], values[alpha + image]]
      append(RowInstruction(.mix, from: sources, to: [writable(alpha)], numbers))
    }
    values.removeLast(image)
  }

  private mutating func scaleByAlpha(_ operation: RowInstruction.Operation) {
    guard let alpha = values.last else { return }
    for index in colors {
      let source = values[index]
      append(RowInstruction(operation, from: [source, alpha], to: [writable(index)]))
    }
  }

  private mutating func flatten(_ background: SIMD3<Double>) {
    guard hasAlpha, let alpha = values.last else { return }
    for (index, level) in zip(colors, [background.x, background.y, background.z]) {
      let source = values[index]
      append(
        RowInstruction(
          .flatten, from: [source, alpha], to: [writable(index)],
          SIMD4(Float(level), 0, 0, 0)))
    }
    values.removeLast()
    image -= 1
    hasAlpha = false
  }

  private mutating func expandGray() {
    values = stride(from: 0, to: values.count, by: image).flatMap { start -> [Int] in
      let gray = values[start]
      return [gray, gray, gray] + (hasAlpha ? [values[start + 1]] : [])
    }
    image += 2
  }

  private mutating func addAlpha() {
    // One plane serves every image of the stack until it is changed.
    let opaque = freeRegister()
    append(RowInstruction(.fill, to: [opaque], SIMD4(1, 0, 0, 0)))
    values = stride(from: 0, to: values.count, by: image).flatMap {
      Array(values[$0..<$0 + image]) + [opaque]
    }
    image += 1
    hasAlpha = true
  }

  private mutating func dropColors(_ count: Int) {
    values.removeSubrange(colors.suffix(count))
    image -= count
  }

  /// Appends one instruction for each plane on top, from its row to a register.
  private mutating func replaceTop(_ make: () -> RowInstruction) {
    for index in values.count - image..<values.count {
      var instruction = make()
      instruction.sources[0] = Int32(values[index])
      instruction.targets[0] = Int32(writable(index))
      append(instruction)
    }
  }
}
