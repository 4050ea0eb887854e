// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditStorage

/// The date in the name of a file, for files that state none.
///
/// In a pattern, "{yyyy}" to "{ss}" are digits of the date, "{s}" and "{ms}" the seconds and the
/// milliseconds since 1970, "{am}" is AM or PM if there is one, "#" any number, and "*" any text
/// without digits. Case is ignored. Digits of a fraction may follow the seconds; otherwise what
/// follows must not begin with a digit.
struct NamedDate: Sendable, Hashable {
  /// A row of the table.
  struct Row: Sendable {
    let pattern: String
    /// Names that it reads, with their dates; "Z" after them if names of the kind are in UTC.
    let examples: [(name: String, date: String)]
    fileprivate let parts: [Part]

    fileprivate init(_ pattern: String, _ examples: (name: String, date: String)...) {
      (self.pattern, self.examples) = (pattern, examples)
      parts = Part.parts(of: pattern)
    }

    /// Indicates whether names are in UTC; others are in the time of the place.
    fileprivate var isUTC: Bool { examples.contains { $0.date.hasSuffix("Z") } }
  }

  /// The patterns, the more specific ones first.
  static let rows = [
    // Dates of WhatsApp for Android are those of the day on which a file was received.
    Row("*-{yyyy}{MM}{dd}-WA#", ("IMG-20190102-WA0012.jpg", "2019-01-02")),
    Row(
      "PXL_{yyyy}{MM}{dd}_{HH}{mm}{ss}", ("PXL_20210102_030405678.MP.jpg", "2021-01-02T03:04:05Z")),
    // OneDrive
    Row("{yyyy}{MM}{dd}_{HH}{mm}{ss}#_iOS", ("20190102_030405000_iOS.heic", utc)),
    // Screen recordings of iOS
    Row("RPReplay_Final{s}", ("RPReplay_Final1546398245.mov", utc)),
    Row(
      "ScreenRecording_{MM}-{dd}-{yyyy} {HH}-{mm}-{ss}",
      ("ScreenRecording_01-02-2019 03-04-05_1.mov", clock)),
    // WeChat and Facebook
    Row("mmexport{ms}", ("mmexport1546398245000.jpg", utc)),
    Row("wx_camera_{ms}", ("wx_camera_1546398245000.jpg", utc)),
    Row("FB_IMG_{ms}", ("FB_IMG_1546398245000.jpg", utc)),
    // Telegram
    Row(
      "*_#@{dd}-{MM}-{yyyy}_{HH}-{mm}-{ss}", ("photo_12@02-01-2019_03-04-05.jpg", clock)),
    // Windows Phone
    Row("WP_{yyyy}{MM}{dd}_{HH}_{mm}_{ss}", ("WP_20190102_03_04_05_Pro.jpg", clock)),
    Row("WP_{yyyy}{MM}{dd}_#", ("WP_20190102_001.jpg", "2019-01-02")),
    Row("DJI_{yyyy}{MM}{dd}{HH}{mm}{ss}", ("DJI_20190102030405_0001_D.JPG", clock)),
    // Bursts of Sony, Nexus and Pixel
    Row(
      "*#_BURST{yyyy}{MM}{dd}{HH}{mm}{ss}", ("DSC_0001_BURST20190102030405678.JPG", clock)),
    Row(
      "#*_#_BURST{yyyy}{MM}{dd}{HH}{mm}{ss}",
      ("00001IMG_00001_BURST20190102030405678_COVER.jpg", clock)),
    // Android, Samsung, KDE, Insta360, DJI
    Row(
      "*{yyyy}{MM}{dd}_{HH}{mm}{ss}", ("IMG_20190102_030405.jpg", clock),
      ("VID_20190102_030405678.mp4", clock), ("MVIMG_20190102_030405_1.jpg", clock),
      ("20190102_030405(0).jpg", clock), ("Screenshot_20190102_030405_Chrome.jpg", clock),
      ("VID_20190102_030405_00_001.mp4", clock), ("dji_fly_20190102_030405_12_photo.jpg", clock)),
    Row("*{yyyy}{MM}{dd}-{HH}{mm}{ss}", ("Screenshot_20190102-030405.png", clock)),
    Row("*{yyyy}_{MM}{dd}_{HH}{mm}{ss}", ("Screenshot_2019_0102_030405.png", clock)),
    // Android and Signal
    Row(
      "*{yyyy}-{MM}-{dd}-{HH}-{mm}-{ss}",
      ("Screenshot_2019-01-02-03-04-05-678_com.android.chrome.jpg", clock),
      ("signal-2019-01-02-03-04-05-678.jpg", clock)),
    Row("*{yyyy}-{MM}-{dd}-{HH}{mm}{ss}", ("signal-2019-01-02-030405_002.jpeg", clock)),
    // Telegram, Viber, cameras of Tesla
    Row(
      "*{yyyy}-{MM}-{dd}_{HH}-{mm}-{ss}", ("photo_2019-01-02_03-04-05 (2).jpg", clock),
      ("viber_image_2019-01-02_03-04-05-678.jpg", clock), ("2019-01-02_03-04-05-front.mp4", clock)),
    // GNOME, Windows, Dropbox
    Row("*{yyyy}-{MM}-{dd} {HH}-{mm}-{ss}", ("Screenshot from 2019-01-02 03-04-05.png", clock)),
    Row(
      "*{yyyy}-{MM}-{dd} {HH}{mm}{ss}", ("Screenshot 2019-01-02 030405.png", clock),
      ("Annotation 2019-01-02 030405.png", clock)),
    Row(
      "*{yyyy}-{MM}-{dd} {HH}.{mm}.{ss}{am}", ("2019-01-02 03.04.05-1.jpg", clock)),
    // macOS and WhatsApp, in all languages
    Row(
      "*{yyyy}-{MM}-{dd} * {HH}.{mm}.{ss}{am}",
      ("Screen Shot 2019-01-02 at 3.04.05 AM.png", clock),
      ("Screenshot 2019-01-02 at 3.04.05\u{202F}PM.png", "2019-01-02T15:04:05"),
      ("Bildschirmfoto 2019-01-02 um 03.04.05.png", clock),
      ("WhatsApp Image 2019-01-02 at 03.04.05 (1).jpeg", clock)),
    // Nextcloud
    Row("{yy}-{MM}-{dd} {HH}-{mm}-{ss}", ("19-01-02 03-04-05 1234.jpg", clock)),
  ]

