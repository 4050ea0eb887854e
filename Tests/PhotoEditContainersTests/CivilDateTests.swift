// SPDX-License-Identifier: Apache-2.0
import PhotoEditContainers
import Testing

/// Checks the calendar against published dates and against itself.
@Suite("Civil dates")
struct CivilDateTests {
  @Test(arguments: [
    (0, "1970-01-01"), (-1, "1969-12-31"), (11_016, "2000-02-29"), (11_017, "2000-03-01"),
    (-25_509, "1900-02-28"), (-25_508, "1900-03-01"), (-719_162, "0001-01-01"),
    (2_932_896, "9999-12-31"),
  ]) func `a day has its date`(number: Int, text: String) {
    #expect(CivilDate(number: number).description == text)
  }

  @Test(arguments: [-800_000...(-600_000), -1000...150_000])
  func `every day follows the one before it`(numbers: ClosedRange<Int>) {
    var earlier = CivilDate(number: numbers.lowerBound - 1)
    for number in numbers {
      let date = CivilDate(number: number)
      let isNext =
        date.day == earlier.day + 1 && date.month == earlier.month && date.year == earlier.year
      let isFirst =
        date.day == 1 && earlier.day == CivilDate.days(in: earlier.month, of: earlier.year)
        && (date.year * 12 + date.month == earlier.year * 12 + earlier.month + 1)
      guard isNext || isFirst, date.number == number else {
        Issue.record("\(earlier) is followed by \(date), day \(number)")
        return
      }
      earlier = date
    }
  }

  @Test func `the year of any date is computed`() {
    #expect(CivilDate(seconds: 0).year == 1970 && CivilDate(seconds: -0.5).year == 1969)
    #expect(CivilDate(seconds: 951_782_400).year == 2000)
    #expect(CivilDate(seconds: 946_684_799).year == 1999)
    for year in stride(from: -9999, through: 9999, by: 7) {
      let start = Double(CivilDate.number(year: year, month: 1, day: 1)) * 86_400
      #expect(CivilDate(seconds: start).year == year)
      #expect(CivilDate(seconds: start - 1).year == year - 1)
    }
    for seconds in [Double.infinity, -.infinity, 1e300] { _ = CivilDate(seconds: seconds) }
  }

  @Test func `a date that the calendar does not have is refused`() {
    #expect(CivilDate(year: 2024, month: 2, day: 29) != nil)
    #expect(CivilDate(year: 2023, month: 2, day: 29) == nil)
    #expect(CivilDate(year: 2023, month: 13, day: 1) == nil)
    #expect(CivilDate(year: 2023, month: 4, day: 31) == nil)
    #expect(CivilDate(year: 2023, month: 4, day: 0) == nil)
  }
}
