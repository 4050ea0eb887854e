// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

extension PhotoLibrary {
  private static let timeZoneKey = "timeZone"

  /// Returns the time zone of imported dates without an offset from UTC; nil if none is set.
  ///
  /// - Throws: `LibraryError` with `invalidResource` if this computer does not know the zone.
  public func timeZone() throws(LibraryError) -> ClockZone? {
    guard let name = try timeZoneName() else { return nil }
    return try ClockZone(name)
  }

  /// Returns the name of the time zone, which this computer need not know; nil if none is set.
  public func timeZoneName() throws(LibraryError) -> String? {
    try read { database throws(LibraryError) in
      try database.first(
        "SELECT value FROM property WHERE key = ?", [.text(Self.timeZoneKey)]
      ) { $0.text(0) }
    }
  }

  /// Sets the time zone of dates without an offset from UTC, for later imports; nil for none.
  public func setTimeZone(_ zone: ClockZone?) throws(LibraryError) {
    try access.check(.readWrite)
    guard LibraryAccess.permits(layout, writing: true) else { throw .readOnly(layout.root) }
    let database = try LibraryDatabase(layout.database, .readWrite)
    try database.transaction { () throws(LibraryError) in
      try database.run("DELETE FROM property WHERE key = ?", [.text(Self.timeZoneKey)])
      guard let zone else { return }
      try database.run(
        "INSERT INTO property (key, value) VALUES (?, ?)",
        [.text(Self.timeZoneKey), .text(zone.description)])
    }
  }
}
