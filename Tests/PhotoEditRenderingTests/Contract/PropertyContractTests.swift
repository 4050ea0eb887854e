// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditTestSupport
import Testing

@Suite("Properties of every filter")
struct PropertyContractTests {
  /// Filters with an `amount` that has an identity value.
  private static let withAmount = CatalogCase.all.filter { entry in
    entry.description.parameters.contains { $0.name == "amount" && $0.identity != nil }
  }

  /// The further `amount` is from its identity value, the more the image changes.
  @Test(arguments: withAmount)
  func `amount is monotonic`(_ entry: CatalogCase) throws {
    let parameter = try #require(entry.description.parameters.first { $0.name == "amount" })
    guard case .number(_, let ui) = parameter.type, case .number(let identity)? = parameter.identity
    else { return }
    let image = try Charts.source(Charts.noise(33, 27))
    let plain = try Renderer.raster(image, FilterGraph()).rgb
    for end in [ui.lowerBound, ui.upperBound] where end != identity {
      var last = 0.0
      for share in [0.0, 0.25, 0.5, 0.75, 1] {
        let value = identity + share * (end - identity)
        let filter = try #require(entry.filter(["amount": .number(value)]))
        let changed = try Renderer.raster(image, Charts.graph([filter])).rgb
        let distance = zip(plain, changed).reduce(0.0) { sum, planes in
          sum
            + zip(planes.0, planes.1).reduce(0.0) { sum, samples in
              // Clamped as for an encoder: above white there is no visible difference.
              let (a, b) = (min(max(samples.0, 0), 1), min(max(samples.1, 0), 1))
              return sum + Double(abs(a - b))
            }
        }
        #expect(distance >= last * 0.999, "\(value)")
        last = distance
      }
      #expect(last > 0)
    }
  }

  /// Values outside every range, which can produce infinities and powers of negative numbers.
  @Test(arguments: CatalogCase.all)
  func `levels far outside black and white give finite numbers`(_ entry: CatalogCase) throws {
    let image = try Charts.source(Charts.noise(19, 17))
    var far = ColorMatrix()
    far.matrix = [9, -7, 3, -8, 9, -5, 4, -9, 8]
    far.bias = [-0.9, 0.8, -0.5]
    for filter in entry.active.some(entry.number + 2) + [entry.type.init()] {
      do {
        let raster = try raster(image, [far, filter])
        #expect(raster.planes.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(filter.values)")
      } catch RenderError.graph {
        continue
      }
    }
  }

  /// The sum over the spread of a single pixel is unchanged.
  @Test(arguments: [
    "gaussianBlur:sigma=0.3", "gaussianBlur:sigma=2.5", "gaussianBlur:sigma=5,light=linear",
    "boxBlur:radius=1", "boxBlur:radius=7",
  ])
  func `a blur preserves the total of all samples`(argument: String) throws {
    let side = 81
    let chart = Charts.image(side, side, .gray) { x, y, _ in x == 40 && y == 40 ? 255 : 0 }
    let filter = try FilterCatalog.filter(argument: argument)
    let plane = try Renderer.raster(Charts.source(chart), FilterGraph([filter])).rgb[0]
    let isLinear = argument.contains("linear")
    let sum = plane.reduce(0.0) { $0 + (isLinear ? SRGBTransfer.decode(Double($1)) : Double($1)) }
    #expect(abs(sum - 1) < 2e-4, "\(sum)")
  }

  /// An image of one color has no differing neighbors.
  @Test(arguments: CatalogCase.all.filter { $0.description.dependency == .neighborhood })
  func `a flat image stays flat`(_ entry: CatalogCase) throws {
    let flat = try Charts.source(Charts.image(26, 21, .rgb) { _, _, c in [60, 130, 200][c] })
    for filter in entry.active.some(entry.number + 1) {
      for plane in try Renderer.raster(flat, Charts.graph([filter])).rgb {
        let spread = (plane.max() ?? 0) - (plane.min() ?? 0)
        #expect(spread * 255 < 0.01, "\(filter.values)")
      }
    }
  }

  /// Sizes at which loops are empty or neighbors exist on only one side.
  @Test(arguments: CatalogCase.all)
  func `the smallest images are rendered`(_ entry: CatalogCase) throws {
    for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 2)] {
      let image = try Charts.source(Charts.noise(width, height))
      for filter in entry.active.prefix(3) {
        do {
          let raster = try raster(image, [filter])
          #expect(raster.planes.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(filter.values)")
        } catch RenderError.graph {
          continue
        }
      }
    }
  }
}
