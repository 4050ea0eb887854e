// SPDX-License-Identifier: Apache-2.0
import Filters
import Pixels

extension [FilterOperation] {
  /// The same recipe with every cut as early as it may be; no sample that is left changes a bit.
  ///
  /// A blur keeps the neighbours it needs, and a second cut behind it takes them away; a resampling
  /// makes only the window that is wanted.
  ///
  /// - Parameter source: Size of the picture before the first operation.
  func withCropsFirst(source: PixelSize) -> [FilterOperation] {
    var result: [FilterOperation] = []
    /// Size of the picture before each operation of the result, and behind the last.
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

  private mutating func insert(cropTo wanted: Region, sizes: [PixelSize]) {
    var region = wanted
    var index = count
    while region != Region(sizes[index]) {
      guard index > 0 else { return insert(.crop(region), at: 0) }
      let before = sizes[index - 1]
      switch self[index - 1] {
      case .curves, .matrix, .extremum, .save, .mix, .sharpen, .fade: break
      case .merge(let merge):
        // The other picture is not cut.
        if !merge.parts.isEmpty { return insert(.crop(region), at: index) }
      case .layer, .adapt: return insert(.crop(region), at: index)
      case .map(let map): self[index - 1] = .map(map.cut(to: region))
      case .shade(let shade): self[index - 1] = .shade(shade.cut(to: region))
      case .crop(let outer):
        remove(at: index - 1)
        region = Region(
          x: outer.x + region.x, y: outer.y + region.y, width: region.width, height: region.height)
      case .resample(let resampling):
        let cut = resampling.cut(to: region, source: before)
        self[index - 1] = .resample(cut)
        guard let from = cut.window?.from else { return }
        // The picture may be a part of the source already, cut for an earlier window.
        let offset = resampling.window?.from ?? Region(before)
        region = Region(
          x: from.x - offset.x, y: from.y - offset.y, width: from.width, height: from.height)
      // The grid lies about the middle of the picture, and would lie elsewhere in a smaller one;
      // columns and rows that nobody wants are left out where it leads back to pixels.
      case .blur(let kernel) where CoarseGaussian(kernel) != nil:
        return insert(.crop(region), at: index)
      case .blur(let kernel):
        region = insert(cropTo: region, at: index, leaving: kernel.radius, of: before)
      case .area(let area):
        guard let reach = area.reach else { return insert(.crop(region), at: index) }
        region = insert(cropTo: region, at: index, leaving: reach, of: before)
      case .orient: return insert(.crop(region), at: index)
      }
      index -= 1
    }
  }

  /// Leaves a cut behind a step that needs neighbours; gives the region with these.
  private mutating func insert(
    cropTo region: Region, at index: Int, leaving margin: Int, of size: PixelSize
  ) -> Region {
    let grown = region.grown(by: margin, within: size)
    insert(
      .crop(
        Region(
          x: region.x - grown.x, y: region.y - grown.y, width: region.width,
          height: region.height)), at: index)
    return grown
  }
}

extension Region {
  /// The region with so many pixels more on each side, as far as the picture goes.
  fileprivate func grown(by margin: Int, within size: PixelSize) -> Region {
    let (left, top) = (max(0, x - margin), max(0, y - margin))
    return Region(
      x: left, y: top, width: min(size.width, maxX + margin) - left,
      height: min(size.height, maxY + margin) - top)
  }
}
