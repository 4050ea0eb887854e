// SPDX-License-Identifier: Apache-2.0

/// The offsets from UTC of a time zone, read from a file of the time zone database (RFC 9636).
package struct TimeZoneFile: Hashable, Sendable {
  private struct Transition: Hashable, Sendable {
    /// Seconds since 1970.
    let time: Int
    /// The seconds by which clocks are ahead of UTC from then on.
    let offset: Int
  }

  /// The offset before the first transition.
  private var first = 0
  private var transitions: [Transition] = []
  /// The rule for the time after the last transition.
  private var rule: TimeZoneRule?

  /// Reads the data with 64-bit times; nil for anything else.
  package init?(_ bytes: [UInt8]) {
    guard let old = Counts(bytes, at: 0), old.version >= UInt8(ascii: "2"),
      let counts = Counts(bytes, at: Counts.length + old.size(ofTimes: 4))
    else { return nil }
    let start = counts.start + Counts.length
    let end = start + counts.size(ofTimes: 8)
    guard end <= bytes.count, counts.types > 0 else { return nil }
    func number(_ offset: Int, _ count: Int) -> Int {
      let value = bytes[offset..<(offset + count)].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
      let unused = UInt64(64 - 8 * count)
      return Int(Int64(bitPattern: value << unused) >> unused)
    }
    let indices = start + counts.times * 8
    let types = indices + counts.times
    let offsets = (0..<counts.types).map { number(types + $0 * 6, 4) }
    first = offsets[0]
    for index in 0..<counts.times {
      let type = Int(bytes[indices + index])
      guard type < offsets.count else { return nil }
      transitions.append(Transition(time: number(start + index * 8, 8), offset: offsets[type]))
    }
    let footer = bytes[end...].drop { $0 == 0x0A }.prefix { $0 != 0x0A }
    rule = TimeZoneRule(String(decoding: footer, as: UTF8.self))
  }

  /// The numbers of records in one of the two parts of a file.
  private struct Counts {
    static let length = 44
    let start: Int
    let version: UInt8
    let times: Int
    let types: Int
    private let others: [Int]

    init?(_ bytes: [UInt8], at start: Int) {
      guard bytes.has(Array("TZif".utf8), at: start), bytes.count - start >= Self.length else {
        return nil
      }
      let numbers = (0..<6).map { index in
        bytes[(start + 20 + index * 4)...].prefix(4).reduce(0) { $0 << 8 | Int($1) }
      }
      guard numbers.allSatisfy({ $0 <= 100_000 }) else { return nil }
      (self.start, version) = (start, bytes[start + 4])
      (times, types) = (numbers[3], numbers[4])
      others = [numbers[0], numbers[1], numbers[2], numbers[5]]
    }

    /// The number of bytes of the records, whose times have a number of bytes.
    func size(ofTimes count: Int) -> Int {
      times * (count + 1) + types * 6 + others[3] + others[2] * (count + 4) + others[0] + others[1]
    }
  }

  /// Returns the seconds by which clocks are ahead of UTC, at a time in seconds since 1970.
  package func offset(at time: Double) -> Int {
    guard let last = transitions.last else { return rule?.offset(at: time) ?? first }
    if time >= Double(last.time), let rule { return rule.offset(at: time) }
    // The transitions are in order.
    var (low, high) = (0, transitions.count)
    while low < high {
      let middle = (low + high) / 2
      if Double(transitions[middle].time) <= time { low = middle + 1 } else { high = middle }
    }
    return low == 0 ? first : transitions[low - 1].offset
  }
}

