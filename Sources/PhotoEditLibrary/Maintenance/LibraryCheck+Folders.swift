// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditSQLite
import PhotoEditStorage

/// Checks for unneeded files.
extension LibraryCheck {
  /// Finds files of assets that no row refers to.
  func checkFolders(
    _ database: LibraryDatabase, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) throws(LibraryError) {
    for folder in LibraryLayout.folders + names(layout.collections).map({ "collections/" + $0 }) {
      checkLink(folder, layout, &report)
    }
    report.findings += LibraryLayout.auxiliaryFiles.compactMap { link(at: $0, layout) }
    for prefix in names(layout.assets) {
      checkLink("assets/" + prefix, layout, &report)
      for folder in names(layout.assets + "/" + prefix) {
        let relative = "assets/\(prefix)/\(folder)"
        checkLink(relative, layout, &report)
        for name in names(layout.path(relative)) {
          if let finding = try classify(relative + "/" + name, database, layout) {
            report.findings.append(finding)
          }
        }
      }
    }
  }

  /// Returns a finding if a symbolic link is at the path of a file.
  func link(
    at file: String, _ layout: LibraryLayout, of identifier: LocalIdentifier? = nil
  ) -> LibraryIssue? {
    let path = layout.path(file)
    do throws(FileError) {
      guard try FileSystem.entry(at: path) == .other else { return nil }
    } catch {
      return nil
    }
    return LibraryIssue(
      .linkedFile, file: file, identifier: identifier?.description,
      FileError.noFileOfLibrary(path).reason)
  }

  /// Reports a symbolic link at the path of a folder.
  private func checkLink(
    _ folder: String, _ layout: LibraryLayout, _ report: inout LibraryReport
  ) {
    let path = layout.path(folder)
    do throws(FileError) { guard try FileSystem.entry(at: path) == .other else { return } } catch {
      return
    }
    report.findings.append(
      LibraryIssue(.linkedFolder, file: folder, FileError.noFolderOfLibrary(path).reason))
  }

  private func classify(
    _ file: String, _ database: LibraryDatabase, _ layout: LibraryLayout
  ) throws(LibraryError) -> LibraryIssue? {
    let name = FileSystem.lastName(of: file)
    if name == AssetManifest.name {
      guard let uuid = LibraryLayout.asset(of: file) else { return nil }
      return try database.hasRow("asset", uuid) ? nil : .unknownManifest(file)
    }
    if name == AssetManifest.name + ManifestWriter.partial {
      return LibraryIssue(.litter, file: file, "incomplete manifest")
    }
    guard LibraryLayout.isFileOfAsset(file) else {
      return LibraryIssue(.orphanedFile, file: file, "not in an asset folder")
    }
    if try database.refers(to: file) { return nil }
    let isLeftover =
      try database.first("SELECT 1 FROM leftover WHERE file = ?", [.text(file)]) { _ in true }
      ?? false
    // The file may have been removed since the folder was listed.
    guard FileSystem.itemExists(layout.path(file)) else { return nil }
    if let finding = link(at: file, layout) { return finding }
    return LibraryIssue(
      isLeftover ? .litter : .orphanedFile, file: file,
      isLeftover ? "superseded version" : "not needed by any version")
  }

  /// Finds unfinished files of terminated processes.
  func checkStaging(_ layout: LibraryLayout, _ report: inout LibraryReport) {
    for name in names(layout.staging) where isAbandoned(layout.staging + "/" + name) {
      report.findings.append(
        LibraryIssue(.litter, file: "staging/" + name, "left over from a process that has ended"))
    }
  }

  private func isAbandoned(_ path: String) -> Bool {
    do throws(FileError) {
      switch try FileSystem.entry(at: path) {
      case .folder: return try OpenFile(folder: path, followsLink: false).lock() == .acquired
      case .file: return try OpenFile(reading: path).lock() == .acquired
      case .other: return true
      case nil: return false
      }
    } catch {
      return false
    }
  }

  /// Returns the names in a folder; a link to a folder counts as empty.
  private func names(_ folder: String) -> [String] {
    guard FileSystem.isFolderAndNoLink(folder) else { return [] }
    do throws(FileError) { return try FileSystem.names(in: folder) } catch { return [] }
  }
}
