// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Albums, folders, and the trash of a library.
  var albumRoutes: [Route] {
    [
      Route(
        "GET", "/api/albums", "Return the albums and folders as a tree.",
        returns: .json(["albums": .list(of: .object)])
      ) { _ throws(Problem) in
        guard let library = self.source.library else { return .json(.object(["albums": []])) }
        let albums = try inLibrary(
          Self.tree(Array(library.fetchTopLevelUserCollections()), library))
        return .json(.object(["albums": .array(albums)]))
      },
      Route(
        "POST", "/api/albums", "Create an album.", writes: true, fields: NewAlbum.declared,
        returns: .json(["id": .text], status: 201), fails: .conflict, perform: createAlbum),
      Route(
        "PATCH", "/api/albums/{album}", "Rename an album.", writes: true,
        fields: RouteFields("", .member("title", \.self, .title, isRequired: true)),
        returns: .done, fails: .missing, .conflict
      ) { request throws(Problem) in
        let title = try request.fields
        let album = try self.needLibrary().album(request["album"])
        try self.perform { changes throws(LibraryError) in
          try changes.change(album, assets: nil).setTitle(title)
        }
        return .noContent
      },
      Route(
        "DELETE", "/api/albums/{album}", "Delete an album; its photos are kept.", writes: true,
        returns: .done, fails: .missing, .conflict
      ) { request throws(Problem) in
        let album = try self.needLibrary().album(request["album"])
        try self.perform { changes throws(LibraryError) in try changes.delete([album]) }
        return .noContent
      },
      Route(
        "POST", "/api/albums/{album}/members",
        "Add, remove or move photos of an album in one commit.", writes: true,
        fields: MemberChange.declared, returns: .json(["id": .text]), fails: .missing, .conflict,
        perform: changeMembers),
      Route(
        "POST", "/api/trash", "Move photos to the trash in one commit.", writes: true,
        fields: .photos, returns: .json(["count": .integer]), fails: .missing, .conflict
      ) { request throws(Problem) in
        let identifiers = try request.fields
        try self.perform { changes throws(LibraryError) in
          try changes.delete(withLocalIdentifiers: identifiers)
        }
        return .json(.object(["count": .whole(identifiers.count)]))
      },
      Route(
        "POST", "/api/restore", "Restore photos from the trash in one commit.", writes: true,
        fields: .photos, returns: .json(["count": .integer]), fails: .missing, .conflict
      ) { request throws(Problem) in
        let assets = try self.trashed(request.fields)
        try self.perform { changes throws(LibraryError) in try changes.restore(assets) }
        return .json(.object(["count": .whole(assets.count)]))
      },
      Route(
        "POST", "/api/purge", "Permanently delete photos in the trash in one commit.", writes: true,
        fields: .photos, returns: .json(["count": .integer]), fails: .missing, .conflict
      ) { request throws(Problem) in
        let assets = try self.trashed(request.fields)
        try self.perform { changes throws(LibraryError) in try changes.purge(assets) }
        return .json(.object(["count": .whole(assets.count)]))
      },
    ]
  }

  /// Returns photos that are all in the trash.
  private func trashed(_ identifiers: [String]) throws(Problem) -> [Asset] {
    let identifiers = Set(identifiers)
    let library = try needLibrary()
    let trash = try inLibrary(library.fetchTrashedAssets())
    let assets = trash.filter { identifiers.contains($0.localIdentifier.withoutSuffix) }
    guard assets.count == identifiers.count else { throw .unknownAsset }
    return assets
  }

  private func needLibrary() throws(Problem) -> PhotoLibrary {
    guard let library = source.library else {
      throw Problem(.notEditable, "albums and the trash require a library")
    }
    return library
  }

  private func perform(
    _ change: (ChangeContext) throws(LibraryError) -> Void
  ) throws(Problem) {
    let library = try needLibrary()
    try inLibrary(library.performChangesAndWait(change))
  }

  private static func tree(
    _ collections: [PhotoCollection], _ library: PhotoLibrary
  ) throws(LibraryError) -> [JSONValue] {
    var albums: [JSONValue] = []
    for collection in collections {
      var members: [String: JSONValue] = [
        "id": .string(collection.localIdentifier.withoutSuffix),
        "title": .string(collection.localizedTitle ?? ""),
      ]
      switch collection {
      case .assets(let album):
        members["kind"] = "album"
        members["count"] = .whole(album.estimatedAssetCount)
      case .list(let folder):
        members["kind"] = "folder"
        members["children"] = .array(
          try tree(Array(library.fetchCollections(in: folder)), library))
      }
      albums.append(.object(members))
    }
    return albums
  }

  private func createAlbum(_ request: RouteRequest<NewAlbum>) throws(Problem) -> HTTPResponse {
    let fields = try request.fields
    let library = try needLibrary()
    let identifier = try translating(Problem.init) { () throws(LibraryError) in
      let assets = try library.fetchAssets(withLocalIdentifiers: fields.ids)
      let folder = try fields.parent.map { name throws(LibraryError) in
        try library.fetchCollectionLists(withLocalIdentifiers: [name]).first
      }
      return try library.performChangesAndWait { changes throws(LibraryError) in
        let album = try changes.createAlbum(title: fields.title)
        if !assets.isEmpty { try album.addAssets(Array(assets)) }
        if let folder = folder ?? nil {
          try changes.change(folder, children: nil).addChildCollections([album.placeholder])
        }
        return album.placeholder.localIdentifier
      }
    }
    return .json(.object(["id": .string(identifier.withoutSuffix)]), status: 201)
  }

  private func changeMembers(
    _ request: RouteRequest<MemberChange>
  ) throws(Problem) -> HTTPResponse {
    let change = try request.fields
    let library = try needLibrary()
    let album = try library.album(request["album"])
    func assets(_ identifiers: [String]) throws(Problem) -> [Asset] {
      let found = try inLibrary(library.fetchAssets(withLocalIdentifiers: identifiers))
      guard found.count == Set(identifiers).count else { throw .unknownAsset }
      return Array(found)
    }
    let added = try assets(change.added)
    let removed = try assets(change.removed)
    let moved = try assets(change.move?.ids ?? [])
    let current = try inLibrary(library.fetchAssets(in: album, options: .complete))
    let indexes = moved.compactMap { current.index(of: $0) }.sorted()
    guard indexes.count == moved.count else {
      throw Problem(.notFound, "the photo is not in the album")
    }
    // The target counts the assets that stay.
    let staying = current.filter { asset in !moved.contains { $0 == asset } }
    let position =
      change.move?.before.flatMap { name in
        staying.firstIndex { $0.localIdentifier.withoutSuffix == name }
      } ?? staying.count
    try perform { [added, removed, indexes] changes throws(LibraryError) in
      let request = try changes.change(album, assets: current)
      if !added.isEmpty { try request.addAssets(added) }
      if !removed.isEmpty { try request.removeAssets(removed) }
      if !indexes.isEmpty { try request.moveAssets(at: indexes, to: position) }
    }
    return .json(.object(["id": .string(album.localIdentifier.withoutSuffix)]))
  }
}

