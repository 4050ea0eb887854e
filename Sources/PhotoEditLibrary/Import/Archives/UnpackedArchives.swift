// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The files of archives in a staging folder of the library, from where they are imported like those
/// of any folder.
///
/// The files are removed as soon as they are imported, and all of them at the end; those of a
/// process that was ended are removed by the next one, like all staging folders.
final class UnpackedArchives: Sendable {
  /// A folder with files of an archive.
  struct Root: Sendable {
    let folder: OpenFolder
    /// The path of the archive, as the user named it.
    let archive: String
  }

  /// The folders, each of which is named by its index.
  ///
  /// An archive has a second one if it has several entries of one name.
  let roots: [Root]
  private let staging: StagingFolder
  /// The paths of archives, with one name for those that are parts of one export.
  private let series: [PathKey: String]

  init(_ roots: [Root], in staging: StagingFolder) {
    self.roots = roots
    self.staging = staging
    var series: [PathKey: String] = [:]
    for root in roots { series[PathKey(root.archive)] = Self.series(root.archive) }
    self.series = series
  }

  /// Returns the path of an archive without the number of the part at the end of its name.
  private static func series(_ archive: String) -> String {
    let (stem, ending) = FileSystem.splitName(archive)
    let digits = stem.utf8.reversed().prefix { (0x30...0x39).contains($0) }.count
    return String(stem.dropLast(digits)) + "." + ending
  }

  // MARK: Paths

  /// Returns the root of an unpacked file and its name beneath it; nil for any other path.
  private func place(of path: String) -> (root: Root, name: String)? {
    let prefix = staging.path + "/"
    guard path.utf8.starts(with: prefix.utf8) else { return nil }
    let rest = path.utf8.dropFirst(prefix.utf8.count)
    let digits = rest.prefix { $0 != UInt8(ascii: "/") }
    guard let index = Int(String(decoding: digits, as: UTF8.self)), roots.indices.contains(index)
    else { return nil }
    return (
      roots[index], String(decoding: rest.dropFirst(digits.count).dropFirst(), as: UTF8.self)
    )
  }

  /// Returns whether a file was unpacked here.
  func contains(_ path: String) -> Bool { place(of: path) != nil }

  /// Returns a path as the user knows it: that of the archive, followed by the name of the entry.
  func shown(_ path: String) -> String {
    place(of: path).map { $0.root.archive + ($0.name.isEmpty ? "" : "/" + $0.name) } ?? path
  }

  /// Returns the paths of the unpacked files with a path that the user knows; otherwise that
  /// path.
  func unpacked(_ path: String) -> [String] {
    let found = roots.filter { path.utf8.starts(with: ($0.archive + "/").utf8) }.map { root in
      root.folder.path(
        of: String(decoding: path.utf8.dropFirst(root.archive.utf8.count + 1), as: UTF8.self))
    }
    return found.isEmpty ? [path] : found
  }

  private func shownIn(_ text: String) -> String {
    guard text.contains(staging.path) else { return text }
    return roots.reduce(text) {
      $0.replacing($1.folder.path + "/", with: $1.archive + "/")
    }
  }

  /// Returns an entry of the report with the paths that the user knows.
  func shown(_ file: ImportedFile) -> ImportedFile {
    var file = file
    let path = file.path
    file.path = shown(path)
    file.original = file.original.map(shown)
    file.reason = file.reason.map(shownIn)
    file.error = file.error.map(shown)
    if let (root, name) = place(of: path),
      file.error?.message == LibraryError.nestedLibrary("").message
    {
      file.error = .nestedLibrary(file.path, name, in: root.archive)
    }
    return file
  }

  /// Returns an error with the paths that the user knows.
  func shown(_ error: LibraryError) -> LibraryError {
    guard "\(error)".contains(staging.path) else { return error }
    return roots.reduce(error) {
      $0.naming($1.archive + "/", insteadOf: $1.folder.path + "/")
    }
  }

  /// Returns a name that the parts of a folder have in common; nil for a folder without parts.
  ///
  /// Google splits a Takeout export at any file, so a photo may be in another archive than its
  /// video. The photos of other archives may have equal names and not belong together.
  func commonName(ofFolder path: String) -> PathKey? {
    guard let (root, name) = place(of: path) else { return nil }
    let isTakeout = name.utf8.starts(with: "Takeout/".utf8)
    let owner = isTakeout ? series[PathKey(root.archive)] ?? root.archive : root.archive
    return PathKey(owner + "/" + name)
  }

  // MARK: Space

  /// Removes files that have been imported or rejected.
  func remove(_ paths: some Sequence<String>) {
    for path in paths {
      // The rest is removed with the staging folder.
      if let (root, name) = place(of: path) { try? root.folder.remove(name) }
    }
  }
}

extension ImportReport {
  /// Names unpacked files by their archives.
  mutating func show(_ archives: UnpackedArchives) {
    files = files.map(archives.shown)
    interruption = interruption.map(archives.shown)
  }
}
