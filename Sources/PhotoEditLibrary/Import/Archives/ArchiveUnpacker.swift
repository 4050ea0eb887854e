// SPDX-License-Identifier: Apache-2.0
import CPhotoEditArchive
import PhotoEditStorage

/// Unpacks one archive beneath folders that were created for it.
struct ArchiveUnpacker {
  /// The entries that were not unpacked, and the archive.
  private(set) var lines: [ImportedFile] = []
  /// The folders with its files: a second one only if a name occurs twice.
  private(set) var folders: [OpenFolder] = []
  /// The number of files and folders that match an exclusion.
  private(set) var excludedCount = 0

  private let path: String
  private let reader: ArchiveReader
  private let limits: ArchiveUnpacking.Limits
  private let maximumBytes: Int
  private let options: Importer.Options
  private let makeFolder: (Int) throws(FileError) -> OpenFolder

  private var entryCount = 0
  private var fileCount = 0
  /// The number of bytes unpacked so far.
  private var bytes = 0
  private var lastName: String?
  private var isAtEnd = false
  /// The folders and files that are passed over, which are reported once.
  private var passed: Set<PathKey> = []
  /// The files of which only the beginning is unpacked.
  private var beginnings: Set<PathKey> = []
  /// The folder of the last file.
  private var parent: (index: Int, name: String, folder: OpenFolder)?

  /// - Parameter makeFolder: Creates a folder for files, with the index of the folder.
  init(
    _ path: String, _ reader: ArchiveReader, _ limits: ArchiveUnpacking.Limits, maximumBytes: Int,
    _ options: Importer.Options, makeFolder: @escaping (Int) throws(FileError) -> OpenFolder
  ) {
    (self.path, self.reader, self.limits) = (path, reader, limits)
    (self.maximumBytes, self.options, self.makeFolder) = (maximumBytes, options, makeFolder)
  }

  /// Unpacks the archive, up to damage or a limit, which is reported.
  ///
  /// - Throws: `LibraryError` if the import ends here, since it is stopped or the disk is full.
  mutating func run() throws(LibraryError) {
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
    defer { memory.deallocate() }
    while !isAtEnd, let entry = nextEntry() {
      entryCount += 1
      guard entryCount <= limits.entries else {
        refuse(nil, "has more than \(limits.entries) entries; the rest is not read")
        break
      }
      try take(entry, memory)
    }
    if entryCount == 0, lines.isEmpty {
      refuse(
        nil, "the archive has no entries that can be read",
        hint: "if it is one volume of several, join them first")
    } else if !lines.contains(where: { $0.path == path }) {
      lines.append(
        ImportedFile(
          path, .read, reason: "\(fileCount) \(fileCount == 1 ? "file" : "files") unpacked"))
    }
  }

  private mutating func nextEntry() -> ArchiveReader.Entry? {
    do throws(ArchiveReader.Damage) {
      return try reader.next()
    } catch {
      refuseRest(error)
      return nil
    }
  }

  /// Reports that nothing else of the archive can be read.
  private mutating func refuseRest(_ damage: ArchiveReader.Damage) {
    let place = lastName.map { " after \($0)" } ?? ""
    refuse(
      nil, "the archive cannot be read\(place): \(damage.reason)",
      hint: "get it again, or unpack it and import the folder; repeating adds what is missing")
  }

  private mutating func take(
    _ entry: ArchiveReader.Entry, _ memory: UnsafeMutableRawBufferPointer
  ) throws(LibraryError) {
    guard let name = checkedName(of: entry), !isPassed(name, entry.kind),
      entry.kind != .PE_ARCHIVE_FOLDER
    else { return try passOver(memory) }
    lastName = name
    if entry.kind == .PE_ARCHIVE_HARD_LINK {
      return try unpackLink(name, to: Self.parts(entry.target ?? []), memory)
    }
    if entry.isEncrypted {
      return refuse(
        name, "is encrypted", hint: "unpack the archive with its password and import the folder")
    }
    if let size = entry.size, size > maximumBytes - bytes {
      refuse(name, "has \(size) bytes according to the archive, \(excess)")
      return try passOver(memory)
    }
    try unpack(name, statedSize: entry.size, memory)
  }

  // MARK: Names

  /// Returns the name of an entry without superfluous parts; nil after reporting an invalid one.
  private mutating func checkedName(of entry: ArchiveReader.Entry) -> String? {
    guard let bytes = entry.name else {
      refuse(nil, "has an entry whose name cannot be read")
      return nil
    }
    let text = FileSystem.printable(bytes)
    guard text.utf8.elementsEqual(bytes) else {
      refuse(
        text, "its name is not valid UTF-8",
        hint: "unpack the archive with the character set of its names and import the folder")
      return nil
    }
    let parts = Self.parts(bytes)
    // The root folder of a tar archive.
    if parts.isEmpty, text.utf8.allSatisfy({ $0 == 0x2E || $0 == 0x2F }), text.hasPrefix(".") {
      return nil
    }
    let name = parts.joined(separator: "/")
    guard !text.hasPrefix("/"), OpenFolder.isBeneath(name) else {
      refuse(text, "its name leads out of the archive's own folder")
      return nil
    }
    guard name.utf8.count <= limits.nameBytes, parts.count <= limits.folderDepth else {
      refuse(
        name,
        "its name has more than \(limits.nameBytes) bytes or \(limits.folderDepth) folders")
      return nil
    }
    return name
  }

