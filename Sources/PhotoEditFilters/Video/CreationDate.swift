// SPDX-License-Identifier: Apache-2.0

public struct CreationDate: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "creationDate", "Sets the creation date of a video.",
    equivalents: "exiftool -CreateDate -Keys:CreationDate; ffmpeg -metadata creation_time",
    formula: "sets the headers and com.apple.quicktime.creationdate",
    source: "QuickTime File Format, movie header atoms and metadata keys", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "date", \.date, count: 3, in: 1...2039, identity: [1970, 1, 1],
        "Year, month and day, such as 2024:5:31; years 1904–2039."),
      Parameter(
        "time", \.time, count: 3, in: 0...59, identity: [0, 0, 0],
        "Hour, minute and second, such as 12:34:56."),
      Parameter(
        "utcOffset", \.utcOffset, unit: .minutes, in: -1080...1080, identity: 0,
        "Offset of local time from UTC."),
    ])

  public var date: [Double] = [1970, 1, 1]
  public var time: [Double] = [0, 0, 0]
  /// Minutes by which local time is ahead of UTC.
  public var utcOffset = 0

  public init() {}

  /// Creates the operation.
  public init(date: [Double], time: [Double], utcOffset: Int = 0) {
    self.date = date
    self.time = time
    self.utcOffset = utcOffset
  }

  public func validate() throws(ParameterError) {
    let numbers = date + time
    guard numbers.allSatisfy({ $0 == $0.rounded() }), date[0] >= 1904, (1...12).contains(date[1]),
      date[2] <= Double(Self.days(inMonth: Int(date[1]), ofYear: Int(date[0]))), time[0] <= 23
    else {
      throw conflict("invalid date or time")
    }
  }

  private static func days(inMonth month: Int, ofYear year: Int) -> Int {
    let isLeap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
  }
}
