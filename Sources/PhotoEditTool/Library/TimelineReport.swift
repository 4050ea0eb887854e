// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

/// The report on a timeline, for display and for scripts.
enum TimelineReport {
  /// Writes one line for each period.
  static func write(
    _ timeline: Timeline, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      for period in timeline.periods { try environment.write(period.json) }
      return
    }
    let width = timeline.periods.map { "\($0.count)".count }.max() ?? 0
    for period in timeline.periods {
      let padding = String(repeating: " ", count: width - "\(period.count)".count)
      environment.print("\(label(period))  \(padding)\(period.count)  \(kinds(period))")
    }
    environment.note(counted(timeline.count, "asset"))
  }

  /// Writes a bar for each period, whose length shows the number of assets.
  static func writeHistogram(_ timeline: Timeline, _ environment: CommandEnvironment) {
    let most = timeline.periods.map(\.count).max() ?? 0
    let width = "\(most)".count
    for period in timeline.periods {
      let padding = String(repeating: " ", count: width - "\(period.count)".count)
      let bar = String(repeating: "#", count: max(1, period.count * Self.barWidth / max(1, most)))
      environment.print("\(label(period))  \(padding)\(period.count)  \(bar)")
    }
  }

  private static let barWidth = 50

  /// Returns the name, padded to the longest one.
  private static func label(_ period: Timeline.Period) -> String {
    let name = period.name
    return name + String(repeating: " ", count: max(0, 10 - name.count))
  }

  private static func kinds(_ period: Timeline.Period) -> String {
    "\(counted(period.imageCount, "photo")), \(counted(period.videoCount, "video"))"
  }
}

extension Timeline.Period {
  /// The period for scripts.
  var json: [String: JSONValue] {
    [
      "period": .string(name), "start": .text(days?.lowerBound.description),
      "end": .text(days?.upperBound.description), "count": .whole(count),
      "images": .whole(imageCount), "videos": .whole(videoCount),
    ]
  }
}
