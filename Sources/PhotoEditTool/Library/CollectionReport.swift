// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditFilters
import PhotoEditLibrary

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
      json["kind"] = "folder"
      json["kindName"] = "folder"
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
