// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage

/// Unpacks the archives among the named files of an import.
///
/// Everything in an archive is untrusted: names are resolved beneath an open folder, only regular
/// files are created, and the number and size of the files are limited. Each entry that is not
/// unpacked is reported with its name. Of files that are no photos and describe none, only the
/// beginning is unpacked, by which the import names their format.
struct ArchiveUnpacking {
  /// The limits for an archive.
  struct Limits {
    var entries = 1_000_000
    var nameBytes = 1024
    var folderDepth = 64
    /// The largest number of entries of one name.
    var equalNames = 8
    /// The size that is always accepted.
    var bytes = 256 << 20
    /// The largest ratio of the size of all files to the size of the archive.
    var ratio = 100

    func maximumBytes(of archiveSize: Int) -> Int {
      bytes.addingSaturated(archiveSize.multipliedSaturated(by: ratio))
    }
  }

  /// The paths to import: the folders of unpacked files instead of their archives.
  private(set) var paths: [String] = []
  /// The entries that were not unpacked, and the archives.
  private(set) var lines: [ImportedFile] = []
  private(set) var archives: UnpackedArchives?
  /// The number of entries that match an exclusion.
  private(set) var excludedCount = 0

  private let options: Importer.Options
  private let limits: Limits
  private var roots: [UnpackedArchives.Root] = []

  /// - Throws: `LibraryError` if the import ends here, since it is stopped or the disk is full.
  init(
    _ paths: [String], _ options: Importer.Options, _ library: PhotoLibrary,
    limits: Limits = Limits()
  ) throws(LibraryError) {
    self.options = options
    self.limits = limits
    var named: [(path: String, size: Int)] = []
    var seen: Set<PathKey> = []
    for path in paths {
      guard !FileSystem.isFolder(path), let format = ArchiveFormat.named(path) else {
        self.paths.append(path)
        continue
      }
      guard seen.insert(PathKey(path)).inserted else { continue }
      if options.shouldMoveFiles {
        lines.append(ImportedFile(path, .refused, error: .movedArchive(path)))
      } else if format == .rar {
        lines.append(
          ImportedFile(
            path, .refused,
            error: LibraryError(
              .invalidResource, path: path, "RAR archives are not read",
              hint: "unpack it and import the folder")))
      } else {
        named.append((path, FileVersion(path)?.size ?? 0))
      }
    }
    guard !named.isEmpty else { return }
    try library.access.check(.addOnly)
    let staging = try inFiles(library.layout.makeStagingFolder())
    try Self.checkSpace(named.reduce(0) { $0.addingSaturated($1.size) }, in: staging.path)
    for archive in named {
      options.unpacking?(archive.path)
      try unpack(archive.path, size: archive.size, in: staging)
    }
    self.paths += roots.map(\.folder.path)
    archives = UnpackedArchives(roots, in: staging)
  }

  /// Photos are compressed already, so unpacked archives are at least about as large.
  private static func checkSpace(_ size: Int, in folder: String) throws(LibraryError) {
    var status = statvfs()
    guard statvfs(folder, &status) == 0 else { return }
    let free = Int(status.f_bavail).multipliedSaturated(by: Int(status.f_frsize))
    guard free < size else { return }
    let path = FileSystem.folder(of: folder)
    let reason =
      "unpacking the archives needs at least \(size >> 20) MiB until they are imported, "
      + "and \(free >> 20) MiB are free"
    throw LibraryError(
      .notEnoughSpace, path: path, reason,
      hint: "free space, or unpack them on another disk and import the folder",
      file: FileError(.noSpace, path: path, reason: reason))
  }

  private mutating func unpack(
    _ path: String, size: Int, in staging: StagingFolder
  ) throws(LibraryError) {
    let reader: ArchiveReader
    do throws(LibraryError) {
      reader = try ArchiveReader(try inFiles(OpenFile(reading: path)))
    } catch {
      return lines.append(ImportedFile(path, .refused, error: error))
    }
    let first = roots.count
    var unpacker = ArchiveUnpacker(
      path, reader, limits, maximumBytes: limits.maximumBytes(of: size), options
    ) { index throws(FileError) in
      let folder = staging.file("\(first + index)")
      try FileSystem.createFolder(folder)
      return try OpenFolder(folder)
    }
    try unpacker.run()
    roots += unpacker.folders.map { UnpackedArchives.Root(folder: $0, archive: path) }
    lines += unpacker.lines
    excludedCount += unpacker.excludedCount
  }
}
