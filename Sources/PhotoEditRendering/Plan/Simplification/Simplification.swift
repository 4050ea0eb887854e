// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension [FilterOperation] {
  /// Returns equivalent operations that need less work: without identity steps, with color steps
  /// merged, and with crops and downscaling first.
  ///
  /// Samples are equal up to the rounding of floats. Expects all rotations first.
  ///
  /// - Parameter source: The input of the first operation.
  func simplified(for source: SubgraphResult) -> [FilterOperation] {
    guard let channels = ChannelLayout(rawValue: source.planes) else { return self }
    let size = source.shape.size
    let hoisted = joined(channels: channels, source: size).withCropsFirst(source: size)
    let fades = contains { if case .fade = $0 { true } else { false } }
    guard !channels.hasAlpha, !fades else {
      return hoisted.joined(channels: channels, source: size)
    }
    return hoisted.withLinearStepsReordered(source: size).joined(channels: channels, source: size)
  }

  /// Returns the same operations without identity steps, and with neighboring color steps merged.
  ///
  /// - Parameters:
  ///   - channels: The channels that the decoder delivers.
  ///   - source: The size of the image before the first operation.
  func joined(channels: ChannelLayout, source: PixelSize) -> [FilterOperation] {
    var fusion = ColorFusion(isGray: channels.colorCount == 1, hasAlpha: channels.hasAlpha)
    for operation in withoutIdentityGeometry(source: source) { fusion.add(operation) }
    return fusion.operations
  }

  private func withoutIdentityGeometry(source: PixelSize) -> [FilterOperation] {
    var size = source
    return filter { operation in
      let before = size
      size = operation.outputSize(of: before)
      return !operation.planned.isIdentity(on: before)
    }
  }

  /// Returns the same operations with every crop as early as possible; the remaining samples stay
  /// bit-identical.
  ///
  /// A blur keeps the neighbors it needs, and a second crop after it removes them; a resampling
  /// computes only the requested window.
  ///
  /// - Parameter source: The size of the image before the first operation.
  func withCropsFirst(source: PixelSize) -> [FilterOperation] {
    var result: [FilterOperation] = []
    /// The size of the image before each operation of the result, and after the last.
    var sizes = [source]
    for operation in self {
      if case .crop(let region) = operation {
        result.insert(cropTo: region, sizes: sizes)
        sizes = result.reduce(into: [source]) { $0.append($1.outputSize(of: $0[$0.count - 1])) }
      } else {
        result.append(operation)
        sizes.append(operation.outputSize(of: sizes[sizes.count - 1]))
      }
    }
    return result
  }

  private mutating func insert(cropTo requested: Region, sizes: [PixelSize]) {
    var region = requested
    var index = count
    while region != Region(sizes[index]) {
      guard index > 0,
        let cropped = self[index - 1].planned.cropped(to: region, from: sizes[index - 1])
      else { return insert(.crop(region), at: index) }
      if let rest = cropped.rest { insert(.crop(rest), at: index) }
      index -= 1
      if let step = cropped.step { self[index] = step } else { remove(at: index) }
      region = cropped.region
    }
  }

  /// Returns the same operations with linear steps in the cheapest order.
  ///
  /// Sums of neighbors and sums of channels are interchangeable: shrinking comes before matrices,
  /// and a matrix that keeps one channel of three comes before blurs and resamplings. With alpha,
  /// they are not, because colors are weighted by alpha.
  ///
  /// - Parameter source: The size of the image before the first operation.
  func withLinearStepsReordered(source: PixelSize) -> [FilterOperation] {
    var result: [FilterOperation] = []
    var sizes = [source]
    for operation in self {
      var index = result.count
      switch operation {
      case .matrix(let matrix) where matrix.producesGray:
        // It is moved before a crop only to reach the steps before the crop.
        for position in result.indices.reversed() {
          let passed = result[position]
          if passed.planned.mixesNeighbors { index = position } else if !passed.isCrop { break }
        }
      // Full sizes are compared, so that a crop does not change the order of steps.
      case .resample(let resampling)
      where resampling.size.isSmaller(than: resampling.window?.source ?? sizes[sizes.count - 1]):
        while index > 0, result[index - 1].planned.mayFollow(resampling) { index -= 1 }
      default: break
      }
      result.insert(operation, at: index)
      sizes.append(operation.outputSize(of: sizes[sizes.count - 1]))
    }
    return result
  }

  /// Returns the same operations with all rotations merged into one at the start, or after the
  /// last step that must precede a rotation.
  ///
  /// Rotating is exact, and it is cheapest on the decoder's bytes; the operations before a rotation
  /// are adapted to the rotated image instead.
  ///
  /// - Parameters:
  ///   - first: The orientation of the source, which is applied before anything else.
  ///   - stored: The size of the source as stored.
  func withRotationsFirst(after first: Orientation, stored: PixelSize) -> [FilterOperation] {
    var rotation = first
    var result: [FilterOperation] = []
    /// The operations after the last step that cannot be rotated, and the size of their input.
    var recent: [FilterOperation] = []
    var size = stored
    /// Copies that are not merged yet.
    var depth = 0
    var hasToWait = false
    func rotationFirst() -> [FilterOperation] {
      (rotation == .up ? [] : [.orient(rotation)]) + recent
    }
    for operation in self {
      guard case .orient(let next) = operation else {
        let planned = operation.planned
        recent.append(operation)
        depth += planned.copies
        hasToWait = hasToWait || !planned.canBeRotated
        // A copy is merged with the image derived from it before anything is rotated.
        if hasToWait && depth == 0 {
          hasToWait = false
          result += rotationFirst()
          size = recent.reduce(rotation.applied(to: size)) { $1.outputSize(of: $0) }
          rotation = .up
          recent = []
        }
        continue
      }
      var before = rotation.applied(to: size)
      for index in recent.indices {
        let after = recent[index].outputSize(of: before)
        recent[index] = recent[index].planned.rotated(by: next, from: before)
        before = after
      }
      rotation = rotation.followed(by: next)
    }
    return result + rotationFirst()
  }
}

extension FilterOperation {
  fileprivate var isCrop: Bool {
    if case .crop = self { true } else { false }
  }
}

extension PixelSize {
  fileprivate func isSmaller(than other: PixelSize) -> Bool {
    self != other && width <= other.width && height <= other.height
  }
}
