// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that changes the properties of assets; their files are unchanged.
struct AssetSetCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset set", "Set title, caption, keywords, people, rating, date, location and more.",
    examples: [
      CommandExample(
        "asset set 3F25 --favorite yes --title 'The harbor'", "mark as favorite and set the title"),
      CommandExample(
        "asset set 3F25 --location 38.7,-9.1 --date 2019-05-01T10:00:00Z", "set location and date"),
      CommandExample(
        "asset set 3F25 --keyword +Places/Portugal/Lisbon --keyword -draft --rating 4",
        "add a keyword, remove another, and set the rating"),
    ],
    writesJSON: true,
    arguments: [
      .group(\.assets, AssetArguments.arguments()),
      .option("favorite", \.favorite, value: "YES|NO", "Whether it is a favorite."),
      .option("hidden", \.hidden, value: "YES|NO", "Whether it is omitted from default listings."),
      .option(
        "date", \.date, value: "DATE",
        "Capture date with its offset (2024-06-14T09:12:00+09:00), or 'none'; Z keeps the offset."),
      .option(
        "location", \.location, value: "LAT,LON[,ALT]",
        "Latitude, longitude and optional altitude, or 'none'."),
      .group(\.texts, TextArguments.arguments),
      .option(
        "keyword", \.keywordChanges, value: "±KEYWORD",
        "Add (+) or remove (-) a keyword; repeat for more."),
      .option(
        "keywords", \.keywords, value: "LIST",
        "Replace all keywords, separated by commas (empty to clear)."),
      .option(
        "person", \.personChanges, value: "±NAME",
        "Add (+) or remove (-) the name of a person; repeat for more."),
      .option("rating", \.rating, in: Asset.ratings, value: "N", "Stars: 0 none, -1 rejected."),
      .option("label", \.label, value: "COLOR", "Color label, or none."),
    ])

  var assets = AssetArguments()
  var favorite: YesNo?
  var hidden: YesNo?
  var date: OptionalDate?
  var location: OptionalLocation?
  var texts = TextArguments()
  var keywordChanges: [KeywordChange] = []
  var keywords: String?
  var personChanges: [KeywordChange] = []
  var rating: Int?
  var label: LabelOrNone?

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let (library, assets) = try assets.find(environment)
    guard
      favorite != nil || hidden != nil || date != nil || location != nil || !texts.values.isEmpty
        || !keywordChanges.isEmpty || keywords != nil || rating != nil || label != nil
        || !personChanges.isEmpty
    else { throw .usage("nothing to change", hint: "specify a change, such as --title TEXT") }
    try changing(library) { changes throws(LibraryError) in
      for asset in assets {
        let request = try changes.change(asset)
        if let favorite { try request.setFavorite(favorite == .yes) }
        if let hidden { try request.setHidden(hidden == .yes) }
        if let date = date?.date, let offset = self.date?.utcOffset {
          try request.setCreationDate(date, utcOffset: offset)
        } else if let date {
          try request.setCreationDate(date.date)
        }
        if let location { try request.setLocation(location.coordinate) }
        try texts.apply(to: request)
        if let keywords { try request.setKeywords(Self.list(keywords)) }
        for change in keywordChanges {
          if change.isAdded {
            try request.addKeywords([change.keyword])
          } else {
            try request.removeKeywords([change.keyword])
          }
        }
        for change in personChanges {
          if change.isAdded {
            try request.addPeople([change.keyword])
          } else {
            try request.removePeople([change.keyword])
          }
        }
        if let rating { try request.setRating(rating) }
        if let label { try request.setLabel(Asset.Label(rawValue: label.rawValue)) }
      }
    }
    for asset in assets where environment.wantsJSON {
      try environment.write(try library.asset(named: asset.localIdentifier).json)
    }
    if !environment.wantsJSON { environment.note("\(assets.count) changed") }
  }

  /// Returns the keywords of a list; empty ones are omitted.
  private static func list(_ text: String) -> [String] {
    text.split(separator: ",").map { String($0) }.filter { !$0.allSatisfy(\.isWhitespace) }
  }
}

/// The options for the properties that are texts.
struct TextArguments: Sendable {
  static let arguments: [Argument<Self>] = PhotoProperties.texts.map { text in
    let title = text.name.prefix(1).uppercased() + text.name.dropFirst()
    return .option(
      text.name, \.values[text.name], value: "TEXT", "\(title) (empty to clear).")
  }

  /// The values by property.
  var values: [String: String] = [:]

  func apply(to request: AssetChangeRequest) throws(LibraryError) {
    for text in PhotoProperties.texts {
      guard let value = values[text.name] else { continue }
      try request.set(text.path, to: value.isEmpty ? nil : value)
    }
  }
}

/// A keyword, or the name of a person, to add or to remove.
struct KeywordChange: Sendable, ArgumentValue {
  let keyword: String
  let isAdded: Bool

  init(argument: String) throws(ArgumentError) {
    guard let sign = argument.first, "+-".contains(sign), argument.count > 1 else {
      throw ArgumentError(
        "invalid keyword change '\(argument)' (allowed: +KEYWORD, -KEYWORD)")
    }
    keyword = String(argument.dropFirst())
    isAdded = sign == "+"
  }

  var argumentText: String? { (isAdded ? "+" : "-") + keyword }
}

/// The color of a label, or none.
enum LabelOrNone: String, CaseIterable, Sendable, ArgumentValue {
  case red, yellow, green, blue, purple, none
}

/// A Boolean argument.
enum YesNo: String, CaseIterable, Sendable, ArgumentValue {
  case yes, no
}

/// A date in ISO 8601, or "none".
struct OptionalDate: Sendable, ArgumentValue {
  let date: Date?
  /// The stated seconds by which the clock was ahead of UTC.
  let utcOffset: Int?

  init(argument: String) throws(ArgumentError) {
    if argument == "none" {
      (date, utcOffset) = (nil, nil)
      return
    }
    guard let parsed = ISO8601Date(moment: argument) else {
      throw ArgumentError(
        "invalid date '\(argument)' (allowed: ISO 8601, such as 2019-05-01T10:00:00Z, or none)")
    }
    (date, utcOffset) = (parsed.date, parsed.utcOffset)
  }

  var argumentText: String? { date.map { Clock.text($0, utcOffset: utcOffset) } }
}

/// A location, or "none".
struct OptionalLocation: Sendable, ArgumentValue {
  let coordinate: LocationCoordinate?

  init(argument: String) throws(ArgumentError) {
    if argument == "none" {
      coordinate = nil
      return
    }
    let parts = argument.split(separator: ",", omittingEmptySubsequences: false).map {
      Double($0.drop { $0 == " " })
    }
    guard (2...3).contains(parts.count), let latitude = parts[0], let longitude = parts[1],
      parts.count == 2 || parts[2] != nil,
      let coordinate = LocationCoordinate(
        latitude: latitude, longitude: longitude, altitude: parts.count == 3 ? parts[2] : nil)
    else {
      throw ArgumentError(
        "invalid location '\(argument)' (allowed: LAT,LON[,ALT] within ±90,±180, or none)")
    }
    self.coordinate = coordinate
  }

  var argumentText: String? {
    coordinate.map { "\($0.latitude),\($0.longitude)" + ($0.altitude.map { ",\($0)" } ?? "") }
  }
}
