// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that shows the stored edit of a photo.
struct ShowCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "show", "Show the edit and the versions of a photo.",
    examples: [CommandExample("show photo.jpg --json", "print the edit as JSON")],
    writesJSON: true,
    arguments: [
      .positional("INPUT", \.input, "Photo or video."), .group(\.library, LibraryArguments.editing),
    ])

  var input = ""
  var library = LibraryArguments()

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    try Batch.run([input], environment) { input throws(CommandFailure) in
      let report = try ShowReport(try library.target(input, environment) { SidecarStore(path: $0) })
      if environment.wantsJSON { return try environment.write(report.json) }
      for line in report.lines { environment.print(line) }
    }
  }
}

/// The versions and the record of one photo, for display and for scripts.
struct ShowReport {
  private struct Version {
    var name: String
    var path: String
    var bytes: Int?
    var digest: SHA256Digest?
    var matches: Bool
    /// Indicates whether another program changed the metadata since the edit.
    var hasNewMetadata = false
  }

  private let input: String
  private var state: EditState
  private let versions: [Version]
  private let blockingReasons: [String]
  private let graph: FilterGraph?
  /// The third-party record next to the photo; nil if there is no readable one.
  private let external: (path: String, edit: AppleEdit)?

  init(_ target: EditTarget) throws(CommandFailure) {
    input = target.input
    var target = target
    if let sidecar = target.sidecar {
      try Self.requirePhoto(input, sidecar)
      let isMovie = try EditTarget.isMovie(input)
      target = EditTarget(sidecar.with(contentExtension: isMovie ? "mov" : "jpg"))
    }
    let store = target.store
    (state, versions) = try editing(
      store.consistentState { state in
        let versions = Self.versions(of: state)
        return (versions, versions.allSatisfy(\.matches))
      })
    let sidecar = target.sidecar
    if versions.contains(where: \.hasNewMetadata) {
      state.notices.append(EditArguments.newMetadata)
    }
    for other in sidecar?.strandedSidecars() ?? [] {
      state.notices.append(
        "\(other) is the sidecar of this photo under another name; "
          + "rename it to \(FileSystem.lastName(of: input)).aae to continue the edit")
    }
    let thirdParty = try mapFileErrors(sidecar?.thirdPartyAdjustment())
    switch thirdParty?.edit {
    case .success(let edit): external = thirdParty.map { ($0.path, edit) }
    case .failure(let error):
      external = nil
      if let path = thirdParty?.path { state.notices.append("\(path): \(error)") }
    case nil: external = nil
    }
    let stored = state.record.map { StoredGraph($0) }
    var blockingReasons = stored?.blockingReasons ?? []
    if let original = versions.first, !original.matches {
      blockingReasons.append("the original has changed since it was edited")
    }
    if state.record != nil && state.base == nil {
      blockingReasons.append("the editing input is missing")
    }
    for version in versions.dropFirst() where !version.matches {
      // A rendering can be created again; the image that it is created from cannot.
      if version.name == "current" {
        let what = version.bytes == nil ? "is missing" : "was modified; use --force to overwrite it"
        state.notices.append("\(version.path) \(what)")
      } else {
        blockingReasons.append("\(version.path) is missing or was modified")
      }
    }
    self.blockingReasons = blockingReasons
    graph = stored?.graph
  }

  /// Requires that the photo exists; if only its sidecar exists, the error names the sidecar.
  private static func requirePhoto(
    _ input: String, _ store: SidecarStore?
  ) throws(CommandFailure) {
    do throws(CommandFailure) {
      _ = try mapFileErrors(OpenFile(reading: input).regularSize())
    } catch {
      guard let path = store?.sidecarPath, error.exitCode == .inputMissing,
        FileSystem.itemExists(path)
      else { throw error }
      throw CommandFailure(
        .inputMissing, "\(input): photo is missing, but its sidecar \(path) exists",
        hint: "restore the photo; if it was renamed, run 'photoedit show' with its new name to "
          + "find this sidecar", code: "missing")
    }
  }

