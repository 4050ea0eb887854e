// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditCommandLine

@Suite("Progress")
struct ProgressTests {
  @Test func `the rate appears after a second, and the remaining time after three`() {
    var rate = ProgressRate()
    #expect(rate.text(0, of: 1000, at: 0) == "0/1000")
    #expect(rate.text(5, of: 1000, at: 0.5) == "5/1000")
    #expect(rate.text(20, of: 1000, at: 2) == "20/1000 · 10.0/s")
    #expect(rate.text(40, of: 1000, at: 4) == "40/1000 · 10.0/s · 1 min 36 s left")
  }

  @Test func `the rate is that of the last ten seconds`() {
    var rate = ProgressRate()
    for second in 0...20 { _ = rate.text(second, of: 1000, at: Double(second)) }
    for second in 21...40 { _ = rate.text(20 + (second - 20) * 5, of: 1000, at: Double(second)) }
    #expect(rate.text(125, of: 1000, at: 41) == "125/1000 · 5.0/s · 2 min 55 s left")
  }

  @Test func `a batch that does not advance has no rate`() {
    var rate = ProgressRate()
    for second in 0...30 { _ = rate.text(7, of: 9, at: Double(second)) }
    #expect(rate.text(7, of: 9, at: 31) == "7/9")
  }

  @Test(arguments: [
    (0.04, "0.0 s"), (9.94, "9.9 s"), (10, "10 s"), (59.6, "1 min"), (85, "1 min 25 s"),
    (7500, "2 h 5 min"), (.infinity, "277777 h 46 min"),
  ])
  func `durations have at most two units`(seconds: Double, text: String) {
    #expect(durationText(seconds: seconds) == text)
  }
}
