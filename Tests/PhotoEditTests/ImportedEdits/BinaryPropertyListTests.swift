// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditContainers
import PhotoEditTestSupport
import Testing

@testable import PhotoEdit

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  @Test func `every kind of value is read`() throws {
    let list = BinaryList([
      .array([
        .number(-5), .number(.max), .text("plain"), .wide("Größe 😀"), .data([1, 2, 255]),
        .real(0.25), .date(86_400), .flag(true), .flag(false), .dictionary([("a", .array([]))]),
        .text(String(repeating: "long ", count: 60)),
      ])
    ])
    let expected: [PropertyListValue] = [
      .integer(-5), .integer(.max), .string("plain"), .string("Größe 😀"),
      .data(Data([1, 2, 255])), .real(0.25), .date(Date(timeIntervalSinceReferenceDate: 86_400)),
      .bool(true), .bool(false), .dictionary(["a": .array([])]),
      .string(String(repeating: "long ", count: 60)),
    ]
    #expect(try BinaryPropertyList.value(of: list.bytes) == .array(expected))
  }

  @Test func `the output of another encoder is read as the same value`() throws {
    let values: [String: PropertyListValue] = [
      "text": .string("é"), "ascii": .string("e"), "number": .integer(-1), "big": .integer(70_000),
      "data": .data(Data((0...255).map { UInt8($0) })), "real": .real(-1.5), "yes": .bool(true),
      "list": .array([.integer(1), .string("two"), .dictionary(["three": .real(3.25)])]),
      "date": .date(Date(timeIntervalSince1970: 1_000_000_000)),
    ]
    let encoder = PropertyListEncoder()
    encoder.outputFormat = .binary
    let bytes = Array(try encoder.encode(values))
    #expect(try PropertyList(bytes: bytes).values == values)
  }

  @Test func `a list that expands over the limits is rejected immediately`() throws {
    // Thirty arrays of ten references to the next: 10³⁰ values in a file of a kilobyte.
    var objects: [BinaryList.Object] = (0..<30).map {
      .references(Array(repeating: $0 + 1, count: 10))
    }
    objects.append(.text("ha"))
    let bytes = BinaryList(objects).bytes
    #expect(bytes.count < 1500)
    #expect(throws: PropertyList.NotReadable.self) { try BinaryPropertyList.value(of: bytes) }
  }

  @Test func `repeated references to a text do not exceed the limits`() throws {
    let text = String(repeating: "x", count: 60_000)
    func list(_ count: Int) -> [UInt8] {
      BinaryList([.references(Array(repeating: 1, count: count)), .text(text)]).bytes
    }
    #expect(try BinaryPropertyList.value(of: list(200)) != .array([]))
    #expect(throws: PropertyList.NotReadable.self) { try BinaryPropertyList.value(of: list(400)) }
  }

  @Test func `objects that contain themselves are rejected`() {
    for objects: [BinaryList.Object] in [
      [.references([0])], [.references([1]), .references([0])],
    ] {
      let bytes = BinaryList(objects).bytes
      #expect(throws: PropertyList.NotReadable.self) { try BinaryPropertyList.value(of: bytes) }
    }
  }

  @Test func `trailer offsets outside the file are rejected`() {
    let whole = BinaryList([.array([.number(1), .text("a")])]).bytes
    for offset in 1...26 {
      for value: UInt8 in [0, 3, 16, 127, 128, 255] {
        var bytes = whole
        bytes[bytes.count - offset] = value
        // Some changes give another list; none may cause a crash.
        _ = try? BinaryPropertyList.value(of: bytes)
      }
    }
    var bytes = whole
    for offset in 1...8 { bytes[bytes.count - offset] = 255 }
    #expect(throws: PropertyList.NotReadable.self) { try BinaryPropertyList.value(of: bytes) }
  }

  @Test func `every truncation is rejected`() {
    let whole = BinaryList([.dictionary([("a", .data([1, 2, 3])), ("b", .real(2))])]).bytes
    for count in 0..<whole.count {
      #expect(throws: PropertyList.NotReadable.self, "\(count) bytes") {
        try BinaryPropertyList.value(of: Array(whole.prefix(count)))
      }
    }
  }
}