extension RouteFields<[String]> {
  /// The identifiers of photos.
  fileprivate static var photos: Self {
    RouteFields([], .member("ids", \.self, .someTexts, isRequired: true))
  }
}

private struct NewAlbum: Sendable {
  static let declared = RouteFields(
    Self(), .member("title", \.title, .title, isRequired: true), .member("parent", \.parent, .text),
    .member("ids", \.ids, .texts))

  var title = ""
  var parent: String?
  var ids: [String] = []
}

private struct MemberChange: Sendable {
  /// Photos that move to the place before another one, or to the end.
  struct Move: Sendable {
    let ids: [String]
    let before: String?
  }

  static let declared = RouteFields(
    Self(), .member("add", \.added, .texts), .member("remove", \.removed, .texts),
    .member("move", \.move, .move))

  var added: [String] = []
  var removed: [String] = []
  var move: Move?
}

extension FieldType<MemberChange.Move> {
  fileprivate static var move: Self {
    let schema: Schema = ["ids": .texts.optional, "before": .text.orNull.optional]
    return Self(schema) { (value, name) throws(Problem) in
      guard case .object(let members) = value else {
        throw Problem(.badRequest, "\(name) must be an object with ids and before")
      }
      let ids = try members["ids"].map { ids throws(Problem) in
        try FieldType<[String]>.texts.read(ids, "ids")
      }
      return MemberChange.Move(ids: ids ?? [], before: members["before"]?.stringValue)
    }
  }
}
