// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditContainers
import PhotoEditPlatform
import PhotoEditStorage

/// The time zone of clocks whose offset from UTC is not stated.
public struct ClockZone: Sendable, Hashable, CustomStringConvertible {
  private enum Rules: Sendable, Hashable {
    case offset(Int)
    case zone(TimeZoneFile)
  }

  /// The name: "Europe/Berlin", "+02:00", or "local".
  public let description: String
  private let rules: Rules

  /// The name of the zone of this computer.
  static let local = "local"

  /// Creates the time zone of a name in the database of the system, of an offset such as "+02:00",
  /// or of this computer for "local".
  ///
  /// - Throws: `LibraryError` with `invalidResource` for an unknown name.
  public init(_ name: String) throws(LibraryError) {
    guard let zone = ClockZone(name, in: "/usr/share/zoneinfo") else {
      throw LibraryError(
        .invalidResource, "unknown time zone \"\(name.prefix(40))\"",
        hint: "use a name such as Europe/Berlin, an offset such as +02:00, or local")
    }
    self = zone
  }

  /// - Parameter folder: The folder of the time zone database.
  init?(_ name: String, in folder: String) {
    description = name
    if let offset = CaptureDate.offset(name) {
      rules = .offset(offset)
      return
    }
    let isLocal = name == Self.local
    let file = isLocal ? Self.localName : name
    guard isLocal || Self.isName(file) else { return nil }
    let path = file == Self.localFile ? file : folder + "/" + file
    guard let bytes = try? FileBytes.reading(path, maximumBytes: Self.maximumBytes),
      let zone = TimeZoneFile(bytes.array)
    else { return nil }
    rules = .zone(zone)
  }

  /// The maximum size of a file of the database; those of all zones are below 4 KB.
  private static let maximumBytes = 1 << 20

  private static let localFile = "/etc/localtime"

  /// The name in the variable `TZ`, or the file with the zone of this computer.
  private static var localName: String {
    let name = getenv("TZ").map { String(cString: $0) } ?? ""
    let stated = name.hasPrefix(":") ? String(name.dropFirst()) : name
    return isName(stated) ? stated : localFile
  }

  /// Returns whether a name consists of parts that lead to no other folder.
  private static func isName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return parts.count <= 4
      && parts.allSatisfy { part in
        part.first?.isLetter == true
          && part.utf8.allSatisfy { byte in
            (0x30...0x39).contains(byte) || (0x41...0x5A).contains(byte & 0xDF)
              || "_+-".utf8.contains(byte)
          }
      }
  }

  /// Returns the seconds by which clocks are ahead of UTC, in whole minutes.
  ///
  /// - Parameter time: Seconds since 1970.
  func offset(at time: Double) -> Int {
    switch rules {
    case .offset(let offset): offset
    // Before there were time zones, clocks differed by seconds.
    case .zone(let zone): Int((Double(zone.offset(at: time)) / 60).rounded()) * 60
    }
  }

  /// Returns the offset of a clock that shows a time; of two possible ones, the earlier moment's.
  ///
  /// - Parameter time: The seconds since the beginning of 1970 on the clock.
  func offset(onClock time: Double) -> Int {
    let day = 86_400.0
    let offsets = [offset(at: time - day), offset(at: time + day)]
    // A time that the clocks skip is one of the clock before the change.
    return offsets.first { offset(at: time - Double($0)) == $0 } ?? offsets[0]
  }
}

/// The rules for the dates of files that state no date or no offset from UTC.
struct DateRules: Sendable, Hashable {
  /// The time zone of clocks without an offset; nil if their times are stored as if in UTC.
  var zone: ClockZone?
  /// Indicates whether the name of a file dates it if nothing else does.
  var usesNames = false
}

extension PhotoProperties {
  /// Completes the date according to the rules of an import.
  ///
  /// - Parameters:
  ///   - moments: The dates of which it is known that they are exact.
  ///   - isUTC: Whether the date is from a clock in UTC, so that its offset is not that of the place.
  mutating func apply(_ rules: DateRules, moments: [Date?], isUTC: Bool) {
    var moments = moments
    if creationDate == nil, rules.usesNames, let named = NamedDate(originalFilename)?.date {
      creationDate = Date(timeIntervalSince1970: named.seconds)
      if named.hasOffset { moments.append(creationDate) }
    }
    guard let zone = rules.zone, let date = creationDate, utcOffset == nil || isUTC else { return }
    let seconds = date.timeIntervalSince1970
    guard !isUTC, !moments.contains(date) else {
      utcOffset = zone.offset(at: seconds)
      return
    }
    let offset = zone.offset(onClock: seconds)
    guard CivilDate.expressibleSeconds.contains(seconds - Double(offset)) else { return }
    creationDate = Date(timeIntervalSince1970: seconds - Double(offset))
    utcOffset = offset
  }
}
