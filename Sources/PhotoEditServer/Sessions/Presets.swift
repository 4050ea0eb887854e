// SPDX-License-Identifier: Apache-2.0

/// Named graphs in files that `photoedit preset` writes and `--preset` reads.
struct Presets: Sendable {
  /// The folder; created with the first preset.
  private let folder: String
  private let missing: [String]

  /// - Parameter variable: Returns the value of an environment variable.
  init(_ variable: (String) -> String?) {
    let home = variable("HOME") ?? "/"
    let named = variable("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
    let data = named ?? home + "/.local/share"
    folder = data + "/photoedit/presets"
    missing = (named == nil ? [home + "/.local"] : []) + [data, data + "/photoedit", folder]
  }

  private func path(_ name: String) throws(Problem) -> String {
    let isPlain =
      (1...64).contains(name.count) && name.utf8.count <= 200 && name.first != "."
      && name.first?.isWhitespace == false && name.unicodeScalars.allSatisfy(Self.isPlain)
    guard isPlain else {
      throw Problem(
        .badRequest,
        "name must be up to 64 characters, without a dot or space at its beginning, slashes, "
          + "colons and control characters")
    }
    return folder + "/" + name + ".json"
  }

  /// Indicates whether a character of a name is shown, and is no part of a path.
  private static func isPlain(_ character: Unicode.Scalar) -> Bool {
    switch character.properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate, .privateUse,
      .unassigned:
      // Emoji are joined by an invisible character.
      character == "\u{200D}"
    default: !"/\\:".unicodeScalars.contains(character)
    }
  }

  var names: [String] {
    get throws(Problem) {
      try files(
        FileSystem.names(in: folder).filter { $0.hasSuffix(".json") && !$0.hasPrefix(".") }
          .map { String($0.dropLast(5)) })
    }
  }

  func graph(_ name: String) throws(Problem) -> FilterGraph {
    let path = try path(name)
    let bytes = try files(
      FileBytes.reading(path, maximumBytes: FilterGraph.maximumBytes, followsLinks: false))
    return try translating(
      { Problem($0 as GraphError) }, FilterGraph(json: bytes.array))
  }

  private func graphs() throws(Problem) -> [FilterGraph] {
    try names.map { name throws(Problem) in try graph(name) }
  }

  /// Returns an attachment that is next to a preset.
  func attachment(_ digest: SHA256Digest) -> [UInt8]? {
    for name in (try? FileSystem.names(in: folder)) ?? []
    where name.hasPrefix(digest.hex.prefix(16)) {
      let bytes = try? FileBytes.reading(
        folder + "/" + name, maximumBytes: GraphAttachment.maximumBytes, followsLinks: false)
      if let bytes, bytes.digest() == digest { return bytes.array }
    }
    return nil
  }

  /// Stores a preset; returns whether it is new.
  ///
  /// - Parameter attachments: The files of the graph that it does not embed; they are stored next to
  ///   the preset, as `photoedit preset` does.
  func put(
    _ graph: FilterGraph, as name: String, _ attachments: [SHA256Digest: [UInt8]]
  ) throws(Problem) -> Bool {
    let path = try path(name)
    let isNew = !FileSystem.itemExists(path)
    try translating(Problem.init) { () throws(FileError) in
      for folder in missing where !FileSystem.isFolder(folder) {
        try FileSystem.createSyncedFolder(folder)
      }
      for (digest, attachment) in graph.externalAssets {
        guard let bytes = attachments[digest], self.attachment(digest) == nil else { continue }
        try StateFile.write(bytes, to: folder + "/" + attachment.companionName)
      }
      try StateFile.write(Array((graph.prettyPrinted + "\n").utf8), to: path)
    }
    return isNew
  }

  /// Removes a preset, and its attachments that no other preset has.
  func remove(_ name: String) throws(Problem) {
    let path = try path(name)
    guard FileSystem.itemExists(path) else {
      throw Problem(.notFound, "no such preset")
    }
    let removed = (try? graph(name))?.externalAssets ?? [:]
    try files(FileSystem.remove(path))
    // A preset that cannot be read may have the same attachments.
    guard !removed.isEmpty, let others = try? graphs() else { return }
    let kept = Set(others.flatMap(\.externalAssets.keys))
    for (digest, attachment) in removed where !kept.contains(digest) {
      let path = folder + "/" + attachment.companionName
      guard (try? FileBytes.digest(of: path, followsLinks: false)) == digest else { continue }
      try? FileSystem.remove(path)
    }
  }
}
