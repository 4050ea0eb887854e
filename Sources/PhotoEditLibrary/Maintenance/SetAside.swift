// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage

/// The folder into which a repair moves files that no version needs, instead of deleting them.
///
///     set-aside/2026-11-22T221530Z/library.db
///     set-aside/2026-11-22T221530Z/assets/3F/3F2504E0-…/fullSizePhoto-….jpg
///
/// Every file keeps its path relative to the library, so that it can be moved back manually.
final class SetAside {
  private let layout: LibraryLayout
  private let date: Date
  private var folder: String?
  private(set) var actions: [String] = []

  init(_ layout: LibraryLayout, at date: Date) {
    self.layout = layout
    self.date = date
  }

  /// Moves a file of the library, or anything at its path, into the folder.
  ///
  /// - Parameters:
  ///   - file: The path relative to the library.
  ///   - reason: The reason for the report, such as "belonged to no version".
  func move(_ file: String, because reason: String) throws(LibraryError) {
    try transfer(file, reason) { source, target throws(FileError) in
      try FileSystem.renameExclusively(source, to: target)
    }
    FileSystem.removeFolderIfEmpty(layout.path(FileSystem.folder(of: file)))
  }

  /// Copies a file of the library that is about to be rewritten.
  func copy(_ file: String, because reason: String) throws(LibraryError) {
    try transfer(file, reason) { source, target throws(FileError) in
      try FileSystem.copy(source, to: target, followsLinks: false)
    }
  }

  private func transfer(
    _ file: String, _ reason: String, _ body: (String, String) throws(FileError) -> Void
  ) throws(LibraryError) {
    try translating(LibraryError.init) { () throws(FileError) in
      let parentFolder = FileSystem.folder(of: file)
      // Files reached through a link do not belong to the library.
      if parentFolder != "." { guard try layout.hasFolder(parentFolder) else { return } }
      let target = try newFolder() + "/" + file
      try layout.createFolder(FileSystem.folder(of: target))
      try body(layout.path(file), layout.path(target))
      actions.append("\(file) \(reason); it is now at \(target)")
    }
  }

  /// Returns the folder of this repair, which is created at the first use.
  private func newFolder() throws(FileError) -> String {
    if let folder { return folder }
    var (candidate, number) = ("\(LibraryLayout.setAsideName)/\(date.stamp)", 1)
    while FileSystem.itemExists(layout.path(candidate)) {
      number += 1
      candidate = "\(LibraryLayout.setAsideName)/\(date.stamp)-\(number)"
    }
    try layout.createFolder(candidate)
    folder = candidate
    return candidate
  }

  /// Syncs the moved files before others are written to their original paths.
  func finish() throws(LibraryError) {
    guard folder != nil else { return }
    try inFiles(FileSystem.syncFileSystem(of: layout.root))
  }
}