  /// Returns the parts of a name without superfluous ones.
  private static func parts(_ name: [UInt8]) -> [String] {
    name.split(separator: UInt8(ascii: "/")).map { String(decoding: $0, as: UTF8.self) }
      .filter { $0 != "." }
  }

  /// Returns the paths of the folders of an item, the outermost first, and of the item.
  private static func prefixes(_ name: String) -> [String] {
    (name.utf8.indices.filter { name.utf8[$0] == UInt8(ascii: "/") } + [name.endIndex]).map {
      String(name[..<$0])
    }
  }

  /// Returns whether a file is not imported, and reports it, or the folder that contains it.
  private mutating func isPassed(_ name: String, _ kind: pe_archive_kind) -> Bool {
    for folder in Self.prefixes(name) {
      let isWhole = folder.utf8.count == name.utf8.count
      let isFolder = !isWhole || kind == .PE_ARCHIVE_FOLDER
      var reason = ImportScan.reasonToPass(FileSystem.lastName(of: folder))
      if reason == nil, let pattern = options.exclusions.first(matching: folder, isFolder: isFolder)
      {
        reason = pattern.reason
        if !passed.contains(PathKey(folder)) { excludedCount += 1 }
      }
      if reason == nil, isWhole, kind == .PE_ARCHIVE_OTHER {
        reason = "not a file (link, pipe, socket or device)"
      }
      guard let reason else { continue }
      if passed.insert(PathKey(folder)).inserted {
        lines.append(
          ImportedFile(
            path + "/" + folder, .skipped, reason: reason,
            isLoss: reason == PicasaFile.reasonForOriginals))
      }
      return true
    }
    return false
  }

  // MARK: Contents

  private var excess: String {
    "and an archive of this size may have \(maximumBytes) bytes at most"
  }

  /// Reads the next bytes of an entry, and counts them.
  ///
  /// - Returns: Nil after reporting damage, or a size over the limit, which ends the archive.
  private mutating func read(
    _ name: String?, _ memory: UnsafeMutableRawBufferPointer
  ) throws(LibraryError) -> Int? {
    guard !options.isCancelled() else { throw .stoppedImport }
    do throws(ArchiveReader.Damage) {
      let count = try reader.read(into: memory)
      bytes = bytes.addingSaturated(count)
      if bytes <= maximumBytes { return count }
      refuse(name, "has too many bytes, \(excess); the rest is not read")
      isAtEnd = true
    } catch {
      let rest = error.isFinal ? "; the rest of the archive is not read" : ""
      if let name {
        refuse(name, "is damaged in the archive: \(error.reason)\(rest)")
      } else if error.isFinal {
        refuseRest(error)
      }
      isAtEnd = error.isFinal
    }
    return nil
  }

  /// Reads the rest of an entry, within the limits, if it cannot be skipped.
  private mutating func passOver(
    _ memory: UnsafeMutableRawBufferPointer
  ) throws(LibraryError) {
    if reader.canSkip { return }
    while let count = try read(nil, memory), count > 0 {}
  }

  private mutating func unpack(
    _ name: String, statedSize: Int?, _ memory: UnsafeMutableRawBufferPointer
  ) throws(LibraryError) {
    guard let filled = try read(name, memory) else { return }
    let head = Array(memory.prefix(min(filled, FileContent.detectionLength)))
    if ArchiveFormat(head) != nil, ArchiveFormat.isName(FileSystem.lastName(of: name)) {
      refuse(
        name, "is an archive in an archive, which is not opened",
        hint: "unpack it and import it by its name")
      return try passOver(memory)
    }
    let isUsed = Self.isUsed(name, head)
    let file: OpenFile
    do throws(FileError) {
      file = try create(name)
    } catch {
      guard error.kind != .noSpace else { throw failure(error, name) }
      refuse(name, Self.reason(error))
      return try passOver(memory)
    }
    var (count, size) = (filled, 0)
    while count > 0 {
      do throws(FileError) {
        try file.write(UnsafeRawBufferPointer(rebasing: memory[0..<count]))
      } catch {
        throw failure(error, name)
      }
      guard isUsed else {
        fileCount += 1
        beginnings.insert(PathKey(name))
        return try passOver(memory)
      }
      size = size.addingSaturated(count)
      guard let next = try read(name, memory) else {
        return discard(name)
      }
      count = next
    }
    // The reader omits a hole at the end of a sparse file.
    guard size == statedSize ?? size else {
      refuse(name, "has \(size) bytes instead of \(statedSize ?? 0) in the archive")
      return discard(name)
    }
    fileCount += 1
  }

