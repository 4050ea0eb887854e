// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// The edits that were not saved yet, in private files of the user, by a digest of their image and
/// its place.
struct Drafts: Sendable {
  /// The folder; created with the first draft.
  private let folder: String
  private let createFolders: @Sendable () throws(FileError) -> Void

  /// - Parameter variable: Returns the value of an environment variable.
  init(_ variable: @escaping @Sendable (String) -> String?) {
    let folder = Self.stateFolder(variable).parent + "/photoedit/drafts"
    self.folder = folder
    createFolders = { () throws(FileError) in
      try Self.createStateFolder(variable)
      try FileSystem.createSyncedFolder(folder)
    }
  }

  /// Returns the user's folder for states of programs, and the folders that may not exist yet.
  static func stateFolder(
    _ variable: (String) -> String?
  ) -> (parent: String, missing: [String]) {
    if let named = variable("XDG_STATE_HOME"), named.hasPrefix("/") { return (named, [named]) }
    let home = variable("HOME") ?? "/"
    return (home + "/.local/state", [home + "/.local", home + "/.local/state"])
  }

  /// Creates the folder of this program in the folder for states.
  static func createStateFolder(_ variable: (String) -> String?) throws(FileError) {
    let (parent, missing) = stateFolder(variable)
    for folder in missing where !FileSystem.isFolder(folder) {
      try FileSystem.createSyncedFolder(folder)
    }
    try FileSystem.createSyncedFolder(parent + "/photoedit")
  }

  private func path(_ image: SHA256Digest) -> String { folder + "/" + image.hex + ".json" }
  /// The folder with the attachments that a draft does not embed.
  private func attachments(_ image: SHA256Digest) -> String { folder + "/" + image.hex }

  /// Keeps a draft instead of the one before.
  ///
  /// - Parameter attachments: The files of the graph that are not stored with the photo.
  func keep(
    _ graph: FilterGraph, of image: SHA256Digest, revision: String,
    attachments: [SHA256Digest: [UInt8]] = [:]
  ) throws(Problem) {
    let draft: JSONValue = .object([
      "schemaVersion": .whole(1), "graph": graph.json, "revision": .string(revision),
      "date": .string(Clock.text(Clock.now().date)),
    ])
    guard let bytes = try? draft.canonicalBytes(limits: Self.limits) else {
      throw Problem(.invalidGraph, "the graph exceeds its limits")
    }
    try translating(Problem.init) { () throws(FileError) in
      try createFolders()
      let folder = self.attachments(image)
      if !attachments.isEmpty { try FileSystem.createSyncedFolder(folder) }
      for (digest, bytes) in attachments where !FileSystem.itemExists(folder + "/" + digest.hex) {
        try StateFile.write(bytes, to: folder + "/" + digest.hex)
      }
      try StateFile.write(bytes, to: path(image))
      removeAttachments(of: image, except: Set(attachments.keys.map(\.hex)))
    }
  }

  private func removeAttachments(of image: SHA256Digest, except kept: Set<String> = []) {
    let folder = attachments(image)
    for name in (try? FileSystem.names(in: folder)) ?? [] where !kept.contains(name) {
      try? FileSystem.remove(folder + "/" + name)
    }
    FileSystem.removeFolderIfEmpty(folder)
  }

  /// Returns the files that were kept with the draft of an image and are undamaged.
  func attachments(of image: SHA256Digest) -> [SHA256Digest: [UInt8]] {
    let folder = attachments(image)
    return ((try? FileSystem.names(in: folder)) ?? []).reduce(into: [:]) { found, name in
      guard
        let bytes = try? FileBytes.reading(
          folder + "/" + name, maximumBytes: GraphAttachment.maximumBytes, followsLinks: false)
      else { return }
      let digest = bytes.digest()
      if digest.hex == name { found[digest] = bytes.array }
    }
  }

  /// Returns the draft of an image; nil without one that can be read.
  func draft(of image: SHA256Digest) -> JSONValue? {
    guard
      let bytes = try? FileBytes.reading(
        path(image), maximumBytes: Self.limits.maximumBytes, followsLinks: false),
      case .object(let members)? = try? JSONValue(parsing: bytes.array, limits: Self.limits),
      let graph = members["graph"], (try? FilterGraph(member: graph)) != nil
    else { return nil }
    return .object(members.filter { ["graph", "revision", "date"].contains($0.key) })
  }

  /// Removes the draft of an image, if there is one.
  func discard(_ image: SHA256Digest) {
    guard FileSystem.itemExists(path(image)) else { return }
    try? FileSystem.remove(path(image))
    removeAttachments(of: image)
  }

  private static let limits = JSONLimits(
    maximumBytes: 4 << 20, maximumDepth: 64, maximumStringBytes: 2 << 20)
}

/// The files in which the server keeps its state.
enum StateFile {
  /// Writes a file, which replaces an older one atomically; a failure leaves the older one.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let partial = path + "." + Secret.random(bits: 64)
    do throws(FileError) {
      let file = try OpenFile(creating: partial)
      try file.write(bytes)
      try file.sync()
      try FileSystem.rename(partial, to: path)
    } catch {
      try? FileSystem.remove(partial)
      throw error
    }
  }
}
