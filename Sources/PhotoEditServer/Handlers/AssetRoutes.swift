// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WebService {
  /// The properties and the images of photos.
  var assetRoutes: [Route] {
    [
      Route(
        "GET", "/api/assets/{asset}", "Return the properties of a photo.",
        returns: .json(Asset.propertiesSchema), fails: .missing
      ) { request throws(Problem) in try self.properties(of: request["asset"]) },
      Route(
        "PATCH", "/api/assets/{asset}", "Change properties of an asset; needs If-Match.",
        writes: true, fields: PropertyChange.declared, returns: .json(Asset.propertiesSchema),
        fails: .missing, .conflict, perform: changeProperties),
      Route(
        "GET", "/api/assets/{asset}/info",
        "Return the properties of the file, and what an edit of it would lose.",
        returns: .json([
          "name": .text, "edited": .flag, "width": .integer, "height": .integer,
          "format": .text.optional, "bytes": .integer.optional,
          "bitsPerSample": .integer.optional, "originalWidth": .integer.optional,
          "originalHeight": .integer.optional, "losses": .losses.optional,
        ]), fails: .missing, .conflict, perform: info),
      Route(
        "GET", "/api/assets/{asset}/picture/{digest}",
        "Return an image of a photo in sRGB; sizes are rounded up to 128, 256, 512, 1024 or 2048.",
        fields: ImageQuery.declared, returns: .file("image/jpeg"), fails: .missing, .conflict,
        perform: image),
    ]
  }

  private func properties(of identifier: String) throws(Problem) -> HTTPResponse {
    var properties = try source.shownAsset(identifier).properties
    if try source.isDatedByFile(identifier), case .object(var members) = properties {
      members["dateIsOfFile"] = true
      properties = .object(members)
    }
    return .json(properties, eTag: HTTPResponse.eTag(of: properties))
  }

  private func changeProperties(
    _ request: RouteRequest<PropertyChange>
  ) throws(Problem) -> HTTPResponse {
    guard let library = source.library else {
      throw Problem(.notEditable, "properties require a library")
    }
    let change = try request.fields
    let asset = try source.asset(request["asset"])
    guard ["*", "\"\(HTTPResponse.eTag(of: asset.properties))\""].contains(change.tag) else {
      throw Problem(
        .staleEdit, "the photo was changed by another program",
        members: ["state": asset.properties])
    }
    try inLibrary(
      library.performChangesAndWait { changes throws(LibraryError) in
        try change.apply(to: try changes.change(asset))
      })
    return try properties(of: asset.localIdentifier)
  }

  /// Returns the properties of the file, and what an edit of it would lose.
  private func info(_ request: Request) throws(Problem) -> HTTPResponse {
    let asset = try source.asset(request["asset"])
    let store = try source.store(of: request["asset"])
    let state = try editing(store.state())
    var members: [String: JSONValue] = [
      "name": .string(asset.originalFilename), "edited": .bool(state.isEdited),
      "width": .whole(asset.pixelWidth), "height": .whole(asset.pixelHeight),
    ]
    if asset.mediaType == .image {
      let bytes = try PhotoEditServer.files(FileBytes.reading(state.original.path))
      let (image, losses) = try translating(Problem.init) { () throws(RenderError) in
        let image = try ImageSource(bytes)
        return (image, try Renderer.losses(image))
      }
      members["format"] = .string("\(image.header.format)")
      members["bytes"] = .whole(bytes.count)
      members["bitsPerSample"] = .whole(image.header.bitsPerSample)
      members["originalWidth"] = .whole(image.size.width)
      members["originalHeight"] = .whole(image.size.height)
      members["losses"] = .losses(losses)
    }
    return .json(.object(members))
  }

  private func image(_ request: RouteRequest<ImageQuery>) throws(Problem) -> HTTPResponse {
    let asset = try source.shownAsset(request["asset"])
    guard request["digest"] == asset.imageTag else {
      throw Problem(.notFound, "the photo has changed; request its item again")
    }
    let query = try request.fields
    let longest = max(query.width, query.height ?? query.width)
    let side = Self.sides.first { $0 >= longest } ?? 2048
    var shape = ThumbnailShape(side: side, mode: query.fit == .cover ? .fill : .fit)
    if let crop = query.crop { (shape.crop, shape.isExact) = (crop, true) }
    let jpeg = try source.image(of: asset, shape, isOriginal: query.version == .original)
    return HTTPResponse(
      status: 200,
      fields: [("Content-Type", "image/jpeg")], body: .bytes(jpeg))
  }

  /// The sizes of images; others are rounded up, so that caches are used.
  private static let sides = [128, 256, 512, 1024, 2048]
}

/// The size and the form of an image.
private struct ImageQuery: Sendable {
  enum Fit: String, CaseIterable { case inside, cover }

  static let declared = RouteFields(
    Self(), .query("w", \.width, .integer(in: 1...4096)),
    .query("h", \.height, .integer(in: 1...4096)),
    .query("fit", \.fit, .choice), .query("crop", \.crop, .crop),
    .query("version", \.version, .choice))