  private static func versions(of state: EditState) -> [Version] {
    var original = version("original", state.original)
    if original.digest != nil, !original.matches, let pixels = state.originalPixels,
      PixelDigest.digest(of: state.original.path) == pixels
    {
      (original.matches, original.hasNewMetadata) = (true, true)
    }
    var versions = [original]
    if state.record != nil {
      if let base = state.base, base != state.original { versions.append(version("base", base)) }
      versions.append(version("current", state.current))
    }
    return versions
  }

  private static func version(_ name: String, _ content: EditState.Content) -> Version {
    var version = Version(
      name: name, path: content.path, bytes: nil, digest: nil, matches: false)
    do throws(FileError) {
      version.bytes = try OpenFile(reading: content.path).regularSize()
      let digest = try FileBytes.digest(of: content.path)
      version.digest = digest
      version.matches = content.digest == nil || content.digest == digest
    } catch {}
    return version
  }

  var lines: [String] {
    var lines = [input]
    for version in versions {
      let facts =
        version.digest.map { "\(version.bytes ?? 0) bytes, sha256 \($0.hex.prefix(12))…" }
        ?? "missing"
      lines.append(
        "  " + pad(version.name) + version.path + " (" + facts + ")"
          + (version.matches ? "" : ", differs from the recorded version"))
    }
    guard let record = state.record else {
      return lines + ["  " + pad("edit") + "none"] + theirLines + journal
    }
    lines.append(
      "  " + pad("edit") + record.adjustment.formatIdentifier + " "
        + record.adjustment.formatVersion + ", " + Clock.text(record.date)
        + (record.editor.isEmpty ? "" : ", by " + record.editor))
    lines.append(
      "  " + pad("resumable")
        + (blockingReasons.isEmpty
          ? "yes" : "no, because " + blockingReasons.joined(separator: "; ")))
    for node in graph?.nodes ?? [] {
      lines.append("    " + pad(node.id) + pad(node.filter, 14) + node.parametersText)
    }
    return lines + theirLines + journal
  }

  /// The lines about the third-party edit, which is shown but never resumed.
  private var theirLines: [String] {
    guard let external else { return [] }
    let facts = [
      external.edit.formatIdentifier, external.edit.formatVersion, external.edit.editor ?? "",
    ]
    var lines = [
      "  " + pad("external") + external.path + ": "
        + InspectLimits.shortened(facts.filter { !$0.isEmpty }.joined(separator: " "))
        + ", cannot be resumed by photoedit"
    ]
    lines += external.edit.adjustmentTexts.map { "    " + $0 }
    return lines
  }

  private var journal: [String] {
    var lines = state.notices.map { "  " + pad("note") + $0 }
    if !state.undoable.isEmpty || !state.redoable.isEmpty {
      lines.append(
        "  " + pad("history") + "\(state.undoable.count) to undo, \(state.redoable.count) to redo")
    }
    return lines
  }

  private func pad(_ text: String, _ width: Int = 11) -> String {
    text + String(repeating: " ", count: max(1, width - text.count))
  }

  var json: [String: JSONValue] {
    var json: [String: JSONValue] = [
      "input": .string(input), "edited": .bool(state.isEdited),
      "resumable": .bool(state.isEdited && blockingReasons.isEmpty),
      "obstacles": .texts(blockingReasons),
      "undoable": .whole(state.undoable.count), "redoable": .whole(state.redoable.count),
      "notices": .texts(state.notices),
      "versions": .array(
        versions.map {
          .object([
            "name": .string($0.name), "path": .string($0.path),
            "bytes": $0.bytes.map { .whole($0) } ?? .null,
            "digest": .text($0.digest?.description), "asRecorded": .bool($0.matches),
          ])
        }),
    ]
    if let external {
      json["theirs"] = [
        "path": .string(external.path), "resumable": false, "edit": external.edit.json,
      ]
    }
    guard let record = state.record else { return json }
    json["formatIdentifier"] = .string(record.adjustment.formatIdentifier)
    json["formatVersion"] = .string(record.adjustment.formatVersion)
    json["editor"] = .string(record.editor)
    json["date"] = .string(Clock.text(record.date))
    json["foreign"] = .bool(state.isThirdParty)
    json["graph"] = graph?.document ?? .null
    return json
  }
}
