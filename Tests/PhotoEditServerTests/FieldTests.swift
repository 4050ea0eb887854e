// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditServer

@Suite("Header fields")
struct FieldTests {
  @Test(arguments: [
    ("bytes=0-3", ByteRange.part(0..<4)), ("bytes=2-", .part(2..<10)), ("bytes=-3", .part(7..<10)),
    ("bytes=-99", .part(0..<10)), ("bytes=4-99", .part(4..<10)), ("bytes=9-9", .part(9..<10)),
    ("bytes=10-", .unsatisfiable), ("bytes=10-12", .unsatisfiable), ("bytes=-0", .unsatisfiable),
    ("bytes=5-4", .whole), ("bytes=0-1,3-4", .whole), ("bytes=", .whole), ("bytes=-", .whole),
    ("items=0-1", .whole), ("bytes=a-b", .whole), ("bytes=0x1-2", .whole), ("bytes= 0-1", .whole),
    ("bytes=1--2", .whole), ("bytes=99999999999999999999-", .unsatisfiable),
    ("bytes=0-99999999999999999999", .part(0..<10)),
  ])
  func `a range is parsed for a file of ten bytes`(field: String, expected: ByteRange) {
    #expect(ByteRange(field, size: 10) == expected)
  }

  @Test func `a file without bytes satisfies no range`() {
    #expect(ByteRange("bytes=0-", size: 0) == .unsatisfiable)
    #expect(ByteRange("bytes=-1", size: 0) == .unsatisfiable)
    #expect(ByteRange(nil, size: 0) == .whole)
  }

  @Test(arguments: [
    ("a=1; b=2", "1"), ("b=2;a=1", "1"), ("b=2;  a=1=2", "1=2"), ("a=", ""), ("b=a=1", nil),
    ("a=1; a=1", nil), ("", nil), ("a", nil), (";;;", nil), ("aa=1", nil), ("A=1", nil),
  ])
  func `a cookie is found by its exact name, once`(field: String, expected: String?) {
    #expect(Cookies.value(of: "a", in: field) == expected)
  }

  @Test(arguments: [
    ("127.0.0.1", true), ("127.255.1.9", true), ("127.0.0.1.1", false), ("127.0.0", false),
    ("128.0.0.1", false), ("0.0.0.0", false), ("127.0.0.256", false), ("127.0.0.+1", false),
    ("localhost", false), ("127.0.0.1:80", false), ("", false), ("::1", false),
  ])
  func `only addresses of the loopback network are accepted`(text: String, expected: Bool) {
    #expect(Endpoint.isLoopback(text) == expected)
  }

  @Test(arguments: [
    ("https://name", "name"), ("https://Name:8443", "name:8443"),
    ("http://[fd00::1]:8080", "[fd00::1]:8080"), ("HTTPS://name:443", "name"),
    ("http://name:80", "name"), ("http://name:443", "name:443"),
    ("name", nil), ("https://", nil), ("https://name/", nil), ("https://u@name", nil),
    ("ftp://name", nil), ("https://a b", nil),
  ])
  func `an origin has a scheme and a name`(text: String, expected: String?) {
    #expect(Endpoint.authority(of: text) == expected)
  }
}
