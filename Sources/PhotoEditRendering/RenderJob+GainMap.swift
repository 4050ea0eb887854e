// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage

extension RenderJob {
  /// Returns the job with the image's gain map rendered along with it, if the graph only moves
  /// pixels.
  ///
  /// A gain map states for each point how much brighter it is on a display with a higher dynamic
  /// range than the image. It stays valid if pixels move, and becomes meaningless once their colors
  /// change.
  func withGainMap() throws(RenderError) -> RenderJob {
    guard let source = image.gainMap(limits: options.limits), isChain,
      !options.strip.contains(.all),
      let moves = operations.moving(source.header.size, along: image.header.size)
    else { return self }
    var options = options
    options.quality = .preserve
    options.modificationDate = nil
    options.isLenient = false
    options.staged = nil
    var job = self
    var own = RenderJob(self, gainMap: source, moves: moves, options: options)
    own.role = .isGainMap
    do throws(RenderError) {
      let coefficients = try own.renderCoefficients()
      let rendering = if let coefficients { coefficients } else { try own.renderPixels() }
      job.gainMap = rendering.jpeg
      job.role = .carriesGainMap(byteCount: rendering.jpeg.count)
    } catch {
      // The image itself is complete anyway; the loss reported by its metadata remains.
      if case .cancelled = error { throw RenderError.cancelled }
    }
    return job
  }

  /// Creates the job of rendering a gain map.
  private init(
    _ job: RenderJob, gainMap: ImageSource, moves: [FilterOperation], options: RenderOptions
  ) {
    self = job
    image = gainMap
    treatment = .none
    self.options = options
    parts[parts.count - 1].operations = moves
    outputSize = moves.reduce(gainMap.header.size) { $1.outputSize(of: $0) }
  }
}

extension [FilterOperation] {
  /// Returns the same geometric operations for an image with the same content at another size; nil
  /// if colors change too.
  ///
  /// If pixels are resampled to another size, the other image keeps its own.
  func moving(_ own: PixelSize, along size: PixelSize) -> [FilterOperation]? {
    var (own, size) = (own, size)
    var moves: [FilterOperation] = []
    for operation in self {
      var move: FilterOperation?
      switch operation {
      case .orient: move = operation
      case .crop(let region): move = .crop(region.scaled(from: size, to: own))
      case .area(.warp(let warp)) where warp.surround == nil:
        move = .area(.warp(warp.scaled(from: size, to: own)))
      case .resample: break
      default: return nil
      }
      size = operation.outputSize(of: size)
      if let move {
        own = move.outputSize(of: own)
        moves.append(move)
      }
    }
    return moves
  }
}

extension Region {
  /// Returns the part of another image with the same content as this one; at least one pixel.
  fileprivate func scaled(from size: PixelSize, to other: PixelSize) -> Region {
    func span(_ start: Int, _ length: Int, _ side: Int, _ otherSide: Int) -> (Int, Int) {
      func mapped(_ position: Int) -> Int {
        Int((Double(position) * Double(otherSide) / Double(side)).rounded())
      }
      let first = Swift.min(mapped(start), otherSide - 1)
      return (first, Swift.max(1, Swift.min(mapped(start + length), otherSide) - first))
    }
    let (x, width) = span(x, width, size.width, other.width)
    let (y, height) = span(y, height, size.height, other.height)
    return Region(x: x, y: y, width: width, height: height)
  }
}

extension Warp {
  /// Returns the warp of another image with the same content at another size.
  fileprivate func scaled(from source: PixelSize, to other: PixelSize) -> Warp {
    let (sx, sy) = (
      Double(other.width) / Double(source.width), Double(other.height) / Double(source.height)
    )
    let result = PixelSize(
      width: Swift.max(1, Int((Double(size.width) * sx).rounded())),
      height: Swift.max(1, Int((Double(size.height) * sy).rounded())))
    let (rx, ry) = (
      Double(size.width) / Double(result.width), Double(size.height) / Double(result.height)
    )
    // From the other result to this one, along the warp, and from this source to the other.
    var m = projection.m
    for row in 0..<3 {
      let scale = [sx, sy, 1][row]
      m[3 * row] *= scale * rx
      m[3 * row + 1] *= scale * ry
      m[3 * row + 2] *= scale
    }
    var warp = Warp(Projection(m), size: result, kernel: kernel, surround: nil)
    warp.radial = radial.map { radial in
      var radial = radial
      radial.center *= SIMD2(sx, sy)
      radial.unit *= (sx * sy).squareRoot()
      return radial
    }
    return warp
  }
}