  private static let clock = "2019-01-02T03:04:05"
  private static let utc = "2019-01-02T03:04:05Z"

  /// The date; without an offset, it is that of a clock at the place of capture.
  let date: CaptureDate

  /// Reads a name; nil if no pattern fits it, or if the date does not exist.
  init?(_ filename: String) {
    guard let date = Self.match(filename)?.date else { return nil }
    self.date = date
  }

  /// Returns the row whose pattern fits a name.
  static func row(of filename: String) -> Row? { match(filename)?.row }

  private static func match(_ filename: String) -> (row: Row, date: CaptureDate)? {
    let stem = Array(FileSystem.splitName(filename).stem.utf8)
    for row in rows {
      if let fields = DateFields.reading(stem[...], row.parts[...], DateFields()),
        let date = fields.date(isUTC: row.isUTC)
      {
        return (row, date)
      }
    }
    return nil
  }
}

/// A part of a pattern for names with dates.
private enum Part: Sendable, Hashable {
  case field(String)
  case number
  case text
  case character(UInt8)

  static func parts(of pattern: String) -> [Part] {
    var parts: [Part] = []
    var rest = Array(pattern.utf8)[...]
    while let byte = rest.popFirst() {
      switch byte {
      case UInt8(ascii: "{"):
        let name = rest.prefix { $0 != UInt8(ascii: "}") }
        rest = rest.dropFirst(name.count + 1)
        parts.append(.field(String(decoding: name, as: UTF8.self)))
      case UInt8(ascii: "#"): parts.append(.number)
      case UInt8(ascii: "*"): parts.append(.text)
      default: parts.append(.character(byte))
      }
    }
    return parts
  }
}

