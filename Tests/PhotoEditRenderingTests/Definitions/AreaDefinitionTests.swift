// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditPlatform
import Testing

@testable import PhotoEditRendering

@Suite("Area filters")
struct AreaDefinitionTests {
  private static let chart = Charts.noise(21, 16)

  private static func rendered(_ argument: String) throws -> [[Double]] {
    try rendered(Definition.make(argument))
  }

  private static func rendered(_ filter: any Filter) throws -> [[Double]] {
    try raster(Charts.source(chart), [filter]).rgb.map { $0.map(Double.init) }
  }

  /// A sample of the chart; outside the edge by an edge mode.
  private static func sample(
    _ x: Int, _ y: Int, _ channel: Int, _ edge: EdgeMode = .replicate
  ) -> Double {
    let (column, row) = (edge.position(x, count: 21), edge.position(y, count: 16))
    return Double(chart[x: column, y: row, channel: channel]) / 255
  }

  private static func luma(_ x: Int, _ y: Int, _ edge: EdgeMode = .replicate) -> Double {
    let weights = LumaWeights.rec601
    return weights[0] * sample(x, y, 0, edge) + weights[1] * sample(x, y, 1, edge)
      + weights[2] * sample(x, y, 2, edge)
  }

  private static func most(
    _ planes: [[Double]], _ expected: (Int, Int, Int) -> Double
  ) -> Double {
    planes.enumerated().flatMap { channel, plane in
      plane.enumerated().map { 255 * abs($1 - expected($0 % 21, $0 / 21, channel)) }
    }.max() ?? .infinity
  }

  @Test(arguments: [1, 4, 60])
  func `a box blur is the mean of a square`(radius: Int) throws {
    let planes = try Self.rendered("boxBlur:radius=\(radius)")
    let share = 1 / Double((2 * radius + 1) * (2 * radius + 1))
    let most = Self.most(planes) { x, y, channel in
      var sum = 0.0
      for j in -radius...radius {
        for i in -radius...radius { sum += Self.sample(x + i, y + j, channel) }
      }
      return sum * share
    }
    #expect(most <= 0.001)
  }

  @Test func `a convolution kernel is applied as written`() throws {
    let planes = try Self.rendered("convolve:kernel=0:0:0:0:0:3:0:1:0,bias=0.1")
    let most = Self.most(planes) { x, y, channel in
      (3 * Self.sample(x + 1, y, channel) + Self.sample(x, y + 1, channel)) / 4 + 0.1
    }
    #expect(most <= 0.001)
  }

  @Test func `the emboss light direction rotates clockwise`() throws {
    let down = try Self.rendered("emboss:angle=45")
    let most = Self.most(down) { x, y, channel in
      let rise = (-1...1).reduce(0.0) {
        $0 + Self.sample(x + $1, y + 1, channel) - Self.sample(x + $1, y - 1, channel)
      }
      return Self.sample(x, y, channel) + 2.0.squareRoot() * rise
    }
    #expect(most <= 0.001)
  }

  @Test func `gradients are positive to the right and downwards`() throws {
    for (output, dx, dy) in [("x", 1, 0), ("y", 0, 1)] {
      let most = Self.most(try Self.rendered("edges:output=\(output),scale=0.5")) { x, y, _ in
        (-1...1).reduce(0.0) { sum, k in
          let (i, j) = (k * dy, k * dx)
          let rise = Self.luma(x + i + dx, y + j + dy) - Self.luma(x + i - dx, y + j - dy)
          return sum + Double(2 - abs(k)) * rise
        } / 2
      }
      #expect(most <= 0.001)
    }
  }

  /// The mean of a value of the 25 pixels around one.
  private static func mean(_ x: Int, _ y: Int, _ value: (Int, Int) -> Double) -> Double {
    (-2...2).reduce(0.0) { sum, j in
      sum + (-2...2).reduce(0.0) { $0 + value(x + $1, y + j) }
    } / 25
  }

  /// The mean luma of such a window, and its variance over the sum of that and 0.02.
  private static func window(_ x: Int, _ y: Int) -> (mean: Double, slope: Double) {
    let m = mean(x, y) { luma($0, $1, .mirror) }
    let square = mean(x, y) { pow(luma($0, $1, .mirror), 2) }
    return (m, (square - m * m) / (square - m * m + 0.02))
  }

