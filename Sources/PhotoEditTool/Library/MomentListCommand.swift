// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// A command that lists moments.
struct MomentListCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "moment list", "List photos grouped by time and location.",
    discussion: """
      A moment ends where two photos are more than 6 hours apart, or more than 50 km if both \
      locations are known. Dates are in UTC.
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
    var options = FetchOptions<AssetCollection>()
    if let year {
      let bounds = [year, year + 1].compactMap { Self.start(of: $0) }
      options.predicate = AssetCollectionKey.startDate >= bounds[0]
      if bounds.count == 2 {
        options.predicate =
          AssetCollectionKey.startDate >= bounds[0]
          && AssetCollectionKey.startDate < bounds[1]
      }
    }
    let moments = try inLibrary(library.fetchMoments(options))
    for moment in moments {
      if environment.isCancelled { break }
      let (start, end) = (moment.startDate, moment.endDate)
      if environment.wantsJSON {
        try environment.write([
          "identifier": .string(moment.localIdentifier),
          "start": .text(start.map { Clock.text($0) }), "end": .text(end.map { Clock.text($0) }),
          "count": .whole(moment.estimatedAssetCount),
        ])
      } else {
        let dates = [start, end].map { $0.map { Clock.text($0) } ?? "" }.joined(separator: "  ")
        environment.print(
          "\(dates)  \(counted(moment.estimatedAssetCount, "asset"))")
      }
    }
    if !environment.wantsJSON { environment.note(counted(moments.count, "moment")) }
  }

  private static func start(of year: Int) -> Date? {
    CalendarDay(year: year).map { Date(timeIntervalSince1970: Double($0.number) * 86_400) }
  }
}
