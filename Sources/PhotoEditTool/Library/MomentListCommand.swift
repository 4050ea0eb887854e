// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that lists moments.
struct MomentListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "moment list", "List photos grouped by time and location.",
    discussion: """
      A moment ends where two photos are more than 6 hours apart, or more than 50 km if both \
      locations are known. Dates are those of the clock at the place of capture; in JSON, start \
      and end are in UTC, and startDay and endDay are days at the place. The title is the town of \
      most photos, if the library knows places.
      """,
    examples: [CommandExample("moment list --year 2019", "list the moments of a year")],
    writesJSON: true,
    arguments: [
      .group(\.library, LibraryArguments.arguments),
      .option("year", \.year, in: 1...9999, value: "YEAR", "List moments that begin in a year."),
    ])

  var library = LibraryArguments()
  var year: Int?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let library = try library.open(environment)
    let moments = try inLibrary(library.fetchMoments()).filter { moment in
      guard let year else { return true }
      return local(moment.startDate, moment.startOffset)?.day.components.year == year
    }
    for moment in moments {
      if environment.isCancelled { break }
      let first = local(moment.startDate, moment.startOffset)
      let last = local(moment.endDate, moment.endOffset)
      if environment.wantsJSON {
        try environment.write([
          "identifier": .string(moment.localIdentifier),
          "start": .text(moment.startDate.map { Clock.text($0) }),
          "end": .text(moment.endDate.map { Clock.text($0) }),
          "startDay": .text(first?.day.description), "endDay": .text(last?.day.description),
          "count": .whole(moment.estimatedAssetCount), "title": .text(moment.localizedTitle),
        ])
      } else {
        let dates = [first, last].map { $0?.text ?? "" }.joined(separator: "  ")
        environment.print(
          "\(dates)  \(counted(moment.estimatedAssetCount, "asset"))"
            + (moment.localizedTitle.map { "  " + $0 } ?? ""))
      }
    }
    if !environment.wantsJSON { environment.note(counted(moments.count, "moment")) }
  }

  /// Returns a date on the clock at a place, where a date without an offset is stored as if the
  /// clock showed UTC; its day, and its text to the second.
  private func local(_ date: Date?, _ offset: Int?) -> (day: CalendarDay, text: String)? {
    guard let date else { return nil }
    let clock = date.addingTimeInterval(Double(offset ?? 0))
    let day = CalendarDay(
      number: Int(max(-1e7, min(1e7, clock.timeIntervalSince1970 / 86_400)).rounded(.down)))
    let text = Clock.text(clock)
    return (day, text.hasSuffix("Z") ? String(text.dropLast()).replacing("T", with: " ") : text)
  }
}
