// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import Testing

@Suite("Filter graph documents")
struct FilterGraphTests {
  /// A document with the given nodes and additional envelope keys.
  static func document(_ nodes: String, _ more: String = "", version: String = "1.0") -> [UInt8] {
    Array(
      #"{"format":"org.photoedit.filter-graph","version":"\#(version)","nodes":[\#(nodes)]\#(more)}"#
        .utf8)
  }

  private static let gamma = #"{"id":"a","filter":"gamma","v":1,"params":{"power":2}}"#

  // MARK: The canonical form

  @Test func `the canonical form has sorted keys, short numbers and every parameter`() throws {
    var graph = try FilterGraph([Exposure(ev: 0.35), Grayscale(.average, amount: 0.5)])
    graph.source = .init(
      size: PixelSize(width: 4032, height: 3024), orientation: .right, digest: SHA256Digest(of: []))
    let expected =
      #"{"format":"org.photoedit.filter-graph","nodes":["#
      + #"{"filter":"exposure","id":"n1","params":{"black":0,"ev":0.35,"rolloff":0},"v":2},"#
      + #"{"filter":"grayscale","id":"n2","params":{"amount":0.5,"mode":"average"},"v":2}],"#
      + ##""output":{"background":"#ffffff"},"requires":["exposure@2","grayscale@2"],"source":{"##
      + #""digest":"sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855","#
      + #""height":3024,"orientation":6,"width":4032},"version":"1.0"}"#
    #expect(String(decoding: graph.canonicalBytes(), as: UTF8.self) == expected)
    #expect(graph.digest == SHA256Digest(of: Array(expected.utf8)))
    #expect(try FilterGraph(json: graph.canonicalBytes()) == graph)
  }

  @Test func `notation, order and white space of a document do not change its identity`() throws {
    let first = try FilterGraph(json: Self.document(Self.gamma))
    let second = try FilterGraph(
      json: Array(
        """
        { "nodes" : [ {"params":{"power":20e-1}, "v":1.0, "filter":"gamm\\u0061", "id":"a",
          "enabled": true, "opacity": 1} ],
          "version":"1.0", "format":"org.photoedit.filter-graph" }
        """.utf8))
    #expect(first.digest == second.digest && first == second)
  }

  @Test func `differences after nine digits do not change the identity of an edit`() throws {
    let digests = try [0.1 + 0.2, 0.3, 0.300000000004].map {
      try FilterGraph([Brightness($0)]).digest
    }
    #expect(Set(digests).count == 1)
    #expect(try FilterGraph([Brightness(0.300000001)]).digest != digests[0])
  }

  @Test func `the canonical form is stable`() throws {
    let graph = try FilterGraph([
      Crop(x: 0.1, y: 0.2, width: 0.3, height: 0.4), Vignette(amount: 1),
    ])
    let bytes = graph.canonicalBytes()
    #expect(try FilterGraph(json: bytes).canonicalBytes() == bytes)
    #expect(try FilterGraph(json: Array(graph.prettyPrinted.utf8)).canonicalBytes() == bytes)
  }

  // MARK: Unknown values

