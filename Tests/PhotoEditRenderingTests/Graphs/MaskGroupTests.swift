// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditFilters
import PhotoEditPixels
import Testing

@testable import PhotoEditRendering

@Suite("Groups of masks")
struct MaskGroupTests {
  private static let size = PixelSize(width: 61, height: 43)

  /// Masks with many values in different places.
  private static let masks: [any Filter] = (0..<16).map { number -> any Filter in
    let share = Double(number) / 16
    if number % 2 == 0 {
      var mask = MaskRadial()
      mask.center = [0.2 + 0.6 * share, 0.7 - 0.5 * share]
      mask.radius = [0.3 + 0.3 * share, 0.5 - 0.2 * share]
      (mask.angle, mask.feather) = (40 * share, 0.9)
      return mask
    }
    var mask = MaskLinear()
    mask.from = [share, 0.1]
    mask.to = [1 - share, 0.8]
    return mask
  }

  /// A graph that inverts an image through a group of the first masks.
  private static func graph(
    _ members: [MaskMember], of count: Int? = nil, opacity: Double = 1
  ) throws -> FilterGraph {
    var graph = FilterGraph()
    var names: [String] = []
    for mask in masks.prefix(count ?? members.count) {
      names.append(try graph.append(mask, id: "m\(names.count)", inputs: []))
    }
    try graph.append(MaskGroup(members), id: "g", inputs: names, opacity: opacity)
    try graph.append(Invert(amount: 1), mask: "g")
    return graph
  }

  /// The coverage of a mask: a black image that is inverted through it.
  private static func coverage(
    _ graph: FilterGraph, _ options: RenderOptions = RenderOptions()
  ) throws -> [Float] {
    let black = ImageBuffer(size: size, layout: RowLayout(channels: .gray))
    return try Renderer.raster(Charts.source(black), graph, options: options).rgb[0]
  }

  /// The coverage of a group in double precision, from the values of its masks.
  private static func defined(_ members: [MaskMember], _ masks: [Double]) -> Double {
    var coverage = members[0].operation == .add ? 0.0 : 1
    for (member, mask) in zip(members, masks) {
      let value = member.isInverted ? 1 - mask : mask
      let result =
        switch member.operation {
        case .add: 1 - (1 - coverage) * (1 - value)
        case .subtract: coverage * (1 - value)
        case .intersect: coverage * value
        }
      coverage += member.opacity * (result - coverage)
    }
    return coverage
  }

  /// The values of the first masks at each pixel, in double precision.
  private static func values(_ count: Int) throws -> [[Double]] {
    let generators = try masks.prefix(count).map { mask -> MaskGenerator in
      let operation = try #require(mask.lowered(in: LoweringContext(size: size)).first)
      guard case .layer(let layer) = operation, case .mask(let generator) = layer.source else {
        throw NoMask()
      }
      return generator
    }
    return (0..<size.pixelCount).map { pixel in
      generators.map { $0.value(x: pixel % size.width, y: pixel / size.width) }
    }
  }

  private struct NoMask: Error {}

  /// A member with each operation, inverted or not, at three opacities.
  static let single: [MaskMember] = {
    var members: [MaskMember] = []
    for operation in MaskMember.Operation.allCases {
      for opacity in [1, 0.35, 0] {
        members.append(MaskMember(operation, opacity: opacity))
        members.append(MaskMember(operation, opacity: opacity, isInverted: true))
      }
    }
    return members
  }()

  /// Sixteen members of every kind.
  static let sixteen: [MaskMember] = (0..<16).map { number -> MaskMember in
    let operations: [MaskMember.Operation] = [.add, .subtract, .add, .intersect]
    let opacity = 1 - Double(number % 5) * 0.2
    return MaskMember(operations[number % 4], opacity: opacity, isInverted: number % 3 == 2)
  }

  static let lists: [[MaskMember]] = {
    var lists: [[MaskMember]] = [sixteen]
    for member in single {
      lists.append([member])
      lists.append([MaskMember(), member])
      lists.append([member, MaskMember(.add, opacity: 0.6), MaskMember(.intersect)])
    }
    return lists
  }()

  @Test(arguments: lists)
  func `a group is its definition`(members: [MaskMember]) throws {
    let coverage = try Self.coverage(Self.graph(members))
    let expected = try Self.values(members.count).map { Self.defined(members, $0) }
    let most = zip(coverage, expected).map { abs(Double($0) - $1) }.max() ?? 1
    #expect(most * 255 <= 0.02)
  }

  @Test(
    arguments: zip(MaskCombination.allCases, [MaskMember.Operation.add, .intersect, .subtract]))
  func `two masks combined by a mode are a group of two`(
    mode: MaskCombination, operation: MaskMember.Operation
  ) throws {
    var combined = try Self.graph([], of: 2)
    try combined.append(MaskCombine(mode), id: "c", inputs: ["m0", "m1"])
    try combined.append(Invert(amount: 1), inputs: [FilterGraph.sourceName], mask: "c")
    let group = try Self.graph([MaskMember(), MaskMember(operation)])
    let (lowered, expected) = (
      try group.lowered(size: Self.size), try combined.lowered(size: Self.size)
    )
    #expect(lowered == expected)
    #expect(try Self.coverage(group) == Self.coverage(combined))
  }