  var width = 512
  var height: Int?
  var fit = Fit.inside
  var crop: NormalizedRect?
  var version = FileVersion.current
}

extension FieldType<NormalizedRect> {
  /// A part of a photo in a query: its corner and size, as shares of the photo.
  static var crop: Self {
    Self(.text) { (value, name) throws(Problem) in
      let values = value.stringValue?.split(separator: ",").compactMap { Double($0) } ?? []
      guard values.count == 4 else {
        throw Problem(.badRequest, "\(name) must be x,y,width,height with fractions from 0 to 1")
      }
      let crop = NormalizedRect(x: values[0], y: values[1], width: values[2], height: values[3])
      guard crop.isValid else { throw Problem(.badRequest, "\(name) is outside the photo") }
      return crop
    }
  }
}

extension Asset {
  static let propertiesSchema = Schema(members: itemMembers + textMembers + otherMembers)

  private static let textMembers = PhotoProperties.texts.map { ($0.name, Schema.text.orNull) }

  private static let otherMembers: [(String, Schema)] = [
    ("name", .text), ("keywords", .texts), ("people", .texts),
    ("favorite", .flag), ("hidden", .flag), ("addedDate", .text),
    ("localDate", .text.orNull), ("utcOffset", .integer.orNull), ("day", .text.orNull),
    ("location", .location.orNull), ("place", .text.orNull), ("camera", .text.orNull),
    ("lens", .text.orNull), ("iso", .integer.orNull), ("fNumber", .number.orNull),
    ("focalLength", .number.orNull), ("exposureTime", .number.orNull),
    ("fileSize", .integer.orNull), ("burstIdentifier", .text.orNull),
    ("regions", .list(of: .object)), ("dateIsOfFile", .flag.optional),
  ]

  /// The properties that a client can see.
  var properties: JSONValue {
    var members = statedProperties
    members["name"] = .string(self.originalFilename)
    guard case .object(let item) = item else { return .object(members) }
    return .object(members.merging(item) { own, _ in own })
  }
}

extension Schema {
  fileprivate static let location: Schema = [
    "latitude": .number, "longitude": .number, "altitude": .number.orNull.optional,
  ]
}

extension FieldType<LocationCoordinate> {
  fileprivate static var location: Self {
    Self(.location) { (value, name) throws(Problem) in
      guard case .object(let parts) = value, let latitude = parts["latitude"]?.numberValue,
        let longitude = parts["longitude"]?.numberValue,
        let location = LocationCoordinate(
          latitude: latitude, longitude: longitude, altitude: parts["altitude"]?.numberValue)
      else { throw Problem(.badRequest, "\(name) must be {latitude, longitude}") }
      return location
    }
  }
}

extension FieldType<ISO8601Date> {
  fileprivate static var date: Self {
    Self(.text) { (value, name) throws(Problem) in
      guard let date = value.stringValue.flatMap({ ISO8601Date(moment: $0) }) else {
        throw Problem(
          .badRequest, "\(name) is not in ISO 8601 format, such as 2019-05-01T10:00:00Z")
      }
      return date
    }
  }
}

extension FieldType<String> {
  /// Text whose length the library checks.
  fileprivate static var property: Self { text(maximum: Gate.maximumBodyBytes) }
}

/// A change of the properties of an asset.
private struct PropertyChange: Sendable {
  static let declared = RouteFields(Self(), flags + texts + others)

  private static let flags: [RouteField<Self>] = [
    .ifMatch(\.tag, .text), .member("favorite", \.favorite, .flag),
    .member("hidden", \.hidden, .flag),
  ]

  private static let texts: [RouteField<Self>] = PhotoProperties.texts.map {
    .member($0.name, \.texts[$0.name], .orNull(.property))
  }

  private static let others: [RouteField<Self>] = [
    .member("keywords", \.keywords, .texts), .member("people", \.people, .texts),
    .member("rating", \.rating, .integer(in: Asset.ratings)),
    .member("label", \.label, .orNull(.choice)), .member("date", \.date, .orNull(.date)),
    .member("location", \.location, .orNull(.location)),
  ]

  var tag = ""
  var favorite: Bool?
  var hidden: Bool?
  /// The new texts by property.
  var texts: [String: String?] = [:]
  var keywords: [String]?
  var people: [String]?
  var rating: Int?
  var label: Asset.Label??
  var date: ISO8601Date??
  var location: LocationCoordinate??

  func apply(to request: AssetChangeRequest) throws(LibraryError) {
    if let favorite { try request.setFavorite(favorite) }
    if let hidden { try request.setHidden(hidden) }
    for property in PhotoProperties.texts {
      guard let text = texts[property.name] else { continue }
      try request.set(property.path, to: text?.isEmpty == true ? nil : text)
    }
    if let keywords { try request.setKeywords(keywords) }
    if let people { try request.setPeople(people) }
    if let rating { try request.setRating(rating) }
    if let label { try request.setLabel(label) }
    if let date {
      if let date, let utcOffset = date.utcOffset {
        try request.setCreationDate(date.date, utcOffset: utcOffset)
      } else {
        try request.setCreationDate(date?.date)
      }
    }
    if let location { try request.setLocation(location) }
  }
}