  @Test(arguments: [0.4, -1])
  func `clarity adds the detail removed by a guided filter`(amount: Double) throws {
    // Two pixels of 21.
    let filter = Definition.make(
      "clarity", version: 2, #""amount":\#(amount),"radius":0.095,"epsilon":0.02"#)
    let share = max(amount, amount / 2)
    let details = (0..<21 * 16).map { i in
      let (x, y) = (i % 21, i / 21)
      let own = Self.luma(x, y)
      let slope = Self.mean(x, y) { Self.window($0, $1).slope }
      let offset = Self.mean(x, y) {
        let (m, a) = Self.window($0, $1)
        return m * (1 - a)
      }
      return own - slope * own - offset
    }
    let most = Self.most(try Self.rendered(filter)) { x, y, channel in
      Self.sample(x, y, channel) + share * details[y * 21 + x]
    }
    #expect(most <= 0.01)
  }

  @Test(arguments: [0.4, -1])
  func `clarity adds what differs from windows without a strong edge`(amount: Double) throws {
    let planes = try Self.rendered("clarity:amount=\(amount),radius=0.095,epsilon=0.02")
    let share = max(amount, amount / 2)
    func weight(_ x: Int, _ y: Int) -> Double { 0.001 + pow(1 - Self.window(x, y).slope, 4) }
    let details = (0..<21 * 16).map { i in
      let (x, y) = (i % 21, i / 21)
      let slope = Self.mean(x, y) { Self.window($0, $1).slope }
      let weighted = Self.mean(x, y) { weight($0, $1) * Self.window($0, $1).mean }
      return (1 - slope) * (Self.luma(x, y) - weighted / Self.mean(x, y, weight))
    }
    let most = Self.most(planes) { x, y, channel in
      Self.sample(x, y, channel) + share * details[y * 21 + x]
    }
    #expect(most <= 0.01)
  }

  @Test(arguments: [2, 5, 16, 1000])
  func `cells contain their mean, and the outermost may be smaller`(cell: Int) throws {
    let most = Self.most(try Self.rendered("pixelate:cell=\(cell)")) { x, y, channel in
      let rows = y / cell * cell..<min(16, (y / cell + 1) * cell)
      let columns = x / cell * cell..<min(21, (x / cell + 1) * cell)
      let sum = rows.reduce(0.0) { sum, row in
        sum + columns.reduce(0.0) { $0 + Self.sample($1, row, channel) }
      }
      return sum / Double(rows.count * columns.count)
    }
    #expect(most <= 0.001)
  }

  @Test(arguments: [1, 2, 5])
  func `a wavelet without noise reduction restores the image`(levels: Int) throws {
    for (width, height) in [(1, 1), (1, 9), (9, 1), (2, 3), (17, 31), (64, 64)] {
      let chart = Charts.noise(width, height)
      let filter = Definition.make("denoiseWavelet:levels=\(levels),sigma=0.0000001")
      let planes = try raster(Charts.source(chart), [filter]).rgb
      #expect(try FloatDifference(planes[0], chart.floatPlanes[0]).maximum <= 0.001)
    }
  }

  @Test func `a wavelet removes noise and keeps a ramp`() throws {
    let noise = Charts.noise(96, 96, .gray)
    let noisy = Charts.image(96, 96, .gray) { x, y, _ in
      60 + x + (Int(noise[x: x, y: y, channel: 0]) - 128) / 8
    }
    func error(_ plane: [Float]) -> Double {
      plane.enumerated().reduce(0) {
        $0 + pow(Double($1.element) * 255 - Double(60 + $1.offset % 96), 2)
      }
    }
    let before = error(noisy.floatPlanes[0])
    for argument in ["denoiseWavelet", "denoiseWavelet:sigma=0.036"] {
      let after = try raster(Charts.source(noisy), [Definition.make(argument)]).planes[0]
      #expect(error(after) < before / 2, "\(argument)")
    }
  }

  @Test func `lifted shadows keep black and white, and flat areas follow the tone curve`() throws {
    let steps = Charts.image(64, 8, .rgb) { x, _, _ in x < 32 ? 0 : 255 }
    let filter = Definition.make("shadowsHighlights:shadows=0.5,radius=0.001")
    let planes = try raster(Charts.source(steps), [filter]).rgb
    for plane in planes {
      #expect(abs(plane[0]) < 0.001 && abs(plane[63] - 1) < 0.001)
    }
    let flat = Charts.image(8, 8, .rgb) { _, _, channel in [60, 50, 40][channel] }
    let shown = try raster(Charts.source(flat), [filter]).rgb
    // A flat area is all base and follows the curve, and its hue stays.
    let luma = (0.299 * 60 + 0.587 * 50 + 0.114 * 40) / 255
    let tone = Definition.make("parametricTone:shadows=1.495")
    let gray = try raster(
      Charts.source(Charts.image(1, 1, .gray) { _, _, _ in 52 }), [tone]
    ).planes[0][0]
    let lifted = 0.299 * shown[0][0] + 0.587 * shown[1][0] + 0.114 * shown[2][0]
    #expect(abs(lifted - gray) < 0.01 && Double(lifted) > luma)
    #expect(abs(shown[0][0] / shown[2][0] - 1.5) < 0.001)
  }

  @Test(arguments: [
    "bilateral:diameter=4", "denoiseNLM:patch=4", "denoiseNLM:search=8",
    "convolve:divisor=0.0001", "convolve:kernel=1:2:3:4",
  ])
  func `even-sized windows and invalid kernels are rejected`(_ argument: String) {
    #expect(throws: ParameterError.self) { try FilterCatalog.filter(argument: argument) }
  }
}
