// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import Testing

@Suite("Editing groups of masks")
struct MaskGroupEditingTests {
  private static let members = [
    MaskMember(.add, name: "Sky, left/right 50 %"),
    MaskMember(.subtract, opacity: 0.25, isInverted: true), MaskMember(.intersect, opacity: 0.5),
  ]

  /// A group of three masks, and a fourth one that is not in it.
  private static func graph(_ members: [MaskMember] = members) throws -> FilterGraph {
    var graph = FilterGraph()
    for name in ["a", "b", "c", "d"] { try graph.append(MaskRadial(), id: name, inputs: []) }
    try graph.append(MaskGroup(members), id: "g", inputs: ["a", "b", "c"])
    try graph.append(Invert(amount: 1), id: "e", mask: "g")
    return graph
  }

  private static func members(_ graph: FilterGraph) throws -> [MaskMember] {
    try #require(try graph.nodes.first { $0.id == "g" }?.resolved() as? MaskGroup).members
  }

  private static func inputs(_ graph: FilterGraph) throws -> [String?]? {
    let node = graph.document["nodes"]?.arrayValue?.first { $0["id"] == "g" }
    return node?["in"]?.arrayValue?.map(\.stringValue)
  }

  @Test func `a group is stored as its masks and their members`() throws {
    let graph = try Self.graph()
    let text = String(decoding: graph.canonicalBytes(), as: UTF8.self)
    #expect(
      text.contains(
        #"{"filter":"mask.group","id":"g","in":["a","b","c"],"params":{"members":["#
          + #"{"name":"Sky, left/right 50 %","op":"add"},"#
          + #"{"invert":true,"op":"subtract","opacity":0.25},{"op":"intersect","opacity":0.5}]},"v":1}"#
      ), "\(text)")
    let read = try FilterGraph(json: graph.canonicalBytes())
    #expect(read == graph && read.canonicalBytes() == graph.canonicalBytes())
    #expect(try Self.members(read) == Self.members)
    #expect(read.blockingReasons.isEmpty)
  }

  @Test func `an empty list of members is stored as one`() throws {
    let graph = try Self.graph([])
    let read = try FilterGraph(json: graph.canonicalBytes())
    #expect(read == graph && read.blockingReasons.isEmpty)
    #expect(String(decoding: read.canonicalBytes(), as: UTF8.self).contains(#""members":[]"#))
  }

  @Test func `members are written on the command line`() throws {
    let argument = "add=Sky%2C left%2Fright 50 %25/subtract:0.25:invert/intersect:0.5"
    let filter = try FilterCatalog.filter(argument: "mask.group:members=\(argument)")
    #expect((filter as? MaskGroup)?.members == Self.members)
    #expect(filter.values["members"]?.argument == argument)
    for name in ["", "%", "=/=", "\u{301}x", "%2F", "Ä\u{1F600}"] {
      for isInverted in [false, true] {
        let group = MaskGroup([MaskMember(.subtract, isInverted: isInverted, name: name)])
        let argument = try #require(group.values["members"]?.argument)
        let read = try FilterCatalog.filter(argument: "mask.group:members=\(argument)")
        #expect((read as? MaskGroup)?.members == group.members, "\(argument)")
      }
    }
    let bare = try FilterCatalog.filter(argument: "mask.group")
    #expect((bare as? MaskGroup)?.members == [])
  }

  @Test(arguments: [
    ("add/xor", "'xor' as member 2"), ("add/", "'' as member 2"), ("add:half", "'add:half'"),
    ("add:1:1", "'add:1:1' as member 1"), ("add:invert:0.5", "'add:invert:0.5'"),
    ("add=50%", "'add=50%'"), ("add=%ff", "'add=%ff'"), ("add=%+1", "'add=%+1'"),
    ("add/add:1.5", "opacity 1.5 of member 2"), ("add:-0.1", "opacity -0.1 of member 1"),
    ("add=a%0Ab", "name with the control character 10 of member 1"),
    ("add=\(String(repeating: "x", count: 101))", "name of 101 bytes of member 1"),
    (Array(repeating: "add", count: 17).joined(separator: "/"), "17 members"),
  ])
  func `a wrong member is named with what is allowed`(argument: String, what: String) throws {
    let error = try #require(throws: ParameterError.self) {
      try FilterCatalog.filter(argument: "mask.group:members=\(argument)")
    }
    #expect("\(error)".contains("mask.group: invalid members \(what)"), "\(error)")
    #expect("\(error)".contains("add, subtract, intersect, opacity 0…1"), "\(error)")
  }

  @Test(arguments: [
    (#"{"op":"add"},{"op":"xor"}"#, "op 'xor' of member 2"), ("{}", "no op of member 1"),
    (#"{"op":1}"#, "op that is no text of member 1"), ("1,[]", "no object of member 1"),
    (#"{"op":"add","color":"red"}"#, "unknown key 'color' of member 1"),
    (#"{"op":"add","opacity":"half"}"#, "opacity of another type of member 1"),
    (#"{"op":"add","invert":1}"#, "invert of another type of member 1"),
    (#"{"op":"add","opacity":2}"#, "opacity 2 of member 1"),
  ])
  func `a wrong member of a stored edit is named`(members: String, what: String) throws {
    let graph = try FilterGraph(
      json: FilterGraphTests.document(
        #"{"filter":"mask.group","id":"g","params":{"members":[\#(members)]}}"#))
    let error = try #require(throws: UnsupportedNode.self) { try graph.nodes[0].resolved() }
    #expect(
      "\(error)".contains("node 'g': mask.group: invalid members \(what) (allowed:"), "\(error)")
  }

  @Test func `a mask of a group is removed from it before it is removed`() throws {
    var graph = try Self.graph()
    let error = try #require(throws: GraphEditError.self) { try graph.remove(node: "b") }
    #expect(error == .memberOfGroup("b", group: "g", others: ["a", "c"]))
    #expect(
      "\(error)" == "mask 'b' is a member of group 'g'; set g.in=a:c first, or remove the group")
    try graph.set(node: "g", parameter: "in", argument: "a:c")
    try graph.remove(node: "b")
    #expect(try Self.members(graph) == [Self.members[0], Self.members[2]])
    #expect(graph.blockingReasons.isEmpty)
    try graph.set(node: "g", parameter: "in", argument: "c")
    #expect(
      throws: GraphEditError.memberOfGroup("c", group: "g", others: [])
    ) { try graph.remove(node: "c") }
    // A mask of a filter is no member.
    #expect(throws: GraphEditError.nodeInUse("g", by: "e")) { try graph.remove(node: "g") }
  }

  @Test func `each mask keeps its member when masks are added, removed and reordered`() throws {
    var graph = try Self.graph()
    try graph.set(node: "g", parameter: "in", argument: "c:d:a:a")
    #expect(try Self.inputs(graph) == ["c", "d", "a", "a"])
    #expect(
      try Self.members(graph) == [Self.members[2], MaskMember(), Self.members[0], MaskMember()])
    try graph.set(node: "g", parameter: "members", argument: "add/add/subtract/intersect")
    #expect(try Self.members(graph).map(\.operation) == [.add, .add, .subtract, .intersect])
    #expect(graph.blockingReasons.isEmpty)
    let before = graph
    for bad in ["a:e", "a:z", "g", Array(repeating: "a", count: 17).joined(separator: ":")] {
      #expect(throws: GraphEditError.self, "\(bad)") {
        try graph.set(node: "g", parameter: "in", argument: bad)
      }
      #expect(graph == before)
    }
    // Without members, none are made.
    graph = try Self.graph([])
    try graph.set(node: "g", parameter: "in", argument: "d:a")
    #expect(try Self.members(graph) == [] && Self.inputs(graph) == ["d", "a"])
  }

  @Test func `a group that is added to another edit keeps its masks`() throws {
    var graph = try Self.graph()
    try graph.append(Self.graph())
    #expect(graph.blockingReasons.isEmpty)
    let added = try #require(graph.nodes.last { $0.filter == "mask.group" })
    #expect((try added.resolved() as? MaskGroup)?.members == Self.members)
    let names = graph.nodes.suffix(6).map(\.id)
    let node = graph.document["nodes"]?.arrayValue?.first { $0["id"]?.stringValue == added.id }
    #expect(node?["in"]?.arrayValue?.map(\.stringValue) == Array(names.prefix(3)))
  }

  @Test func `the changes of a group are listed`() throws {
    var graph = try Self.graph()
    try graph.set(node: "g", parameter: "in", argument: "a:c")
    let changes = graph.changes(from: try Self.graph()).map(\.description)
    #expect(changes.contains("mask.group.in a:b:c → a:c"), "\(changes)")
    #expect(
      changes.contains {
        $0.hasPrefix("mask.group.members add=Sky%2C left") && $0.hasSuffix("/intersect:0.5")
      }, "\(changes)")
  }

  @Test func `the inputs of any node can be set`() throws {
    var graph = try FilterGraph(
      json: FilterGraphTests.document(
        #"{"id":"a","filter":"gamma"},{"id":"b","filter":"gamma"},{"id":"c","filter":"invert"}"#))
    try graph.set(node: "c", parameter: "in", argument: "a")
    #expect(graph.needed.map(\.id) == ["a", "c"])
    try graph.set(node: "c", parameter: "in", argument: "source")
    #expect(graph.needed.map(\.id) == ["c"])
    try graph.set(node: "c", parameter: "in", argument: "")
    #expect(graph.needed.map(\.id) == ["a", "b", "c"])
  }
}
