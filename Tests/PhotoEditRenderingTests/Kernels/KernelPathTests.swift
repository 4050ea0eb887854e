// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditTestSupport
import Testing

@testable import PhotoEditRendering

/// Switches the path of the whole process; other tests are unaffected because the results are
/// identical.
@Suite("Kernel paths", .serialized)
struct KernelPathTests {
  @Test(arguments: CatalogCase.all)
  func `every filter gives the same bytes on every path`(_ entry: CatalogCase) throws {
    let chosen = pe_chosen_path()
    defer { _ = pe_choose_path(chosen) }
    for chart in [
      Charts.noise(133, 37), Charts.noise(133, 9, .gray), Charts.noise(70, 9, .rgba),
      Charts.noise(67, 9, bytesPerSample: 2),
    ].some(entry.number) {
      let image = try Charts.source(chart)
      for filter in entry.active.some(entry.number + 3) {
        let graph = try Charts.graph([filter, Saturate(1.2)])
        var results: Set<Raster> = []
        var bytes: Set<[UInt8]> = []
        for path in KernelPath.all {
          #expect(pe_choose_path(path.path) == 1)
          results.insert(try Renderer.raster(image, graph))
          bytes.insert(try PlanRunning.bytes(image, graph).bytes)
        }
        #expect(results.count == 1 && bytes.count == 1, "\(filter.values)")
      }
    }
  }

  @Test func `the selected path can run on this machine`() {
    let chosen = pe_chosen_path()
    #expect(KernelPath.all.contains { $0.path == chosen })
    #expect(pe_choose_path(pe_path(rawValue: 99)) == 0)
    #expect(pe_chosen_path() == chosen)
  }
}
