// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

@Suite("Pixel behavior of every filter")
struct PixelContractTests {
  private static let chart = Charts.noise(37, 29)

  @Test(arguments: CatalogCase.all)
  func `identity values leave every sample unchanged`(_ entry: CatalogCase) throws {
    let identity = entry.description.parameters.reduce(into: [:]) { $0[$1.name] = $1.identity }
    guard !identity.isEmpty else {
      // Without such a value the filter always has an effect.
      #expect(!entry.type.init().isIdentity)
      return
    }
    for image in [Self.chart, Charts.noise(11, 7, .gray), Charts.noise(9, 5, bytesPerSample: 2)] {
      let filter = try #require(entry.filter(identity))
      #expect(try filter.lowered(in: LoweringContext(size: image.size)).isEmpty)
      #expect(try raster(Charts.source(image), [filter]).planes == image.floatPlanes)
    }
  }

  @Test(arguments: CatalogCase.all)
  func `both ends of every range give finite samples or a reason`(_ entry: CatalogCase) throws {
    let image = try Charts.source(Charts.noise(9, 7))
    for parameter in entry.description.parameters {
      for value in CatalogCase.ends(of: parameter.type) {
        for others in [[:], entry.activeValues] {
          do {
            let filter = try entry.type.init(values: others.merging([parameter.name: value]) { $1 })
            let planes = try raster(image, [filter]).planes
            #expect(planes.allSatisfy { $0.allSatisfy(\.isFinite) }, "\(parameter.name)")
          } catch let error as ParameterError {
            #expect("\(error)".contains(entry.description.name))
          } catch RenderError.graph(let failure) {
            guard case .parameter = failure.reason else {
              Issue.record("\(failure)")
              continue
            }
          }
        }
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `strips of any height give identical results`(_ entry: CatalogCase) throws {
    for (number, channels) in [ChannelLayout.rgb, .rgba, .gray].enumerated() {
      let image = try Charts.source(Charts.noise(37, 67, channels))
      for filter in entry.active.some(entry.number) {
        let graph = try Charts.graph([filter])
        var options = RenderOptions()
        options.allowsCoefficients = false
        options.stripHeight = 4096
        let whole = try Renderer.raster(image, graph, options: options)
        let jpeg = try Renderer.render(image, graph, options: options).jpeg
        for height in [1, 7, 64].some(entry.number + number) {
          options.stripHeight = height
          #expect(try Renderer.raster(image, graph, options: options) == whole)
          #expect(try Renderer.render(image, graph, options: options).jpeg == jpeg)
        }
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `any number of threads gives identical results`(_ entry: CatalogCase) throws {
    let image = try Charts.source(Charts.noise(37, 67))
    for filter in entry.active.some(entry.number + 1) {
      let graph = try Charts.graph([filter])
      var options = RenderOptions()
      options.stripHeight = 5
      options.threads = 1
      let alone = try Renderer.raster(image, graph, options: options)
      let jpeg = try Renderer.render(image, graph, options: options).jpeg
      for threads in [2, 4, 8, 64].some(entry.number) {
        options.threads = threads
        #expect(try Renderer.raster(image, graph, options: options) == alone)
        #expect(try Renderer.render(image, graph, options: options).jpeg == jpeg)
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a crop after the filter only crops the result`(_ entry: CatalogCase) throws {
    let image = try Charts.source(Self.chart)
    for filter in entry.active.some(entry.number + 2) {
      let whole = try raster(image, [filter])
      for region in Self.regions(in: whole.size).some(entry.number) {
        let cropped = try raster(image, [filter, Crop(pixels: region)])
        #expect(cropped.planes == whole.cropped(to: region), "\(filter.values) \(region)")
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a crop before the filter gives the filtered crop`(_ entry: CatalogCase) throws {
    for (number, channels) in [ChannelLayout.rgb, .rgba].enumerated() {
      let chart = Charts.noise(37, 29, channels)
      for filter in entry.active.some(entry.number + 3) {
        let regions = Self.regions(in: chart.size).dropFirst(2)
        for region in regions.some(entry.number + number) {
          let expected = try raster(Charts.source(chart.cropped(to: region)), [filter])
          let actual = try raster(Charts.source(chart), [Crop(pixels: region), filter])
          #expect(actual.size == expected.size)
          // Tables are computed in double precision, and a crop may precede them.
          let most = try difference(expected.planes, actual.planes)
          #expect(most <= ToleranceClass.Reach.point.maximum, "\(filter.values) \(region)")
        }
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a rotation before the filter filters the rotated image`(_ entry: CatalogCase) throws {
    for filter in entry.active.some(entry.number) {
      for orientation in Orientation.allCases.some(entry.number) {
        let expected = try raster(Charts.source(Self.chart.rotated(orientation)), [filter])
        let actual = try raster(Charts.source(Self.chart), [Orient(orientation), filter])
        #expect(actual.size == expected.size)
        let most = try difference(expected.planes, actual.planes)
        #expect(most <= Self.tolerance(entry), "\(filter.values) \(orientation)")
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `a rotation after the filter rotates the result`(_ entry: CatalogCase) throws {
    let image = try Charts.source(Self.chart)
    for filter in entry.active.some(entry.number + 1) {
      let whole = try raster(image, [filter])
      for orientation in Orientation.allCases.dropFirst().some(entry.number) {
        let rotated = try raster(image, [filter, Orient(orientation)])
        #expect(rotated.size == orientation.applied(to: whole.size))
        let most = try difference(whole.rotated(orientation), rotated.planes)
        #expect(most <= Self.tolerance(entry), "\(filter.values) \(orientation)")
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `an image with an orientation renders like the oriented image`(
    _ entry: CatalogCase
  ) throws {
    let oriented = try Charts.source(named: "orientation-odd-1.png")
    for filter in entry.active.some(entry.number + 2) {
      let expected = try raster(oriented, [filter])
      for k in (2...8).some(entry.number) {
        let actual = try raster(Charts.source(named: "orientation-odd-\(k).png"), [filter])
        #expect(actual.size == expected.size)
        #expect(try difference(expected.rgb, actual.rgb) <= Self.tolerance(entry), "\(k)")
      }
    }
  }

  @Test(arguments: CatalogCase.all)
  func `every parameter changes a sample somewhere`(_ entry: CatalogCase) throws {
    let image = try Charts.source(Charts.noise(61, 53))
    for parameter in entry.description.parameters where parameter.type.takesSeveralValues {
      let bases =
        [[:], entry.activeValues, entry.middleValues]
        + entry.choices.flatMap { [$0, entry.activeValues.merging($0) { $1 }] }
        // A value may have an effect only with a non-default value of another parameter.
        + entry.description.parameters.flatMap { other in
          CatalogCase.ends(of: other.type).flatMap { end in
            ([[:]] + entry.choices).map { choice in choice.merging([other.name: end]) { $1 } }
          }
        }
      let hasEffect = try bases.contains { base in
        var results: Set<Raster> = []
        let values =
          [parameter.default, entry.activeValues[parameter.name] ?? parameter.default]
          + CatalogCase.ends(of: parameter.type) + CatalogCase.middles(of: parameter.type)
        for value in values {
          guard let filter = entry.filter(base.merging([parameter.name: value]) { $1 }) else {
            continue
          }
          do {
            results.insert(try raster(image, [filter]))
          } catch RenderError.graph {
            continue
          }
        }
        return results.count > 1
      }
      #expect(hasEffect, "\(parameter.name)")
    }
  }

  private static func tolerance(_ entry: CatalogCase) -> Double {
    // Columns and rows are exchanged, and with them the order of sums.
    entry.description.dependency == .neighborhood || entry.description.dependency == .geometry
      ? ToleranceClass.Reach.spatial.maximum : ToleranceClass.Reach.point.maximum
  }

  private static func regions(in size: PixelSize) -> [Region] {
    let (w, h) = (size.width, size.height)
    return [
      Region(x: 0, y: 0, width: 1, height: 1),
      Region(x: w - 1, y: h - 1, width: 1, height: 1),
      Region(x: w / 3, y: h / 2, width: max(1, w / 2), height: max(1, h / 3)),
      Region(x: 0, y: h / 3, width: w, height: max(1, h / 2)),
      Region(x: w / 4, y: 0, width: max(1, w / 2), height: h),
    ]
  }
}
