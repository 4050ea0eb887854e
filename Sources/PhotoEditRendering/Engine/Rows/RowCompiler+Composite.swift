// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

extension RowCompiler {
  /// Merges two images.
  ///
  /// Colors are computed in separate registers and then mixed with the lower image by opacity, mask
  /// and, for a secondary image, its alpha.
  mutating func compile(_ merge: MergeStep) {
    let below = merge.isOfTwoCopies ? colorsBelow : colors
    let above = above(merge)
    withTemporary { compiler, share in
      let by = compiler.share(of: merge, above: above, in: share)
      switch merge.rule {
      case .blend(let mode):
        if merge.isOfTwoCopies {
          compiler.blendMatching(mode, below, above, by, merge.opacity)
        } else {
          compiler.compositeOver(mode, below, above, by)
        }
      case .exchange, .guide: compiler.blendMatching(.normal, below, above, by, merge.opacity)
      case .grain(let amount):
        compiler.addGrain(above.colors, below, by, amount * (by == nil ? merge.opacity : 1))
      case .mask(let rule):
        let target = below.lowerBound
        var mask = above.colors[0]
        let weights = rule.weights(opacity: merge.opacity, isInverted: merge.isInverted)
        if weights != (1, 0) {
          compiler.append(
            RowInstruction(
              .affine, from: [mask], to: [share],
              SIMD4(Float(weights.factor), Float(weights.summand), 0, 0)))
          mask = share
        }
        let sources = [compiler.values[target], mask]
        let operation: RowInstruction.Operation =
          switch rule {
          case .add: .addMasks
          case .multiply: .multiply
          case .subtract: .subtractMasks
          }
        compiler.append(
          RowInstruction(operation, from: sources, to: [compiler.writable(target)]))
      }
    }
    if merge.isOfTwoCopies { values.removeLast(image) }
  }

  /// Returns the locations of the planes of the upper image.
  private mutating func above(_ merge: MergeStep) -> (colors: [Int], alpha: Int?) {
    guard let side = merge.above else {
      return (colorLocations, hasAlpha ? values[values.count - 1] : nil)
    }
    let result = stage.sides[side].image
    let shift = columns.lowerBound
    let planes = (0..<result.planes).map { location(.side(side, plane: $0, shift: shift)) }
    return (
      Array(planes[..<result.colorPlanes]), result.hasAlpha ? planes[planes.count - 1] : nil
    )
  }

  /// Returns the location of the per-pixel weight of the upper image, or nil if the weight is just
  /// the opacity.
  private mutating func share(
    of merge: MergeStep, above: (colors: [Int], alpha: Int?), in share: Int
  ) -> Int? {
    var factors: [Int] = []
    if let mask = merge.mask {
      factors.append(location(.side(mask, plane: 0, shift: columns.lowerBound)))
    }
    if merge.above != nil, merge.rule != .exchange, let alpha = above.alpha {
      factors.append(alpha)
    }
    guard let first = factors.first else {
      // The alpha of a secondary image without alpha is the opacity.
      guard merge.above != nil, case .blend = merge.rule else { return nil }
      append(
        RowInstruction(.fill, to: [share], SIMD4(Float(merge.opacity), 0, 0, 0)))
      return share
    }
    if factors.count == 2 {
      append(RowInstruction(.multiply, from: factors, to: [share]))
    }
    append(
      RowInstruction(
        .affine, from: [factors.count == 2 ? share : first], to: [share],
        SIMD4(Float(merge.opacity), 0, 0, 0)))
    return share
  }

  private func threefold(_ locations: [Int]) -> [Int] {
    locations.count == 3 ? locations : [locations[0], locations[0], locations[0]]
  }

  /// Blends two images of the same kind and mixes the result with the lower one; hidden colors stay
  /// hidden.
  private mutating func blendMatching(
    _ mode: BlendMode, _ below: Range<Int>, _ above: (colors: [Int], alpha: Int?), _ share: Int?,
    _ opacity: Double
  ) {
    let sources = Array(values[below])
    let top = above.colors.count == below.count ? above.colors : threefold(above.colors)
    let alphas =
      hasAlpha ? [values[below.upperBound], above.alpha ?? values[below.upperBound]] : []
    let count = top.count
    withTemporaries(count) { compiler, temporaries in
      var blended = top
      if mode != .normal {
        compiler.append(
          RowInstruction(
            .blend, from: compiler.threefold(sources) + compiler.threefold(top),
            to: compiler.threefold(temporaries), index: mode.index))
        blended = temporaries
      }
      for (number, index) in below.enumerated() {
        let target = compiler.writable(index)
        if alphas.isEmpty {
          compiler.append(
            compiler.mixing(share, opacity, sources[number], blended[number], target))
        } else {
          let planes = [sources[number], alphas[0], blended[number], alphas[1]]
          compiler.append(
            share.map { RowInstruction(.mixAlphaBy, from: planes + [$0], to: [target]) }
              ?? RowInstruction(
                .mixAlpha, from: planes, to: [target], SIMD4(Float(opacity), 0, 0, 0)))
        }
      }
      if !alphas.isEmpty {
        let index = below.upperBound
        let target = compiler.writable(index)
        compiler.append(compiler.mixing(share, opacity, alphas[0], alphas[1], target))
      }
    }
  }

  private func mixing(
    _ share: Int?, _ opacity: Double, _ below: Int, _ above: Int, _ target: Int
  ) -> RowInstruction {
    share.map { RowInstruction(.mixBy, from: [below, above, $0], to: [target]) }
      ?? RowInstruction(
        .mix, from: [below, above], to: [target], SIMD4(Float(opacity), 0, 0, 0))
  }

  /// Composites a secondary image over the image; `share` is its alpha times mask and opacity.
  private mutating func compositeOver(
    _ mode: BlendMode, _ below: Range<Int>, _ above: (colors: [Int], alpha: Int?), _ share: Int?
  ) {
    guard let share else { return }
    let sources = Array(values[below])
    let alpha = hasAlpha ? values[values.count - 1] : nil
    withTemporaries(2) { compiler, temporaries in
      if alpha == nil {
        compiler.append(
          RowInstruction(.fill, to: [temporaries[0]], SIMD4(1, 0, 0, 0)))
      }
      let planes =
        compiler.threefold(sources) + [alpha ?? temporaries[0]] + compiler.threefold(above.colors)
        + [share]
      let targets = compiler.writable(below)
      let alphaTarget =
        alpha == nil ? temporaries[1] : compiler.writable(compiler.values.count - 1)
      compiler.append(
        RowInstruction(
          .blendAlpha, from: planes, to: compiler.threefold(targets) + [alphaTarget],
          index: mode.index))
    }
  }

  private mutating func addGrain(
    _ noise: [Int], _ below: Range<Int>, _ share: Int?, _ amount: Double
  ) {
    let sources = threefold(Array(values[below]))
    let targets = threefold(writable(below))
    append(
      RowInstruction(
        .grain, from: sources + threefold(noise) + (share.map { [$0] } ?? []), to: targets,
        SIMD4(Float(amount), 0, 0, 0)))
  }

  /// Reserves registers while the body runs.
  private mutating func withTemporaries(
    _ count: Int, _ body: (inout RowCompiler, [Int]) -> Void, _ reserved: [Int] = []
  ) {
    guard reserved.count < count else { return body(&self, reserved) }
    withTemporary { compiler, register in
      compiler.withTemporaries(count, body, reserved + [register])
    }
  }
}