  @Test func `unknown values are kept byte for byte`() throws {
    let text =
      #"{"assets":{"logo":{"bytes":18231,"type":"image/png"}},"ext":{"com.acme":[1,null,"é"]},"#
      + #""format":"org.photoedit.filter-graph","nodes":["#
      + #"{"filter":"glow","id":"a","params":{"deep":{"x":[[1e-7]]},"s":"\u0001"},"tag":"me","v":7},"#
      + #"{"blend":"screen","filter":"gamma","id":"b","in":["a"],"mask":"a","opacity":0.25,"#
      + #""params":{"power":2,"soft":true},"v":1},"#
      + #"{"enabled":false,"filter":"com.acme.haze","id":"c","in":["a","b"],"params":{},"v":2}],"#
      + ##""output":{"background":"#010203","node":"b","size":"A4"},"requires":["##
      + #""gamma@1","glow@7","magic@1"],"source":{"camera":"x","digest":"sha256:\#(SHA256Digest(of: []).hex)","#
      + #""height":2,"orientation":1,"width":3},"version":"1.7"}"#
    let graph = try FilterGraph(json: Array(text.utf8))
    #expect(String(decoding: graph.canonicalBytes(), as: UTF8.self) == text)
    // They are also kept when the graph is edited.
    let longer = try graph.appending([Gamma(power: 3)])
    #expect(String(decoding: longer.canonicalBytes(), as: UTF8.self).contains(#""tag":"me""#))
    #expect(
      graph.blockingReasons.map(\.description) == [
        "not supported: 'magic@1' (required by the document)",
        "node 'a': unknown filter 'glow'",
        "node 'b': not supported: image 'a' used as a mask",
        "node 'b': gamma: unknown parameter 'soft' (see 'photoedit filters gamma')",
      ])
  }

  @Test(arguments: [
    (#"{"filter":"glow"}"#, "node 'n1': unknown filter 'glow'"),
    (
      #"{"filter":"gamma","v":2,"params":{"power":2}}"#,
      "node 'n1': 'gamma' version 2 is not supported (supported: 1–1)"
    ),
    (
      #"{"filter":"gamma","v":0}"#,
      "node 'n1': 'gamma' version 0 is not supported (supported: 1–1)"
    ),
    (
      #"{"filter":"gamma","params":{"powr":2}}"#,
      "node 'n1': gamma: unknown parameter 'powr'; did you mean 'power'? "
        + "(see 'photoedit filters gamma')"
    ),
    (
      #"{"filter":"gamma","params":{"power":11}}"#,
      "node 'n1': gamma: invalid power 11 (allowed: 0.1…10)"
    ),
    (
      #"{"filter":"gamma","params":{"power":"much"}}"#,
      "node 'n1': gamma: invalid power 'much' (allowed: 0.1…10)"
    ),
    (
      #"{"filter":"gamma","params":{"power":{}}}"#,
      "node 'n1': gamma: invalid power (unsupported JSON type) "
        + "(allowed: 0.1…10)"
    ),
    (
      #"{"filter":"levels","params":{"inBlack":0.5,"inWhite":0.5}}"#,
      "node 'n1': levels: inBlack and inWhite must differ by 0.0001 or more"
    ),
    (
      #"{"filter":"gamma","blend":"glow"}"#,
      "node 'n1': not supported: blend mode 'glow'"
    ),
    (
      #"{"filter":"gamma","in":[]}"#,
      "node 'n1': not supported: 0 inputs ('gamma' takes 1)"
    ),
    (
      #"{"filter":"crop","opacity":0.5,"params":{"w":0.5}}"#,
      "node 'n1': not supported: opacity on a geometric filter"
    ),
    // Aliases are for command-line input, never for stored edits.
    (#"{"filter":"blur"}"#, "node 'n1': unknown filter 'blur'"),
    (#"{"filter":"Gamma"}"#, "node 'n1': unknown filter 'Gamma'"),
  ])
  func `the reason for an unsupported node is one sentence`(node: String, sentence: String) throws {
    let graph = try FilterGraph(json: Self.document(node))
    #expect(graph.blockingReasons.map(\.description) == [sentence])
  }

  @Test func `a disabled unsupported node is kept and does not prevent rendering`() throws {
    let node = #"{"enabled":false,"filter":"glow","id":"x","params":{"a":1},"v":99}"#
    let graph = try FilterGraph(json: Self.document(node + "," + Self.gamma))
    #expect(graph.blockingReasons.isEmpty && graph.nodes.count == 2)
    #expect(String(decoding: graph.canonicalBytes(), as: UTF8.self).contains(node))
    // A disabled node adds no requirement.
    #expect(!String(decoding: graph.canonicalBytes(), as: UTF8.self).contains("glow@99"))
  }

  @Test func `the order of a document's requirements does not change the graph`() throws {
    let one = try FilterGraph(
      json: Self.document(Self.gamma, #","requires":["b@1","a@1","b@1"]"#))
    let other = try FilterGraph(json: Self.document(Self.gamma, #","requires":["a@1","b@1"]"#))
    #expect(one == other)
    #expect(one.digest == other.digest)
    #expect(try FilterGraph(json: one.canonicalBytes()) == one)
  }

  @Test(arguments: [
    (#""gamma@1""#, true), (#""gamma@2""#, false), (#""gamma@0""#, false), (#""glow@1""#, false),
    (#""gamma""#, false), (#""exposure@1""#, true), (#""""#, false),
  ])
  func `a document with an unknown requirement is unsupported`(
    requirement: String, isKnown: Bool
  ) throws {
    let graph = try FilterGraph(
      json: Self.document(Self.gamma, #","requires":[\#(requirement)]"#))
    #expect(graph.blockingReasons.isEmpty == isKnown)
  }

  @Test(arguments: [
    ("1.0", true), ("1.7", true), ("1.10", true), ("2.0", false), ("1", false),
    ("0.9", false), ("1.", false), ("1.x", false), ("1.0.0", false), ("", false), ("11.0", false),
    ("1.1234567890", false),
  ])
  func `every minor but no other major version is read`(version: String, isRead: Bool) throws {
    #expect(FilterGraph.canRead(version: version) == isRead)
    let bytes = Self.document(Self.gamma, #","new":1"#, version: version)
    if isRead {
      let text = String(decoding: try FilterGraph(json: bytes).canonicalBytes(), as: UTF8.self)
      #expect(text.contains(#""version":"\#(version)""#) && text.contains(#""new":1"#))
    } else {
      #expect(throws: GraphError.otherVersion(version)) { try FilterGraph(json: bytes) }
    }
  }

  // MARK: Invalid documents

  @Test(arguments: [
    (#"{"filter":"gamma","id":"a","in":["a"]}"#, "'in' refers to 'a'"),
    (#"{"filter":"gamma","id":"a","in":["b"]},{"filter":"gamma","id":"b"}"#, "'in' refers to 'b'"),
    (#"{"filter":"gamma","id":"a","mask":"z"}"#, "'mask' refers to 'z'"),
    (#"{"filter":"gamma","id":"a"},{"filter":"gamma","id":"a"}"#, "duplicate node id 'a'"),
    (#"{"filter":"gamma"},{"filter":"gamma","id":"n1"}"#, "duplicate node id 'n1'"),
    (#"{"filter":"gamma","opacity":1.5}"#, "'nodes[0].opacity' must be a number from 0 to 1"),
    (#"{"filter":"gamma","enabled":1}"#, "'nodes[0].enabled' must be true or false"),
    (#"{"filter":"gamma","v":1.5}"#, "'nodes[0].v' must be a whole number"),
    (#"{"filter":""}"#, "'nodes[0].filter' must be the name of a filter"),
    (#"{"filter":"gamma","id":""}"#, "'nodes[0].id' must be a name"),
    (
      #"{"filter":"gamma","id":"source"}"#,
      "'nodes[0].id' must be a name other than 'source', which is the source image"
    ),
    (#"{"filter":"gamma","params":[]}"#, "'nodes[0].params' must be an object"),
    (#"{"filter":"gamma","in":"a"}"#, "'nodes[0].in' must be an array"),
    (#"7"#, "'nodes[0]' must be an object"),
    (#"{"filter":"gamma","params":{"power":1e400}}"#, "not a filter graph"),
    (#"{"filter":"gamma","filter":"invert"}"#, "not a filter graph"),
  ])
  func `an invalid document is rejected with the invalid key`(nodes: String, part: String) {
    #expect {
      try FilterGraph(json: Self.document(nodes))
    } throws: {
      "\($0)".contains(part)
    }
  }

  @Test(arguments: [
    #","output":{"node":"zz"}"#, #","output":{"node":1}"#, #","output":{"background":"white"}"#,
    ##","output":{"background":"#12345g"}"##, #","output":[]"#, #","requires":"gamma@1""#,
    #","requires":[1]"#, #","source":{"width":1}"#,
    #","source":{"width":-1,"height":1,"orientation":1,"digest":"sha256:00"}"#,
    #","nodes":[]"#, #","format":"x""#,
  ])
  func `an invalid envelope is rejected`(more: String) {
    #expect(throws: GraphError.self) { try FilterGraph(json: Self.document(Self.gamma, more)) }
  }

  @Test(arguments: ["", "[]", "{}", "null", #"{"format":"other","version":"1.0","nodes":[]}"#, "{"])
  func `a text that is not a filter graph is rejected`(text: String) {
    #expect(throws: GraphError.self) { try FilterGraph(json: Array(text.utf8)) }
  }

  @Test func `512 nodes are read and 513 are rejected`() throws {
    func nodes(_ count: Int) -> [UInt8] {
      Self.document((0..<count).map { _ in #"{"filter":"invert"}"# }.joined(separator: ","))
    }
    #expect(try FilterGraph(json: nodes(512)).nodes.count == 512)
    #expect(throws: GraphError.tooManyNodes(513)) { try FilterGraph(json: nodes(513)) }
  }

  @Test func `two mebibytes are read and one byte more is rejected`() throws {
    let graph = Self.document(Self.gamma)
    func padded(_ count: Int) -> [UInt8] {
      graph + Array(repeating: UInt8(ascii: " "), count: count - graph.count)
    }
    #expect(throws: Never.self) { try FilterGraph(json: padded(FilterGraph.maximumBytes)) }
    #expect(throws: GraphError.self) { try FilterGraph(json: padded(FilterGraph.maximumBytes + 1)) }
  }

  @Test(arguments: [(64, true), (65, false)])
  func `a node has at most 64 inputs`(count: Int, isRead: Bool) {
    let names = Array(repeating: #""a""#, count: count).joined(separator: ",")
    let nodes = Self.gamma + #",{"filter":"blend","in":[\#(names)]}"#
    #expect(((try? FilterGraph(json: Self.document(nodes))) != nil) == isRead)
  }
}