  @Test func `a group without members adds its masks`() throws {
    let plain = Array(repeating: MaskMember(), count: 5)
    #expect(try Self.coverage(Self.graph([], of: 5)) == Self.coverage(Self.graph(plain)))
  }

  @Test func `a group can be a member, and has an opacity of its own`() throws {
    var graph = try Self.graph([MaskMember(), MaskMember(.subtract)], opacity: 0.7)
    try graph.remove(node: "n4")
    try graph.append(
      MaskGroup([MaskMember(.add), MaskMember(.intersect, isInverted: true)]), id: "h",
      inputs: ["m1", "g"])
    try graph.append(Invert(amount: 1), mask: "h")
    let expected = try Self.values(2).map { masks in
      let inner = 0.7 * masks[0] * (1 - masks[1])
      return masks[1] * (1 - inner)
    }
    let most = zip(try Self.coverage(graph), expected).map { abs(Double($0) - $1) }.max() ?? 1
    #expect(most * 255 <= 0.02)
  }

  @Test(arguments: [1, 5, 1000])
  func `strips of any height and any number of threads give the same bits`(height: Int) throws {
    let graph = try Self.graph(Self.sixteen)
    var options = RenderOptions()
    (options.stripHeight, options.threads) = (height, 3)
    #expect(try Self.coverage(graph, options) == Self.coverage(graph))
  }

  /// A stored copy of a mask for each member would be a stage of its own.
  @Test func `the masks of a group are combined row by row in one stage`() throws {
    let lowered = try Self.graph(Self.sixteen).lowered(size: Self.size)
    let plan = RenderPlan(
      lowered.parts,
      source: StripShape(size: Self.size, format: .packed(RowLayout(channels: .rgb))),
      orientation: .up, background: .white, result: .floats)
    // The masks themselves, their combination, and the filter.
    #expect(plan.stages.count == 16 + 1 + 1)
    #expect(plan.stages.map(\.sides.count).sorted().suffix(2) == [1, 15])
  }

  @Test(arguments: 0..<4)
  func `a group leaves out a mask that is disabled`(disabled: Int) throws {
    let members = [
      MaskMember(.add, opacity: 0.8), MaskMember(.subtract, isInverted: true),
      MaskMember(.intersect, opacity: 0.5), MaskMember(.add),
    ]
    var graph = try Self.graph(members)
    try graph.setEnabled(false, node: "m\(disabled)")
    var others = members
    others.remove(at: disabled)
    let expected = try Self.values(4).map { masks -> Double in
      var values = masks
      values.remove(at: disabled)
      return Self.defined(others, values)
    }
    let most = zip(try Self.coverage(graph), expected).map { abs(Double($0) - $1) }.max() ?? 1
    #expect(most * 255 <= 0.02)
  }

  @Test func `a group whose masks are all disabled covers the whole image`() throws {
    var graph = try Self.graph([MaskMember(), MaskMember(.subtract)])
    for name in ["m0", "m1"] { try graph.setEnabled(false, node: name) }
    #expect(try Self.coverage(graph).allSatisfy { $0 == 1 })
  }

  @Test(arguments: [
    (17, 16, "mask.group: invalid members 17 members (allowed: 0…16 members "),
    (17, 17, "17 inputs ('mask.group' takes 1…16)"), (0, 17, "17 inputs ('mask.group' takes 1…16)"),
    (0, 0, "0 inputs ('mask.group' takes 1…16)"),
    (
      2, 3,
      "node 'g': mask.group: 2 members for 3 masks, none for 'm2'; give each mask in 'in' a member, "
        + "or leave all members out to add the masks"
    ),
    (3, 2, "mask.group: 3 members for 2 masks, no mask for member 3; give each mask"),
  ])
  func `another number of masks is refused`(
    members: Int, masks: Int, sentence: String
  ) throws {
    let nodes = (0..<masks).map { #"{"filter":"mask.radial","id":"m\#($0)","in":[]}"# }
    let names = (0..<masks).map { #""m\#($0)""# }.joined(separator: ",")
    let list = Array(repeating: #"{"op":"add"}"#, count: members).joined(separator: ",")
    let group =
      #"{"filter":"mask.group","id":"g","in":[\#(names)],"params":{"members":[\#(list)]}}"#
    let all = (nodes + [group, #"{"filter":"invert","mask":"g"}"#]).joined(separator: ",")
    let text = #"{"format":"org.photoedit.filter-graph","nodes":[\#(all)],"version":"1.0"}"#
    let graph = try FilterGraph(json: Array(text.utf8))
    let error = try #require(throws: UnsupportedNode.self) { try graph.lowered(size: Self.size) }
    #expect("\(error)".contains(sentence), "\(error)")
  }

  @Test func `an image as a member is refused with its name`() throws {
    var graph = FilterGraph()
    try graph.append(MaskRadial(), id: "a", inputs: [])
    try graph.append(Invert(amount: 1), id: "b")
    try graph.append(MaskGroup(), id: "g", inputs: ["a", "b"])
    try graph.append(Invert(amount: 1), mask: "g")
    let error = try #require(throws: UnsupportedNode.self) { try graph.lowered(size: Self.size) }
    #expect("\(error)" == "node 'g': not supported: image 'b' used as a mask")
  }
}
