// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditPixels
import PhotoEditRendering
import PhotoEditStorage

/// The digests and hashes of the pixels of originals, by the digests of the files.
///
/// They are stored in the library's folder, and computed again if that file is missing or damaged.
struct PixelDigestCache {
  struct Entry: Hashable, Sendable {
    /// The digest of the pixels in hexadecimal; empty if they cannot be separated from metadata.
    var pixels: String?
    /// The perceptual hash in hexadecimal; empty for an image without structure.
    var hash: String?
  }

  private static let name = "cache/pixel-digests"
  private static let maximumBytes = 1 << 30
  /// Changes whenever digests are computed differently.
  private static let header = "photoedit-pixels 1"

  private let layout: LibraryLayout
  private(set) var entries: [String: Entry] = [:]
  private var isChanged = false

  init(_ layout: LibraryLayout) {
    self.layout = layout
    guard let bytes = try? layout.read(Self.name, maximumBytes: Self.maximumBytes) else { return }
    let lines = String(decoding: bytes.array, as: UTF8.self).split(separator: "\n")
    guard lines.first == Self.header[...] else { return }
    for line in lines.dropFirst() {
      let parts = line.split(separator: " ")
      guard parts.count == 3 else { continue }
      func value(_ part: Substring) -> String? {
        part == "?" ? nil : part == "-" ? "" : String(part)
      }
      entries[String(parts[0])] = Entry(pixels: value(parts[1]), hash: value(parts[2]))
    }
  }

  mutating func add(_ entry: Entry, _ digest: String) {
    guard entries[digest] != entry else { return }
    entries[digest] = entry
    isChanged = true
  }

  /// Stores the entries of the given files if possible; others are of files that are gone.
  mutating func save(_ digests: Set<String>) {
    guard isChanged else { return }
    func text(_ value: String?) -> String { value.map { $0.isEmpty ? "-" : $0 } ?? "?" }
    var lines = [Self.header]
    for (digest, entry) in entries.sorted(by: { $0.key < $1.key }) where digests.contains(digest) {
      lines.append("\(digest) \(text(entry.pixels)) \(text(entry.hash))")
    }
    let bytes = Array((lines.joined(separator: "\n") + "\n").utf8)
    // A library that cannot be written has no cache.
    do throws(FileError) {
      let folder = FileSystem.folder(of: Self.name)
      try layout.createFolder(folder)
      let staging = try StagingFolder(in: layout.path(folder))
      defer { staging.discard() }
      let staged = staging.file("digests")
      try OpenFile(creating: staged).write(bytes)
      try FileSystem.rename(staged, to: layout.path(Self.name))
      isChanged = false
    } catch {}
  }

  /// Computes what is missing about a file.
  static func complete(
    _ entry: Entry, _ path: String, needsPixels: Bool, needsHash: Bool,
    isCancelled: @escaping @Sendable () -> Bool
  ) -> Entry {
    var entry = entry
    if needsPixels, entry.pixels == nil { entry.pixels = PixelDigest.digest(of: path)?.hex ?? "" }
    if needsHash, entry.hash == nil {
      let hash = image(path, isCancelled).flatMap { PerceptualHash($0) }
      // A canceled rendering says nothing about the image.
      if hash != nil || !isCancelled() {
        entry.hash = hash.map { String($0.bits, radix: 16) } ?? ""
      }
    }
    return entry
  }

  /// Returns an upright image of a file, reduced to a size at which hashes hardly differ from those
  /// of the whole image; nil if it cannot be decoded.
  private static func image(
    _ path: String, _ isCancelled: @escaping @Sendable () -> Bool
  ) -> ImageBuffer? {
    guard let bytes = try? FileBytes.reading(path, maximumBytes: ResourceStager.maximumImageBytes),
      let source = try? ThumbnailGenerator.source(bytes, path)
    else { return nil }
    return try? ThumbnailGenerator(path: path, isCancelled: isCancelled)
      .image(of: source, ThumbnailShape(side: 1024))
  }
}
