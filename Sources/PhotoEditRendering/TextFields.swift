// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
package import PhotoEditFilters
import PhotoEditPixels

extension ImageSource {
  /// The values of the fields of texts, from the metadata of the file.
  package var textFields: [TextField: String] {
    let summary = metadata.summary
    var fields: [TextField: String] = [:]
    fields[.title] = summary.title
    fields[.caption] = summary.caption
    fields[.creator] = summary.creator
    fields[.copyright] = summary.copyright
    fields[.camera] = MetadataSummary.camera(make: summary.make, model: summary.model)
    fields[.lens] = summary.lens
    fields[.iso] = summary.iso.map { "\($0)" }
    fields[.fNumber] = summary.fNumber.map { "f/\(figure($0, decimals: 1))" }
    fields[.exposureTime] = summary.exposureTime.map { MetadataSummary.exposure($0) }
    fields[.focalLength] = summary.focalLength.map { "\(figure($0, decimals: 1)) mm" }
    (fields[.city], fields[.country]) = (summary.city, summary.country)
    if let date = metadata.captureFacts(of: header.format).date {
      fields.setDate(
        date.seconds + Double(date.offset ?? 0),
        hasDay: date.precision.rawValue >= CaptureDate.Precision.day.rawValue,
        hasTime: date.precision == .time)
    }
    return fields
  }
}

extension [TextField: String] {
  /// Sets the fields of the date.
  ///
  /// - Parameters:
  ///   - clock: The seconds since 1970 of a clock at the place of capture.
  ///   - hasDay: Whether the day is known.
  ///   - hasTime: Whether the time of the day is known.
  package mutating func setDate(_ clock: Double, hasDay: Bool = true, hasTime: Bool = true) {
    let date = CivilDate(seconds: clock)
    let minutes = Int((clock / 60).rounded(.down)) % 1440
    let minute = (minutes + 1440) % 1440
    self[.year] = zeroPadded(date.year, 4)
    self[.date] = hasDay ? "\(date)" : nil
    self[.time] = hasTime ? "\(zeroPadded(minute / 60)):\(zeroPadded(minute % 60))" : nil
  }
}

extension [TextField] {
  /// A notice for each field that has no value.
  package var notices: [String] {
    map { "The field {\($0.rawValue)} of a text is empty, because the photo does not state it." }
  }
}
