// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import Testing

@Suite("Filters in command-line notation")
struct FilterArgumentTests {
  @Test(arguments: [
    ("gamma", "gamma"), ("gamma:", "gamma"), ("gamma:power=2", "gamma|power=2"),
    ("gamma:power=2,", "gamma|power=2"), ("gamma:,power=2,,opacity=1", "gamma|power=2|opacity=1"),
    ("curve:points=0:0/1:1", "curve|points=0:0/1:1"), ("a:b=c=d", "a|b=c=d"), ("a:b=", "a|b="),
    ("lut3d:file=a,b.cube", "lut3d|file=a,b.cube"), ("lut3d:file=a,,b,", "lut3d|file=a,,b,"),
    ("text:text=a, b=c,,d = e,size=1", "text|text=a, b=c,,d = e|size=1"),
    ("lut3d:file=a,b,amount=1", "lut3d|file=a,b|amount=1"), (":a=1", "|a=1"),
  ])
  func `an argument is a name and pairs`(text: String, parts: String) throws {
    let argument = try FilterArgument(text)
    let pairs = argument.pairs.map { "\($0.key)=\($0.value)" }
    #expect(([argument.name] + pairs).joined(separator: "|") == parts)
    #expect(try FilterArgument("\(argument)").pairs.elementsEqual(argument.pairs, by: ==))
  }

  @Test(arguments: ["", "power=2", "gamma:power", "gamma:=2", "gamma:power=2,x", "lut3d:file=a,=b"])
  func `other text is rejected`(text: String) {
    #expect(throws: ParameterError.malformed(argument: text)) { try FilterArgument(text) }
    #expect(throws: ParameterError.malformed(argument: text)) {
      try FilterCatalog.filter(argument: text)
    }
  }

  @Test func `the first value of a key is taken, a second one is rejected`() throws {
    var argument = try FilterArgument("gamma:opacity=1,power=2,opacity=0.5")
    #expect(argument["opacity"] == "1" && argument["id"] == nil)
    #expect(argument.take(["opacity", "id"]) == ["opacity": "1"])
    #expect(argument.description == "gamma:power=2,opacity=0.5")
    #expect(throws: ParameterError.repeated(name: "power", "gamma:power=1,power=2")) {
      try FilterCatalog.filter(argument: "gamma:power=1,power=2")
    }
  }
}
