// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The lists that browsers show.
final class ViewRegistry: Sendable {
  static let maximumCount = 32
  /// The seconds without a request after which a list is closed.
  static let maximumIdle = 600
  /// The number of earlier contents that are kept, for browsers that were not connected.
  static let keptContents = 32

  /// A list, with its latest contents.
  struct View: Sendable {
    let id: String
    let sections: ViewContents.Sections
    /// The tokens of the contents, the latest last.
    fileprivate(set) var contents: [(token: String, contents: ViewContents)]
    fileprivate var changeCount = 0
    fileprivate var lastUse: Int

    var token: String { contents.last?.token ?? "" }
    var latest: ViewContents? { contents.last?.contents }

    func contents(at token: String) throws(Problem) -> ViewContents {
      guard let found = contents.first(where: { $0.token == token }) else {
        throw Problem(.staleView, "the list has changed; open it again")
      }
      return found.contents
    }
  }

  private let views = LockedValue<(count: Int, open: [String: View])>((0, [:]))

  func open(_ contents: ViewContents, sections: ViewContents.Sections) -> View {
    views.withLock { views in
      let now = MonotonicClock.seconds
      views.open = views.open.filter { now - $0.value.lastUse < Self.maximumIdle }
      if views.open.count >= Self.maximumCount,
        let oldest = views.open.min(by: { $0.value.lastUse < $1.value.lastUse })
      {
        views.open[oldest.key] = nil
      }
      views.count += 1
      let id = "v\(views.count)"
      let view = View(
        id: id, sections: sections, contents: [("\(id)-0", contents)], lastUse: now)
      views.open[id] = view
      return view
    }
  }

  subscript(id: String) -> View {
    get throws(Problem) {
      let found = views.withLock { views in
        views.open[id]?.lastUse = MonotonicClock.seconds
        return views.open[id]
      }
      guard let found else { throw Problem(.notFound, "the list was closed; open it again") }
      return found
    }
  }

  func close(_ id: String) { views.withLock { $0.open[id] = nil } }

  var all: [View] { views.withLock { Array($0.open.values) } }

  /// Adds new contents to a list.
  ///
  /// - Returns: The token of the new contents; nil if the list was closed.
  func update(_ id: String, to contents: ViewContents) -> String? {
    views.withLock { views in
      guard var view = views.open[id] else { return nil }
      view.changeCount += 1
      let token = "\(id)-\(view.changeCount)"
      view.contents.append((token, contents))
      if view.contents.count > Self.keptContents { view.contents.removeFirst() }
      views.open[id] = view
      return token
    }
  }
}

extension Asset {
  /// The identifier of what the current version shows; it changes with every edit.
  var imageTag: String {
    let text = "\(localIdentifier) \(self.contentModificationDate.timeIntervalSince1970.bitPattern)"
    return String(SHA256Digest(of: Array(text.utf8)).hex.prefix(24))
  }

  static let itemMembers: [(String, Schema)] = [
    ("id", .text), ("w", .integer), ("h", .integer), ("date", .text.orNull), ("duration", .number),
    ("flags", .texts), ("picture", .text), ("title", .text),
    ("rating", .integer), ("label", .text.orNull),
  ]

  /// The photo as an item of a list.
  var item: JSONValue {
    var flags: [String] = []
    if self.isFavorite { flags.append("favorite") }
    if self.isHidden { flags.append("hidden") }
    if self.hasAdjustments { flags.append("edited") }
    if self.mediaType == .video { flags.append("movie") }
    if self.mediaSubtypes.contains(.photoLive) { flags.append("live") }
    if self.traits.contains(.raw) { flags.append("raw") }
    if self.mediaSubtypes.contains(.photoHDR) { flags.append("hdr") }
    if self.burstIdentifier != nil { flags.append("burst") }
    if self.trashedDate != nil { flags.append("trashed") }
    return .object([
      "id": .string(localIdentifier.withoutSuffix), "w": .whole(self.pixelWidth),
      "h": .whole(self.pixelHeight),
      "date": .text(self.creationDate.map { Clock.text($0) }), "duration": .real(self.duration),
      "flags": .texts(flags), "picture": .string(imageTag),
      "title": .string(self.title ?? self.originalFilename), "rating": .whole(self.rating),
      "label": .text(self.label?.rawValue),
    ])
  }
}

extension String {
  /// A local identifier without the part from its first slash, which depends on its class only.
  var withoutSuffix: String { String(prefix { $0 != "/" }) }
}
