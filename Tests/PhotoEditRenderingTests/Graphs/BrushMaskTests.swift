// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditRendering
import Testing

@Suite("Brush masks")
struct BrushMaskTests {
  private typealias Point = BrushStroke.Point

  /// Returns the coverage of every pixel by strokes, rendered and in double precision.
  private static func coverage(
    _ strokes: [BrushStroke], isInverted: Bool = false, width: Int = 60, height: Int = 40
  ) throws -> (rendered: [Float], expected: [Double]) {
    var mask = MaskBrush(strokes)
    mask.isInverted = isInverted
    // A black image inverted through the mask is the mask.
    let size = PixelSize(width: width, height: height)
    let black = ImageBuffer(size: size, layout: RowLayout(channels: .rgb))
    var graph = FilterGraph()
    try graph.append(mask, id: "m", inputs: [])
    try graph.append(FilterCatalog.filter(argument: "invert"), mask: "m")
    let rendered = try Renderer.raster(Charts.source(black), graph).rgb[0]
    let law = MaskGenerator.Law.strokes(
      strokes.map { MaskStroke($0, size: size) }, isInverted: isInverted)
    let generator = MaskGenerator(law, size: size)
    let expected = (0..<width * height).map { generator.value(x: $0 % width, y: $0 / width) }
    return (rendered, expected)
  }

  /// The center of the pixel in column 30 and row 20 of 60 × 40.
  private static let center = Point(30.5 / 60, 20.5 / 40)

  @Test func `a dab is full up to its hardness and falls off smoothly to its radius`() throws {
    // A radius of 12 pixels, full within 6.
    let stroke = BrushStroke(radius: 0.2, flow: 0.8, points: [Self.center])
    let mask = try Self.coverage([stroke]).rendered
    func at(_ column: Int) -> Double { Double(mask[20 * 60 + column]) }
    #expect(abs(at(30) - 0.8) < 1e-4)
    #expect(abs(at(36) - 0.8) < 1e-4)
    // Halfway between 6 and 12 pixels, and a third of the way: 1 − (3/9 − 2/27).
    #expect(abs(at(39) - 0.4) < 1e-4)
    #expect(abs(at(38) - 0.8 * (1 - 7.0 / 27)) < 1e-4)
    #expect(at(42) == 0 && at(50) == 0)
    #expect(mask[32 * 60 + 30] == 0)
    // Rows and columns have the same scale.
    #expect(abs(Double(mask[29 * 60 + 30]) - 0.4) < 1e-4)
  }

  static let samples: [[BrushStroke]] = [
    [BrushStroke(radius: 0.1, points: [.init(0.1, 0.2), .init(0.9, 0.8)])],
    [
      BrushStroke(
        radius: 0.2, hardness: 0, points: [.init(-0.2, 0.5, pressure: 0), .init(1.2, 0.4)]),
      BrushStroke(
        radius: 0.1, hardness: 1, flow: 0.6, isEraser: true,
        points: [.init(0.5, 0), .init(0.5, 1), .init(0.7, 1)]),
      BrushStroke(radius: 0.05, flow: 0.5, points: [.init(0.5, 0.5, pressure: 0.5)]),
    ],
    [BrushStroke(radius: 1, hardness: 0.2, flow: 0.3, points: [.init(2, -1)])],
    [BrushStroke(radius: 0.1, points: [.init(0.5, 0.5, pressure: 0)])],
    [BrushStroke(radius: 0.0005, points: [.init(0, 0), .init(1, 1)])],
  ]

  @Test(arguments: samples, [false, true])
  func `the rendered mask is the definition`(strokes: [BrushStroke], isInverted: Bool) throws {
    let (rendered, expected) = try Self.coverage(strokes, isInverted: isInverted)
    let most = zip(rendered, expected).map { abs(Double($0) - $1) }.max() ?? 1
    #expect(most * 255 <= 0.02)
  }

  /// A pointer that reports its position more often paints the same.
  @Test func `points along a straight line change nothing`() throws {
    let ends = [Point(0.1, 0.3, pressure: 0.2), Point(0.9, 0.7, pressure: 1)]
    let many = (0...50).map { i -> Point in
      let t = Double(i) / 50
      return Point(0.1 + 0.8 * t, 0.3 + 0.4 * t, pressure: 0.2 + 0.8 * t)
    }
    let few = try Self.coverage([BrushStroke(radius: 0.1, points: ends)]).rendered
    let more = try Self.coverage([BrushStroke(radius: 0.1, points: many)]).rendered
    #expect(zip(few, more).allSatisfy { abs($0 - $1) < 1e-4 })
  }

