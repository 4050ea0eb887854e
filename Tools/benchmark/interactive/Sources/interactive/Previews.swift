// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditRendering
import PhotoEditStorage

/// Previews of one photo at the size of a display, from the file to the bytes of a JPEG.
struct Previews {
  private static let runs = 15
  let photo: URL
  let box: PixelSize

  func measure(_ measurements: inout Measurements) throws {
    try measurements.measure("first image after opening", runs: 5) { _ in
      _ = try open().render(FilterGraph())
    }
    let session = try open()
    func measureChanges(_ name: String, _ filters: (Double) -> [any Filter]) throws {
      // The first request reduces the photo to the size that this filter needs.
      try measurements.measure("\(name), first change", runs: 1) { _ in
        _ = try session.render(FilterGraph(filters(0)))
      }
      try measurements.measure(name, runs: Self.runs) { run in
        let position = Double(run + 1) / Double(Self.runs)
        _ = try session.render(FilterGraph(filters(position)))
      }
    }
    try measureChanges("exposure") { [Exposure(ev: 0.1 + 0.8 * $0)] }
    try measureChanges("exposure, contrast, saturate") {
      [Exposure(ev: 0.1 + 0.8 * $0), Contrast(1.1), Saturate(1.2)]
    }
    try measureChanges("unsharpMask") { [UnsharpMask(sigma: 2, amount: 0.3 + $0)] }
    try measureChanges("gaussianBlur") { [GaussianBlur(sigma: 4 + 4 * $0)] }
  }

  private func open() throws -> PreviewSession {
    PreviewSession(try ImageSource(FileBytes.reading(photo.path)), fitting: box)
  }
}
