// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WebService {
  /// The properties and the images of photos.
  var assetRoutes: [Route] {
    [
      Route("GET", "/api/assets/{asset}") { request throws(Problem) in
        try self.properties(of: request["asset"])
      },
      Route("PATCH", "/api/assets/{asset}", writes: true, changeProperties),
      Route("GET", "/api/assets/{asset}/info", info),
      Route("GET", "/api/assets/{asset}/picture/{digest}", image),
    ]
  }

  private func properties(of identifier: String) throws(Problem) -> HTTPResponse {
    let properties = try source.asset(identifier).properties
    let digest = SHA256Digest(of: (try? properties.canonicalBytes()) ?? [])
    return .json(properties, eTag: String(digest.hex.prefix(32)))
  }

  private func changeProperties(_ request: Request) throws(Problem) -> HTTPResponse {
    guard let library = source.library else {
      throw Problem(.notEditable, "properties require a library")
    }
    let members = try request.members(
      ["favorite", "hidden", "title", "caption", "date", "location"])
    guard let field = request.head["if-match"] else {
      throw Problem(.preconditionRequired, "the header field if-match is missing")
    }
    let asset = try source.asset(request["asset"])
    let digest = SHA256Digest(of: (try? asset.properties.canonicalBytes()) ?? []).hex.prefix(32)
    guard field == "*" || field == "\"\(digest)\"" else {
      throw Problem(
        .staleEdit, "the photo was changed by another program",
        members: ["state": asset.properties])
    }
    let change = try PropertyChange(members)
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

  private func image(_ request: Request) throws(Problem) -> HTTPResponse {
    let asset = try source.asset(request["asset"])
    guard request["digest"] == asset.imageTag else {
      throw Problem(.notFound, "the photo has changed; request its item again")
    }
    let query = request.target.query
    let sides = 1...4096
    let width = try request.number("w", in: sides) ?? 512
    let height = try request.number("h", in: sides) ?? width
    let side = Self.sides.first { $0 >= max(width, height) } ?? 2048
    var shape = ThumbnailShape(side: side, mode: query["fit"] == "cover" ? .fill : .fit)
    if let text = query["crop"] {
      let values = text.split(separator: ",").compactMap { Double($0) }
      guard values.count == 4 else {
        throw Problem(.badRequest, "crop must be x,y,width,height with fractions from 0 to 1")
      }
      let crop = NormalizedRect(x: values[0], y: values[1], width: values[2], height: values[3])
      guard crop.isValid else { throw Problem(.badRequest, "crop is outside the photo") }
      shape.crop = crop
      shape.isExact = true
    }
    let isOriginal = query["version"] == "original"
    let jpeg = try source.image(of: asset, shape, isOriginal: isOriginal)
    return HTTPResponse(
      status: 200,
      fields: [("Content-Type", "image/jpeg")], body: .bytes(jpeg))
  }

  /// The sizes of images; others are rounded up, so that caches are used.
  private static let sides = [128, 256, 512, 1024, 2048]
}

extension Asset {
  /// The properties that a client can see.
  var properties: JSONValue {
    var members: [String: JSONValue] = [
      "title": .text(self.title), "caption": .text(self.caption),
      "name": .string(self.originalFilename),
      "favorite": .bool(self.isFavorite), "hidden": .bool(self.isHidden),
      "addedDate": .string(Clock.text(self.addedDate)),
      "burstIdentifier": .text(self.burstIdentifier),
      "location": .null,
    ]
    if let location = self.location {
      members["location"] = [
        "latitude": .number(location.latitude), "longitude": .number(location.longitude),
        "altitude": location.altitude.map { .number($0) } ?? .null,
      ]
    }
    guard case .object(let item) = item else { return .object(members) }
    return .object(members.merging(item) { own, _ in own })
  }
}

/// A change of the properties of an asset.
private struct PropertyChange {
  private var favorite: Bool?
  private var hidden: Bool?
  private var title: String?
  private var caption: String?
  private var date: Date??
  private var utcOffset: Int?
  private var location: LocationCoordinate??

  init(_ members: [String: JSONValue]) throws(Problem) {
    for (name, value) in members {
      switch (name, value) {
      case ("favorite", .bool(let flag)): favorite = flag
      case ("hidden", .bool(let flag)): hidden = flag
      case ("title", .string(let text)): title = text
      case ("title", .null): title = ""
      case ("caption", .string(let text)): caption = text
      case ("caption", .null): caption = ""
      case ("date", .null): date = .some(nil)
      case ("date", .string(let text)):
        guard let parsed = ISO8601Date(moment: text) else {
          throw Problem(.badRequest, "date is not in ISO 8601 format, such as 2019-05-01T10:00:00Z")
        }
        (date, utcOffset) = (parsed.date, parsed.utcOffset)
      case ("location", .null): location = .some(nil)
      case ("location", .object(let parts)):
        guard let latitude = parts["latitude"]?.numberValue,
          let longitude = parts["longitude"]?.numberValue,
          let found = LocationCoordinate(
            latitude: latitude, longitude: longitude, altitude: parts["altitude"]?.numberValue)
        else { throw Problem(.badRequest, "location must be {latitude, longitude}") }
        location = found
      default: throw Problem(.badRequest, "\(name) has a value of the wrong type")
      }
    }
  }

  func apply(to request: AssetChangeRequest) throws(LibraryError) {
    if let favorite { try request.setFavorite(favorite) }
    if let hidden { try request.setHidden(hidden) }
    if let title { try request.setTitle(title.isEmpty ? nil : title) }
    if let caption { try request.setCaption(caption.isEmpty ? nil : caption) }
    if let date = date ?? nil, let utcOffset {
      try request.setCreationDate(date, utcOffset: utcOffset)
    } else if let date {
      try request.setCreationDate(date)
    }
    if let location { try request.setLocation(location) }
  }
}