  /// Unpacks a hard link, which is another name of a file of the archive, as a copy of that.
  private mutating func unpackLink(
    _ name: String, to target: [String], _ memory: UnsafeMutableRawBufferPointer
  ) throws(LibraryError) {
    let path = target.joined(separator: "/")
    let isLeftOut = Self.prefixes(path).contains { passed.contains(PathKey($0)) }
    let isBeginning = beginnings.contains(PathKey(path))
    guard !isLeftOut, !isBeginning || !Self.isUsed(name, []) else {
      return refuse(
        name, "is a hard link to \(path), which is not unpacked",
        hint: "unpack the archive and import the folder")
    }
    do throws(FileError) {
      guard let folder = try lastFolder(with: path) else {
        let reason = "a hard link to \(path), which is not among the files unpacked before it"
        return lines.append(
          ImportedFile(self.path + "/" + name, .skipped, reason: reason, isLoss: true))
      }
      let source = try folder.open(path)
      let size = try source.regularSize()
      guard size <= maximumBytes - bytes else {
        return refuse(name, "is another name of a file of \(size) bytes, \(excess)")
      }
      let copy = try create(name)
      while case let count = try source.read(into: memory), count > 0 {
        try copy.write(UnsafeRawBufferPointer(rebasing: memory[0..<count]))
      }
      bytes = bytes.addingSaturated(size)
    } catch {
      guard error.kind != .noSpace else { throw failure(error, name) }
      return refuse(name, Self.reason(error))
    }
    fileCount += 1
    if isBeginning { beginnings.insert(PathKey(name)) }
  }

  /// Returns the folder with the last file of a name; nil for a name that leads elsewhere.
  private func lastFolder(with name: String) throws(FileError) -> OpenFolder? {
    guard OpenFolder.isBeneath(name) else { return nil }
    for folder in folders.reversed() {
      if try folder.entry(name) == .file { return folder }
    }
    return nil
  }

  /// Returns the reason why a file cannot be created.
  private static func reason(_ error: FileError) -> String {
    error.kind == .exists ? "the archive has too many such names" : error.reason
  }

  /// Removes a partial file; if that fails, it is removed with its folder.
  private func discard(_ name: String) {
    try? parent?.folder.remove(FileSystem.lastName(of: name))
  }

  /// Returns whether a file is imported or describes one, and is not only named in the report.
  private static func isUsed(_ name: String, _ head: [UInt8]) -> Bool {
    let ending = FileSystem.splitName(FileSystem.lastName(of: name)).fileExtension.lowercased()
    let family = FileContent.family(ofExtension: ending)
    return family != nil || descriptions.contains(ending)
      || ImportScan.kind(of: head, family) != nil
  }

  /// The endings of files that describe photos: of Takeout, iCloud, Picasa and Apple's libraries.
  private static let descriptions: Set<String> = [
    "json", "csv", "ini", "plist", "sqlite", "sqlite-wal", "sqlite-shm", "apdb", "xml",
  ]

  /// Creates a file, in the first folder that has no other of its name.
  private mutating func create(_ name: String) throws(FileError) -> OpenFile {
    var index = 0
    while true {
      if index == folders.count { folders.append(try makeFolder(index)) }
      do throws(FileError) {
        return try create(name, in: index)
      } catch {
        index += 1
        guard error.kind == .exists, index < limits.equalNames else { throw error }
      }
    }
  }

  private mutating func create(_ name: String, in index: Int) throws(FileError) -> OpenFile {
    let folderName = name.utf8.contains(UInt8(ascii: "/")) ? FileSystem.folder(of: name) : ""
    if parent?.index != index || parent.map({ PathKey($0.name) }) != PathKey(folderName) {
      let folder =
        folderName.isEmpty
        ? folders[index]
        : try folders[index].creatingFolder(folderName, mode: 0o700, isTemporary: true)
      parent = (index, folderName, folder)
    }
    let folder = parent?.folder ?? folders[index]
    return try folder.creatingFile(FileSystem.lastName(of: name))
  }

  // MARK: Report

  /// Reports an entry that is not unpacked; the archive itself for nil.
  private mutating func refuse(_ name: String?, _ reason: String, hint: String? = nil) {
    let shown = name.map { path + "/" + $0 } ?? path
    lines.append(
      ImportedFile(
        shown, .refused,
        error: LibraryError(.invalidResource, path: shown, reason, hint: hint)))
  }

  private func failure(_ error: FileError, _ name: String) -> LibraryError {
    LibraryError(FileError(error.kind, path: path + "/" + name, reason: error.reason))
  }
}
