// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@testable import PhotoEditFilters

@Suite("The curve of raw files")
struct DevelopmentCurveTests {
  @Test func `middle gray keeps its light, and white is approached`() {
    let curve = DevelopmentCurve(ev: 0)
    // p = 1 at middle gray, and 1/(1 + 4.42) is its light again.
    #expect(abs(curve(0.1845) - 1 / 5.42) < 1e-12)
    #expect(curve(0) == 0)
    // (1/0.1845)^1.6 = 14.95.
    #expect(abs(curve(1) - 14.95 / 19.37) < 0.001)
    #expect(abs(DevelopmentCurve(ev: 1.2)(1) - 0.9277) < 0.001)
    #expect(abs(DevelopmentCurve(ev: 2)(0.1) - curve(0.4)) < 1e-12)
  }

  @Test(arguments: [0.02, 0.1, 0.18, 0.5, 0.9], [0.01, 0.05, 0.2])
  func `the exposure gives the median of the preview`(preview: Double, median: Double) throws {
    let curve = try #require(DevelopmentCurve(median: median, preview: preview))
    // Beyond its limits the exposure is as close as it can be.
    let difference = abs(curve(median) - preview)
    #expect(difference < 0.001 || abs(curve.ev) == 6 || curve.ev == -2, "\(curve.ev)")
  }

  @Test func `a black or white image has no exposure, and an extreme one is limited`() {
    #expect(DevelopmentCurve(median: 0, preview: 0.2) == nil)
    #expect(DevelopmentCurve(median: 0.2, preview: 0) == nil)
    #expect(DevelopmentCurve(median: 0.2, preview: 1) == nil)
    #expect(DevelopmentCurve(median: 0.00002, preview: 0.9)?.ev == 6)
  }

  /// The steep start of the largest exposure costs some levels.
  @Test(arguments: [(-2, 0.5), (0, 0.5), (1.2, 0.5), (3.456, 0.5), (6, 4)])
  func `the points of the filter follow the formula`(ev: Double, levels: Double) throws {
    let curve = DevelopmentCurve(ev: ev)
    let filter = curve.filter
    try filter.check()
    let spline = MonotoneSpline(filter.points, isLinear: false)
    let worst =
      (0...4000).map { step -> Double in
        let x = Double(step) / 4000
        return abs(spline(x) - SRGBTransfer.encode(curve(SRGBTransfer.decode(x))))
      }.max() ?? 1
    #expect(worst < levels / 255, "\(worst * 255) levels")
  }

  @Test func `exposure and white balance come before the curve, other filters after it`() throws {
    var graph = try FilterGraph(DevelopmentCurve())
    graph = try graph.applying([Sepia(amount: 1), Exposure(ev: -1), WhiteBalance(), Invert()])
    #expect(graph.nodes.map(\.filter) == ["exposure", "whiteBalance", "curve", "sepia", "invert"])
    let plain = try FilterGraph().applying([Sepia(amount: 1), Exposure(ev: -1)])
    #expect(plain.nodes.map(\.filter) == ["sepia", "exposure"])
    // Marks are stored.
    let read = try FilterGraph(json: graph.canonicalBytes())
    #expect(read.nodes.map(\.isDevelopment) == [false, false, true, false, false])
  }

  @Test func `the development is stored with the source, and does not identify it`() throws {
    var graph = try FilterGraph(DevelopmentCurve())
    let digest = SHA256Digest(of: [1, 2, 3])
    let development = RawDevelopment(
      decoder: "libraw 0.20.2", demosaic: "ahd", highlights: "blend", whiteBalance: [2, 1, 1.6])
    let size = PixelSize(width: 4, height: 3)
    graph.source = FilterGraph.Source(
      size: size, orientation: .up, digest: digest, development: development)
    let json = try JSONValue(parsing: graph.canonicalBytes(), limits: JSONLimits())
    #expect(json["source"]?["decoder"] == "libraw 0.20.2")
    #expect(json["source"]?["wb"] == [2, 1, 1.6])
    #expect(try FilterGraph(json: graph.canonicalBytes()) == graph)
    let other = FilterGraph.Source(size: size, orientation: .up, digest: digest)
    #expect(graph.source?.isSameImage(as: other) == true && graph.source != other)
  }

  @Test func `the mapping of tones is stored with the source, and does not identify it`() throws {
    var graph = try FilterGraph([Sepia()])
    let (size, digest) = (PixelSize(width: 4, height: 3), SHA256Digest(of: [1, 2, 3]))
    graph.source = FilterGraph.Source(
      size: size, orientation: .up, digest: digest,
      toneMapping: ToneMapping(method: "bt2446a", peak: 600))
    let json = try JSONValue(parsing: graph.canonicalBytes(), limits: JSONLimits())
    #expect(json["source"]?["hdr"] == ["method": "bt2446a", "peak": 600])
    #expect(try FilterGraph(json: graph.canonicalBytes()) == graph)
    let other = FilterGraph.Source(size: size, orientation: .up, digest: digest)
    #expect(graph.source?.isSameImage(as: other) == true && graph.source != other)
    // What a newer version stores is kept.
    let text = String(decoding: graph.canonicalBytes(), as: UTF8.self)
    let newer = text.replacing(#"{"method":"#, with: #"{"knee":1,"method":"#)
    let read = try FilterGraph(json: Array(newer.utf8))
    #expect(read.source?.toneMapping == nil)
    #expect(String(decoding: read.canonicalBytes(), as: UTF8.self) == newer)
  }
}
