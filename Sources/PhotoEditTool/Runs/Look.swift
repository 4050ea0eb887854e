// SPDX-License-Identifier: Apache-2.0

/// A graph that is rendered on many images, with its attachments.
struct Look: Sendable {
  /// The graph without source.
  let graph: FilterGraph
  /// The identity of the look.
  let digest: SHA256Digest
  /// The contents of the attachments.
  let files: AssetFiles
  /// The decoded attachments.
  let attachments = AttachmentCache()

  /// Reads a look from any graph; attachments that it does not embed are next to it.
  init(_ path: String) throws(CommandFailure) {
    let arguments = GraphArguments()
    self.init(try arguments.graph(inFile: path), arguments.files)
  }

  /// Reads a look from the JSON of a graph, which embeds its attachments.
  init(json: [UInt8]) throws(CommandFailure) {
    let arguments = GraphArguments()
    self.init(try arguments.graph(embedded: json, named: "graph"), arguments.files)
  }

  private init(_ graph: FilterGraph, _ files: AssetFiles) {
    self.files = files
    for attachment in graph.assets.values {
      if let data = attachment.data { files.add(data) }
    }
    self.graph = graph.look
    digest = self.graph.digest
  }

  func attachmentFiles() -> [(digest: SHA256Digest, bytes: [UInt8])] {
    graph.externalAssets.keys.sorted { $0.hex < $1.hex }.compactMap { digest in
      files[digest].map { (digest, $0) }
    }
  }
}

/// The looks that a process has read; a file that has changed since is read again.
struct LookCache {
  private var looks: [String: (version: FileVersion, look: Look)] = [:]

  /// The number of looks at which all of them are dropped, because of their memory.
  private static let limit = 64

  mutating func look(_ path: String) throws(CommandFailure) -> Look {
    let version = FileVersion(path)
    if let known = looks[path], known.version == version { return known.look }
    let look = try Look(path)
    if looks.count >= Self.limit { looks = [:] }
    if let version { looks[path] = (version, look) }
    return look
  }
}
