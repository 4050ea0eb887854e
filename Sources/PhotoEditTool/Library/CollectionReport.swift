// SPDX-License-Identifier: Apache-2.0

/// The report on albums and folders, for display and for scripts.
enum CollectionReport {
  static func write(
    _ collection: PhotoCollection, depth: Int = 0, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON { return try environment.write(json(collection)) }
    let count: String
    switch collection {
    case .assets(let album): count = "\(album.estimatedAssetCount)"
    case .list: count = "folder"
    }
    let indent = String(repeating: "  ", count: depth)
    environment.print(
      "\(collection.localIdentifier.prefix(8))  \(indent)\(collection.localizedTitle ?? "")"
        + "  (\(count))")
  }

  private static func json(_ collection: PhotoCollection) -> [String: JSONValue] {
    var json: [String: JSONValue] = [
      "identifier": .string(collection.localIdentifier),
      "title": .text(collection.localizedTitle),
    ]
    switch collection {
    case .assets(let album):
      json["kind"] = .whole(album.kind.rawValue)
      json["kindName"] = .string("\(album.kind)")
      json["subtype"] = .whole(album.subtype.rawValue)
      json["count"] = .whole(album.estimatedAssetCount)
      json["startDate"] = .text(album.startDate.map { Clock.text($0) })
      json["endDate"] = .text(album.endDate.map { Clock.text($0) })
    case .list(let folder):
      json["kind"] = .whole(folder.kind.rawValue)
      json["kindName"] = .string("\(folder.kind)")
      json["subtype"] = .whole(folder.subtype.rawValue)
    }
    return json
  }

  static func reportNew(
    _ identifier: String, _ title: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    if environment.wantsJSON {
      return try environment.write([
        "identifier": .string(identifier), "title": .string(title),
      ])
    }
    environment.print(identifier)
  }
}

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
  var json: [String: JSONValue] {
    [
      "period": .string(name), "start": .text(days?.lowerBound.description),
      "end": .text(days?.upperBound.description), "count": .whole(count),
      "images": .whole(imageCount), "videos": .whole(videoCount),
    ]
  }
}