/// The parts of a date in a name.
private struct DateFields {
  private var numbers: [String: Int] = [:]
  private var isAfternoon: Bool?

  /// Compares a name with a pattern; nil if it does not fit.
  static func reading(
    _ name: ArraySlice<UInt8>, _ parts: ArraySlice<Part>, _ found: DateFields
  ) -> DateFields? {
    guard let part = parts.first else { return found }
    let rest = parts.dropFirst()
    let digits = name.prefix { isDigit($0) }
    switch part {
    case .character(let byte):
      guard let next = name.first, next | 0x20 == byte | 0x20 else { return nil }
      return reading(name.dropFirst(), rest, found)
    case .number:
      return digits.isEmpty ? nil : reading(name.dropFirst(digits.count), rest, found)
    case .text:
      let length = name.prefix { !isDigit($0) }.count
      // Most texts end where the digits begin.
      return (0...length).reversed().lazy
        .compactMap { reading(name.dropFirst($0), rest, found) }.first
    case .field("am"):
      var fields = found
      let length = fields.readHalf(name)
      return reading(name.dropFirst(length), rest, fields)
    case .field(let field):
      var count = lengths[field] ?? field.utf8.count
      // Clocks of 12 hours have no leading zero.
      if field == "HH", rest.contains(.field("am")), digits.count == 1 { count = 1 }
      let isFraction = field == "ss" && digits.count <= count + maximumFraction
      guard digits.count == count || (digits.count > count && (!rest.isEmpty || isFraction)) else {
        return nil
      }
      var fields = found
      fields.numbers[field] = digits.prefix(count).reduce(0) { $0 * 10 + Int($1 - 0x30) }
      return reading(name.dropFirst(count), rest, fields)
    }
  }

  /// The numbers of digits of fields with short names.
  private static let lengths = ["s": 10, "ms": 13]
  /// The number of digits of a fraction without a separator.
  private static let maximumFraction = 6

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// Reads AM or PM after a blank of any kind; returns the number of its bytes.
  private mutating func readHalf(_ name: ArraySlice<UInt8>) -> Int {
    let blanks = [" ", "\u{A0}", "\u{202F}"].map { Array($0.utf8) }
    let blank = blanks.first { name.starts(with: $0) }?.count ?? 0
    let half = name.dropFirst(blank).prefix(2).map { $0 | 0x20 }
    guard half == Array("am".utf8) || half == Array("pm".utf8) else { return 0 }
    isAfternoon = half[0] == UInt8(ascii: "p")
    return blank + 2
  }

  /// Returns the date; nil if it does not exist, or is not in the years of digital cameras.
  func date(isUTC: Bool) -> CaptureDate? {
    if let seconds = numbers["s"] ?? numbers["ms"].map({ $0 / 1000 }) {
      return Self.years.contains(CivilDate(seconds: Double(seconds)).year)
        ? CaptureDate(seconds: Double(seconds)) : nil
    }
    guard let year = numbers["yyyy"] ?? numbers["yy"].map({ 2000 + $0 }),
      Self.years.contains(year), let month = numbers["MM"], let day = numbers["dd"],
      CivilDate(year: year, month: month, day: day) != nil
    else { return nil }
    var text = "\(year)-\(zeroPadded(month))-\(zeroPadded(day))"
    if var hour = numbers["HH"], let minute = numbers["mm"], let second = numbers["ss"] {
      if let isAfternoon {
        guard (1...12).contains(hour) else { return nil }
        hour = hour % 12 + (isAfternoon ? 12 : 0)
      }
      guard hour < 24 else { return nil }
      text += "T\(zeroPadded(hour)):\(zeroPadded(minute)):\(zeroPadded(second))"
    }
    return CaptureDate(iso: isUTC ? text + "Z" : text)
  }

  private static let years = 1990...2099
}
