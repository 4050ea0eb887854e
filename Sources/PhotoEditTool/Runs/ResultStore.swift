// SPDX-License-Identifier: Apache-2.0

/// The folder of results: renderings by their digests, and records by their keys.
struct ResultStore: Sendable {
  private let folder: OpenFolder
  /// The canonical JSON of the options of the run.
  private let options: String
  private let engine: Int
  private let looks: Set<SHA256Digest>

  /// A rendering that a record names and that is undamaged.
  struct Item {
    let original: SHA256Digest
    let look: SHA256Digest
    let rendering: SHA256Digest
    let path: String
  }

  init(_ path: String, _ description: RunDescription) throws(CommandFailure) {
    folder = try mapFileErrors(OpenFolder(path))
    options = try JSONValue.object(description.options).canonicalText()
    engine = description.engine
    looks = Set(description.looks)
  }

  /// Returns the result of an image after comparing its record, its rendering and its name.
  ///
  /// - Throws: The failure for anything that is missing or differs.
  func item(
    _ result: ImageResult, of line: ManifestLine, readsRendering: Bool = true
  ) throws(CommandFailure) -> Item {
    guard let key = result.key, let rendering = result.rendering else {
      throw damaged(line, "has no result")
    }
    let name = "records/\(key.hex.prefix(2))/\(key.hex).json"
    let bytes = try mapFileErrors(folder.reading(name, maximumBytes: 1 << 20))
    guard let record = try? JSONValue(parsing: bytes.array),
      let original = record["original"]?.stringValue.flatMap({ SHA256Digest($0) }),
      let look = record["look"]?.stringValue.flatMap({ SHA256Digest($0) }),
      let stored = record["rendering"]?.stringValue.flatMap({ SHA256Digest($0) })
    else { throw damaged(line, "\(folder.path(of: name)) is not a record") }
    guard looks.contains(look), record["engine"]?.integerValue == engine,
      key == ResultKey.digest(original: original, look: look, engine: engine, options: options)
    else { throw damaged(line, "\(folder.path(of: name)) belongs to another result") }
    guard stored == rendering else {
      throw damaged(line, "\(folder.path(of: name)) records a rendering other than the result")
    }
    guard line.digest ?? original == original else {
      throw damaged(line, "the result belongs to another original")
    }
    let blob = "blobs/\(stored.hex.prefix(2))/\(stored.hex).jpg"
    if readsRendering {
      for file in [blob] + (line.output.map { [$0] } ?? []) {
        guard try mapFileErrors(folder.digest(of: file)) == stored else {
          throw damaged(line, "\(folder.path(of: file)) differs from its record")
        }
      }
    }
    return Item(
      original: original, look: look, rendering: stored, path: folder.path(of: blob))
  }

  /// Removes old temporary files of this user in the folders that contain results.
  ///
  /// - Returns: The number of removed files.
  func sweep(_ index: RunIndex, olderThan seconds: Int) throws(CommandFailure) -> Int {
    var names: Set<String> = ["blobs", "records"]
    for kind in ["blobs", "records"] {
      for name in (try? folder.folder(kind).names()) ?? [] where name.utf8.count == 2 {
        names.insert(kind + "/" + name)
      }
    }
    for position in index.entries.indices {
      guard let output = try index.line(position).output, output.utf8.contains(UInt8(ascii: "/"))
      else { continue }
      names.insert(FileSystem.folder(of: output))
    }
    return names.reduce(folder.sweep(olderThan: seconds)) { count, name in
      count + ((try? folder.folder(name))?.sweep(olderThan: seconds) ?? 0)
    }
  }

  private func damaged(_ line: ManifestLine, _ reason: String) -> CommandFailure {
    CommandFailure(.badData, "\(line.id): \(reason)", code: "damagedResult")
  }

  /// Compares all results of a run; reports each that is damaged, and returns their number.
  func check(
    _ results: RunResults, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> Int {
    let positions = results.positions(\.isDone)
    let failures = LockedValue<[Int: CommandFailure]>([:])
    let done = LockedValue(0)
    ThreadGroup.forEach(positions.count) { number in
      if environment.isCancelled { return }
      do throws(CommandFailure) {
        let position = positions[number]
        _ = try item(try results.result(position), of: try results.index.line(position))
      } catch {
        failures.withLock { $0[number] = error }
      }
      let count = done.withLock { done in
        done += 1
        return done
      }
      environment.progress.update(count, of: positions.count, "checking")
    }
    try environment.checkCancellation()
    let found = failures.withLock { $0 }.sorted { $0.key < $1.key }
    for (_, failure) in found { environment.report(failure) }
    return found.count
  }

  /// Refuses a file system on which a second file of the same name is not refused.
  static func tryPublishing(in folder: String) throws(CommandFailure) {
    try mapFileErrors(FileSystem.createSyncedFolder(folder))
    let path = "\(folder)/\(FileSystem.trialPrefix)\(UInt64.random(in: 0 ... .max))"
    defer { try? FileSystem.remove(path) }
    try mapFileErrors(StagedFile.write([0x0A], to: path))
    do throws(FileError) {
      try StagedFile.write([0x0A], to: path)
    } catch {
      if error.kind == .exists { return }
      throw CommandFailure(error)
    }
    throw CommandFailure(
      .unavailable, "\(folder): its file system allows two files with the same name",
      hint: "choose an output on another file system", code: "noExclusiveNames")
  }
}

/// The identity of a result: equal keys stand for renderings that are interchangeable.
enum ResultKey {
  /// Returns the key of the rendering of an original.
  ///
  /// - Parameter options: The canonical JSON of the options that change bytes.
  static func digest(
    original: SHA256Digest, look: SHA256Digest, engine: Int = Renderer.semanticsVersion,
    options: String
  ) -> SHA256Digest {
    let parts = ["photoedit-result 1", original.hex, look.hex, "\(engine)", options]
    return SHA256Digest(of: Array(parts.map { $0 + "\n" }.joined().utf8))
  }
}

extension RenderingArguments {
  /// The options that change the bytes of a rendering.
  var resultOptions: [String: JSONValue] {
    [
      "quality": .string((quality ?? .preserve).description),
      "strip": .string(strip?.argumentText ?? ""),
      "dither": .string((dither ?? Dither.none) == Dither.none ? "none" : "tpdf"),
      "lenient": .bool(isLenient),
    ]
  }

  /// The same options as arguments of a command.
  var resultArguments: [String] {
    ["--quality", (quality ?? .preserve).description]
      + (strip?.argumentText.map { ["--strip", $0] } ?? [])
      + ((dither ?? Dither.none) == Dither.none ? [] : ["--dither", "tpdf"])
      + (isLenient ? ["--lenient"] : [])
  }
}
