// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditContainers

@Suite("Time zones")
struct TimeZoneTests {
  @Test(
    arguments: [
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_711_846_799, 3600),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_711_846_800, 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_729_990_799, 7200),
      ("CET-1CEST,M3.5.0,M10.5.0/3", 1_729_990_800, 3600),
      // In the south, the summer contains the change of the year.
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_704_067_200, 39_600),
      ("AEST-10AEDT,M10.1.0,M4.1.0/3", 1_719_792_000, 36_000),
      ("EST5EDT,M3.2.0,M11.1.0", 1_719_792_000, -14_400),
      ("<+0330>-3:30", 0, 12_600), ("UTC0", 0, 0), ("<-03>3", 1e15, -10_800),
      // The change is on the evening before.
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_711_846_800, -3600),
      ("<-02>2<-01>,M3.5.0/-1,M10.5.0/0", 1_711_846_799, -7200),
    ] as [(String, Double, Int)])
  func `a rule has the offset of each time`(text: String, time: Double, offset: Int) throws {
    #expect(try #require(TimeZoneRule(text)).offset(at: time) == offset)
  }

  @Test(arguments: [
    "", "CET", "C-1", "<CET-1", "CET-1CEST", "CET-1CEST,J60,J300", "CET-1CEST,M13.1.0,M10.5.0",
    "CET-1CEST,M3.6.0,M10.5.0", "CET-1CEST,M3.5.7,M10.5.0", "CET-168", "CET-1:60",
    "CET-1CEST,M3.5.0", "CET-1CEST,M3.5.0,M10.5.0x", "CET-99999999999999999999",
  ])
  func `other rules are refused`(text: String) { #expect(TimeZoneRule(text) == nil) }

  @Test func `a file has its transitions and then its rule`() throws {
    let zone = try #require(TimeZoneFile(ZoneFile.berlin))
    #expect(zone.offset(at: -1e12) == 3208 && zone.offset(at: -2_422_054_409) == 3208)
    #expect(zone.offset(at: -2_422_054_408) == 3600 && zone.offset(at: 0) == 3600)
    #expect(zone.offset(at: 354_675_600) == 7200, "by the rule after the last transition")
    let plain = try #require(TimeZoneFile(ZoneFile(types: [7200], footer: "").bytes))
    #expect(plain.offset(at: 0) == 7200)
  }

  @Test func `damaged files are refused`() {
    let bytes = ZoneFile.berlin
    #expect(TimeZoneFile([]) == nil)
    #expect(TimeZoneFile(Array(bytes.dropFirst())) == nil)
    #expect(TimeZoneFile(ZoneFile(version: 0x31, types: [0], footer: "").bytes) == nil)
    for count in 0..<(bytes.count - 28) { #expect(TimeZoneFile(Array(bytes.prefix(count))) == nil) }
    for index in bytes.indices {
      var flawed = bytes
      flawed[index] ^= 0xFF
      _ = TimeZoneFile(flawed)?.offset(at: 0)
    }
  }
}