  @Test func `strokes add up in order, and an eraser removes only what is before it`() throws {
    let paint = BrushStroke(radius: 0.2, flow: 0.5, points: [Self.center])
    var eraser = paint
    eraser.isEraser = true
    func middle(_ strokes: [BrushStroke]) throws -> Double {
      Double(try Self.coverage(strokes).rendered[20 * 60 + 30])
    }
    #expect(abs(try middle([paint, paint]) - 0.75) < 1e-4)
    #expect(abs(try middle([paint, paint, eraser]) - 0.375) < 1e-4)
    #expect(abs(try middle([eraser, paint]) - 0.5) < 1e-4)
    #expect(try middle([eraser]) == 0)
  }

  @Test func `a mask has the same shape at every size`() throws {
    let strokes = Self.samples[1]
    let small = try Self.coverage(strokes).rendered
    let large = try Self.coverage(strokes, width: 180, height: 120).rendered
    // The middle one of three columns and rows is at the same place. The edge of the hard eraser
    // may lie between both.
    let differing = small.indices.filter { index -> Bool in
      let (column, row) = (index % 60 * 3 + 1, index / 60 * 3 + 1)
      return abs(small[index] - large[row * 180 + column]) > 0.001
    }
    #expect(differing.isEmpty)
  }
}

@Suite("Strokes of brushes as parameters")
struct BrushStrokeTests {
  private static func graph(_ strokes: String) throws -> FilterGraph {
    let node = #"{"filter":"mask.brush","id":"m","in":[],"params":{"strokes":"# + strokes + "}}"
    let rest = #"{"filter":"invert","id":"n","mask":"m"}"#
    let format = #""format":"org.photoedit.filter-graph","version":"1.0""#
    return try FilterGraph(json: Array("{\(format),\"nodes\":[\(node),\(rest)]}".utf8))
  }

  @Test func `a stroke without hardness, flow and pressure has their defaults`() throws {
    let mask = try #require(
      try Self.graph(#"[{"radius":0.1,"points":[[0.2,0.3]]}]"#).nodes[0].resolved() as? MaskBrush)
    #expect(mask.strokes == [BrushStroke(radius: 0.1, points: [.init(0.2, 0.3)])])
    #expect(mask.strokes[0].hardness == 0.5 && mask.strokes[0].flow == 1)
    #expect(!mask.strokes[0].isEraser && mask.strokes[0].points[0].pressure == 1)
  }

  @Test(arguments: [
    #"[{"radius":0.1,"points":[[0.2,0.3]],"color":"red"}]"#, #"[{"radius":0.1}]"#,
    #"[{"radius":0.1,"points":[[0.2]]}]"#, #"[{"radius":0.1,"points":[[0.2,0.3,0.4,0.5]]}]"#,
    #"[{"radius":0.1,"points":[]}]"#, #"[{"points":[[0.2,0.3]]}]"#, "[]",
    #"[{"radius":0.1,"points":[[0.2,3]]}]"#, #"[{"radius":0.1,"points":[["a",0.3]]}]"#,
    #"[{"radius":0.1,"hardness":"soft","points":[[0.2,0.3]]}]"#,
    #"[{"radius":0.1,"points":[[0.2,0.3,1.5]]}]"#, #"[{"radius":0,"points":[[0.2,0.3]]}]"#,
  ])
  func `a stroke with an error or an unknown member is refused`(strokes: String) {
    #expect(throws: (any Error).self) { try Self.graph(strokes).nodes[0].resolved() }
  }

  @Test func `more strokes or points than the limits are refused with their number`() throws {
    let points = Array(repeating: BrushStroke.Point(0.5, 0.5), count: 10_001)
    let stroke = BrushStroke(radius: 0.1, points: points)
    let error = #expect(throws: ParameterError.self) { try MaskBrush([stroke, stroke]).check() }
    #expect("\(try #require(error))".contains("20002 points"))
    let dab = BrushStroke(radius: 0.1, points: [.init(0.5, 0.5)])
    let many = #expect(throws: ParameterError.self) {
      try MaskBrush(Array(repeating: dab, count: 513)).check()
    }
    #expect("\(try #require(many))".contains("513 strokes"))
    try MaskBrush(Array(repeating: dab, count: 512)).check()
  }

  @Test func `strokes are written on the command line`() throws {
    let filter = try FilterCatalog.filter(
      argument: "mask.brush:strokes=0.1@0.2:0.3/erase:0.05:0.8:0.5@0.4:0.5@0.6:0.7:0.5")
    let mask = try #require(filter as? MaskBrush)
    #expect(
      mask.strokes == [
        BrushStroke(radius: 0.1, points: [.init(0.2, 0.3)]),
        BrushStroke(
          radius: 0.05, hardness: 0.8, flow: 0.5, isEraser: true,
          points: [.init(0.4, 0.5), .init(0.6, 0.7, pressure: 0.5)]),
      ])
    for bad in ["0.1", "0.1@", "0.1@0.2", "paint:0.1@0.2:0.3", "0.1@0.2:0.3/", "0.1:1:1:1@0:0"] {
      #expect(throws: ParameterError.self, "\(bad)") {
        try FilterCatalog.filter(argument: "mask.brush:strokes=\(bad)")
      }
    }
  }
}
