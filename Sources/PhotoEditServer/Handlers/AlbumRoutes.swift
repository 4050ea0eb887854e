// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Albums, folders, and the trash of a library.
  var albumRoutes: [Route] {
    [
      Route("GET", "/api/albums") { _ throws(Problem) in
        guard let library = self.source.library else { return .json(.object(["albums": []])) }
        let albums = try inLibrary(
          Self.tree(Array(library.fetchTopLevelUserCollections()), library))
        return .json(.object(["albums": .array(albums)]))
      },
      Route("POST", "/api/albums", writes: true, createAlbum),
      Route("PATCH", "/api/albums/{album}", writes: true) { request throws(Problem) in
        guard let title = try request.members(["title"]).text("title"), !title.isEmpty else {
          throw Problem(.badRequest, "title is missing")
        }
        let album = try self.needLibrary().album(request["album"])
        try self.perform { changes throws(LibraryError) in
          try changes.change(album, assets: nil).setTitle(title)
        }
        return .noContent
      },
      Route("DELETE", "/api/albums/{album}", writes: true) { request throws(Problem) in
        let album = try self.needLibrary().album(request["album"])
        try self.perform { changes throws(LibraryError) in try changes.delete([album]) }
        return .noContent
      },
      Route("POST", "/api/albums/{album}/members", writes: true, changeMembers),
      Route("POST", "/api/trash", writes: true) { request throws(Problem) in
        let identifiers = try Self.identifiers(request)
        try self.perform { changes throws(LibraryError) in
          try changes.delete(withLocalIdentifiers: identifiers)
        }
        return .json(.object(["count": .whole(identifiers.count)]))
      },
      Route("POST", "/api/restore", writes: true) { request throws(Problem) in
        let identifiers = Set(try Self.identifiers(request))
        let library = try self.needLibrary()
        let trash = try inLibrary(library.fetchTrashedAssets())
        let assets = trash.filter { identifiers.contains($0.localIdentifier.withoutSuffix) }
        guard assets.count == identifiers.count else { throw .unknownAsset }
        try self.perform { changes throws(LibraryError) in try changes.restore(assets) }
        return .json(.object(["count": .whole(assets.count)]))
      },
    ]
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

  private static func identifiers(_ request: Request) throws(Problem) -> [String] {
    guard let identifiers = try request.members(["ids"]).texts("ids"), !identifiers.isEmpty else {
      throw Problem(.badRequest, "ids is missing")
    }
    return identifiers
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

  private func createAlbum(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(["title", "parent", "ids"])
    guard let title = try members.text("title"), !title.isEmpty else {
      throw Problem(.badRequest, "title is missing")
    }
    let library = try needLibrary()
    let identifiers = try members.texts("ids") ?? []
    let parent = try members.text("parent")
    let identifier = try translating(Problem.init) { () throws(LibraryError) in
      let assets = try library.fetchAssets(withLocalIdentifiers: identifiers)
      let folder = try parent.map { name throws(LibraryError) in
        try library.fetchCollectionLists(withLocalIdentifiers: [name]).first
      }
      return try library.performChangesAndWait { changes throws(LibraryError) in
        let album = try changes.createAlbum(title: title)
        if !assets.isEmpty { try album.addAssets(Array(assets)) }
        if let folder = folder ?? nil {
          try changes.change(folder, children: nil).addChildCollections([album.placeholder])
        }
        return album.placeholder.localIdentifier
      }
    }
    return .json(.object(["id": .string(identifier.withoutSuffix)]), status: 201)
  }

  private func changeMembers(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(["add", "remove", "move"])
    let library = try needLibrary()
    let album = try library.album(request["album"])
    func assets(_ identifiers: [String]) throws(Problem) -> [Asset] {
      let found = try inLibrary(library.fetchAssets(withLocalIdentifiers: identifiers))
      guard found.count == Set(identifiers).count else { throw .unknownAsset }
      return Array(found)
    }
    let added = try assets(try members.texts("add") ?? [])
    let removed = try assets(try members.texts("remove") ?? [])
    var moved: [Asset] = []
    var target: String?
    if let move = members["move"] {
      guard case .object(let parts) = move else {
        throw Problem(.badRequest, "move must be an object with ids and before")
      }
      moved = try assets(try parts.texts("ids") ?? [])
      target = parts["before"]?.stringValue
    }
    let current = try inLibrary(library.fetchAssets(in: album, options: .complete))
    let indexes = moved.compactMap { current.index(of: $0) }.sorted()
    guard indexes.count == moved.count else {
      throw Problem(.notFound, "the photo is not in the album")
    }
    // The target counts the assets that stay.
    let staying = current.filter { asset in !moved.contains { $0 == asset } }
    let position =
      target.flatMap { name in
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