/// The rule of a time zone for every year, in the notation of POSIX: "CET-1CEST,M3.5.0,M10.5.0/3".
package struct TimeZoneRule: Hashable, Sendable {
  /// The seconds by which clocks are ahead of UTC.
  private let standard: Int
  private var summer: Summer?

  private struct Summer: Hashable, Sendable {
    let offset: Int
    let start: Change
    let end: Change
  }

  /// A change of clocks: on a weekday of the first to the fourth, or of the last week of a month.
  private struct Change: Hashable, Sendable {
    let month: Int
    let week: Int
    let weekday: Int
    /// The seconds since midnight, of the clock before the change.
    let time: Int

    /// Returns the time of the change on the clock, in seconds since 1970.
    func clockTime(in year: Int) -> Double {
      let firstDay = CivilDate.number(year: year, month: month, day: 1)
      // 1970-01-01 was a Thursday.
      let firstWeekday = ((firstDay + 4) % 7 + 7) % 7
      var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
      if day >= CivilDate.days(in: month, of: year) { day -= 7 }
      return Double((firstDay + day) * 86_400 + time)
    }
  }

  /// Parses a rule; nil for anything else, including changes on numbered days of the year.
  package init?(_ text: String) {
    var reader = Reader(rest: Array(text.utf8)[...])
    guard reader.skipName(), let west = reader.time() else { return nil }
    standard = -west
    if reader.isAtEnd { return }
    guard reader.skipName() else { return nil }
    let other = reader.isAt(",") ? standard + 3600 : reader.time().map { -$0 }
    guard let other, let start = reader.change(), let end = reader.change(), reader.isAtEnd else {
      return nil
    }
    summer = Summer(offset: other, start: start, end: end)
  }

  package func offset(at time: Double) -> Int {
    guard let summer else { return standard }
    let year = CivilDate(seconds: time + Double(standard)).year
    let start = summer.start.clockTime(in: year) - Double(standard)
    let end = summer.end.clockTime(in: year) - Double(summer.offset)
    // In the south, the summer contains the change of the year.
    let isSummer = start <= end ? (start..<end).contains(time) : time >= start || time < end
    return isSummer ? summer.offset : standard
  }

  private struct Reader {
    var rest: ArraySlice<UInt8>

    var isAtEnd: Bool { rest.isEmpty }

    func isAt(_ character: Character) -> Bool { rest.first == character.asciiValue }

    mutating func skip(_ character: Character) -> Bool {
      guard isAt(character) else { return false }
      rest = rest.dropFirst()
      return true
    }

    /// Consumes the abbreviation of a zone: letters, or anything in angle brackets.
    mutating func skipName() -> Bool {
      if skip("<") {
        rest = rest.drop { $0 != UInt8(ascii: ">") }
        return skip(">")
      }
      let count = rest.prefix { (0x41...0x5A).contains($0 & 0xDF) }.count
      rest = rest.dropFirst(count)
      return count >= 3
    }

    mutating func number() -> Int? {
      let digits = rest.prefix { (0x30...0x39).contains($0) }
      guard (1...3).contains(digits.count) else { return nil }
      rest = rest.dropFirst(digits.count)
      return digits.reduce(0) { $0 * 10 + Int($1 - 0x30) }
    }

    /// Reads "-1" or "3:30:00" and returns the seconds.
    mutating func time() -> Int? {
      let isNegative = skip("-")
      if !isNegative { _ = skip("+") }
      guard var seconds = number().map({ $0 * 3600 }), seconds <= 167 * 3600 else { return nil }
      for unit in [60, 1] where skip(":") {
        guard let part = number(), part < 60 else { return nil }
        seconds += part * unit
      }
      return isNegative ? -seconds : seconds
    }

    /// Reads ",M3.5.0/2".
    mutating func change() -> Change? {
      guard skip(","), skip("M"), let month = number(), (1...12).contains(month), skip("."),
        let week = number(), (1...5).contains(week), skip("."), let weekday = number(), weekday < 7
      else { return nil }
      guard skip("/") else {
        return Change(month: month, week: week, weekday: weekday, time: 7200)
      }
      return time().map { Change(month: month, week: week, weekday: weekday, time: $0) }
    }
  }
}
