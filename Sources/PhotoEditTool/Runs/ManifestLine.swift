// SPDX-License-Identifier: Apache-2.0

/// One image of a run, as the manifest names it.
struct ManifestLine {
  /// The name in the report.
  let id: String
  /// A URL, or a path relative to the root of the run.
  let source: String
  /// The size of the source in bytes, a hint.
  let byteCount: Int?
  /// The digest of the source, which the worker compares.
  let digest: SHA256Digest?
  /// The name of the result below the run's output.
  let output: String?
  /// The look; nil means the only one of the run.
  let look: SHA256Digest?
  /// The line as it was read.
  let fields: [String: JSONValue]

  /// The maximum length of an identifier in bytes.
  private static let maximumIDBytes = 1024

  init(_ bytes: [UInt8]) throws(CommandFailure) {
    var line = try LineFields(bytes)
    fields = line.all
    id = try line.required("id")
    guard id.utf8.count <= Self.maximumIDBytes else {
      throw .badLine("id: has \(id.utf8.count) bytes (maximum: \(Self.maximumIDBytes))")
    }
    source = try line.required("src")
    byteCount = try line.count("bytes")
    digest = try line.digest("sha256")
    _ = try line.text("etag")
    output = try line.text("out")
    look = try line.digest("edit")
    try line.finish()
    if !source.hasPrefix("s3://"), !source.hasPrefix("file:///") {
      guard !source.contains("://") else {
        throw .badLine("src: '\(source)' is neither a path nor an s3:// or file:/// URL")
      }
      try Self.check(source, field: "src", hint: "; write an absolute path as file:///…")
    }
    if let output {
      try Self.check(output, field: "out")
      let first = output.prefix { $0 != "/" }
      guard first != "blobs", first != "records" else {
        throw .badLine("out: '\(output)' is in a folder reserved for results named by digest")
      }
    }
  }

  /// Refuses a path that is absolute, leaves its folder, or has several spellings.
  private static func check(
    _ path: String, field: String, hint: String = ""
  ) throws(CommandFailure) {
    guard OpenFolder.isBeneath(path) else {
      throw .badLine("\(field): '\(path)' is not a relative path without '.' and '..'\(hint)")
    }
    guard !path.hasPrefix(".photoedit-"), !path.contains("/.photoedit-") else {
      throw .badLine("\(field): '\(path)' is the name of a temporary file")
    }
  }

  /// Indicates whether the source is a path relative to the root of the run.
  var isRelative: Bool { !source.contains("://") }

  /// Returns the local path of the source; nil if it is not local.
  ///
  /// - Parameter root: The folder of relative paths.
  func localSource(in root: String) -> String? {
    if source.hasPrefix("s3://") { return nil }
    return source.hasPrefix("file://") ? String(source.dropFirst(7)) : root + "/" + source
  }
}

/// The originals of a library as a manifest for `plan`.
struct RunManifestWriter {
  let library: PhotoLibrary
  /// Indicates whether edited photos are included; the result would replace their edit.
  let includesEdited: Bool

  /// Writes a line for each photo, and warns about what is omitted.
  func write(
    _ assets: FetchResult<Asset>, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    var (editedCount, otherCount) = (0, 0)
    for asset in assets {
      try environment.checkCancellation()
      guard asset.mediaType == .image, !asset.mediaSubtypes.contains(.photoLive),
        let original = try inLibrary(library.original(of: asset))
      else {
        otherCount += 1
        continue
      }
      guard includesEdited || !asset.hasAdjustments else {
        editedCount += 1
        continue
      }
      let path = try mapFileErrors(FileSystem.resolved(original.path))
      var fields: [String: JSONValue] = [
        "id": .string(asset.localIdentifier), "src": .string("file://" + path),
        "sha256": .string(original.digest.hex),
      ]
      if let size = FileVersion(path)?.size { fields["bytes"] = .whole(size) }
      environment.output.write(try JSONValue.object(fields).canonicalText() + "\n")
    }
    if otherCount > 0 { environment.warn("\(otherCount) videos and Live Photos were omitted") }
    if editedCount > 0 {
      environment.warn("\(editedCount) edited photos were omitted; --replace includes them")
    }
  }
}
