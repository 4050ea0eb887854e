// SPDX-License-Identifier: Apache-2.0

/// Rules for names that come from files, databases, runs and records: `OpenFolder` resolves them in
/// Swift, `FolderStore` in Python, and nothing else.
enum BoundaryRules {
  /// A line that may contain a call of which the rule is otherwise broken.
  struct Exception {
    /// The end of the file's path.
    let file: String
    /// A part of the line.
    let text: String
    let reason: String
  }

  // MARK: Resolution

  /// The parts of a function that resolves names; other code that contains one is a second function.
  private static let resolvers = [
    "pe_open_beneath", "openat(", "openat2", "fstatat(", "unlinkat(", "mkdirat(", "renameat(",
    "RESOLVE_", "\"..\"", "'..'", "O_NOFOLLOW", "follow_symlinks", "dir_fd",
  ]

  /// The code that resolves names, and the calls below it.
  private static let resolvingFolders = [
    "Sources/PhotoEditStorage/", "Sources/CPhotoEditSystem/",
    "Tools/cluster/photoedit_cluster/store.py",
  ]

  static let resolverExceptions = [
    Exception(
      file: "Fetching/SearchExpression.swift", text: "firstRange(of: \"..\")",
      reason: "a range of values in a search"),
    Exception(
      file: "Runs/ManifestLine.swift", text: "is not a relative path without",
      reason: "the text of a message"),
    Exception(
      file: "Maintenance/AssetManifest.swift", text: "name != \"..\"",
      reason: "a name without slashes, in a folder of the library"),
    Exception(
      file: "Routing/PageModule.swift", text: "part == \"..\"",
      reason: "links between the page's own files, which are in the program"),
    Exception(
      file: "Transport/RequestHead.swift", text: "text != \"..\"",
      reason: "a request path, of which no part is the name of a file"),
    Exception(
      file: "Sidecar/SidecarPaths.swift", text: "recorded != \"..\"",
      reason: "a name without slashes, next to the photo"),
    Exception(
      file: "photoedit_cluster/scratch.py", text: "follow_symlinks",
      reason: "folders of ended processes, with names that were listed"),
    Exception(
      file: "photoedit_cluster/scratch.py", text: "O_NOFOLLOW",
      reason: "folders of ended processes, with names that were listed"),
  ]

  /// Finds code outside of the resolving functions that resolves names itself.
  static func resolverFindings(
    in file: TextFile, except exceptions: [Exception] = resolverExceptions
  ) -> [String] {
    guard !resolvingFolders.contains(where: file.path.hasPrefix) else { return [] }
    return file.findings { line in
      let found = resolvers.filter(code(line).containsBytes)
      return found.isEmpty || isException(line, file, exceptions)
        ? nil : "resolves a name (\(found.joined(separator: ", "))); use OpenFolder or FolderStore"
    }
  }

  // MARK: Paths

  /// The files that handle names from data.
  static let doors = [
    "Sources/PhotoEditTool/Runs/", "Sources/PhotoEditLibrary/Import/ApplePhotos/",
    "Sources/PhotoEditLibrary/Import/Archives/",
    "Sources/PhotoEditLibrary/Export/FolderExport.swift",
    "Sources/PhotoEditLibrary/Export/ExportRecord.swift",
    "Sources/PhotoEditServer/Collections/PhotoFiles.swift",
    "Sources/PhotoEditServer/Handlers/FileRoutes.swift",
    "Tools/cluster/photoedit_cluster/",
  ]

  /// Calls that open, examine, change or remove what a path leads to.
  private static let pathCalls = [
    "OpenFile(reading:", "OpenFile(folder:", "FileBytes.reading(", "FileBytes.digest(of:",
    "FileSystem.entry(at:", "FileSystem.itemExists(", "FileSystem.isFolder(",
    "FileSystem.names(in:",
    "FileSystem.copy(", "FileSystem.duplicate(", "FileSystem.remove", "FileSystem.rename",
    "FileSystem.publish(", "FileSystem.create", "FileSystem.set", "FileVersion(",
    "StagedFile.write(",
    "StagedFile(for:", "unlink(", "stat(path", "stat(current", "rmdir(", "mkdir(", "rename(",
    // Python
    "with open(", "os.open(", "Popen(", "os.link(", "os.replace(", "os.remove(", "os.makedirs(",
    "os.scandir(", "os.listdir(", "shutil.",
  ]

  static let pathExceptions = [
    Exception(
      file: "Runs/FileLines.swift", text: "OpenFile(reading: path)",
      reason: "the manifest, which the user names"),
    Exception(
      file: "Runs/FileLines.swift", text: "FileVersion(of:", reason: "an open file"),
    Exception(
      file: "Runs/ManifestIndex.swift", text: "OpenFile(reading: path)",
      reason: "the manifest, which the user names"),
    Exception(
      file: "Runs/Look.swift", text: "FileVersion(path)", reason: "a look that the caller names"),
    Exception(
      file: "Runs/ManifestLine.swift", text: "FileVersion(path)",
      reason: "an original of the library, whose path the library checked"),
    Exception(
      file: "Runs/ResultStore.swift", text: "FileSystem.createSyncedFolder(folder)",
      reason: "the output of a plan, which the user names"),
    Exception(
      file: "Runs/ResultStore.swift", text: "FileSystem.remove(path)", reason: "its own trial"),
    Exception(
      file: "Runs/ResultStore.swift", text: "StagedFile.write([0x0A], to: path)",
      reason: "its own trial"),
    Exception(
      file: "Runs/RunEstimate.swift", text: "FileVersion(source)",
      reason: "an original of the user's manifest, which is only read"),
    Exception(
      file: "Runs/RunFolder.swift", text: "",
      reason: "names that the plan makes, in folders that it created or that were checked"),
    Exception(
      file: "Runs/RunImport.swift", text: "FileVersion(output.renderedContentURL.path)",
      reason: "a file that was staged here"),
    Exception(
      file: "Runs/RunImport.swift", text: "(try? FileBytes.digest(of: path)) == edit.item.original",
      reason: "an original counts only if it has the digest"),
    Exception(
      file: "Runs/WorkerCommand.swift", text: "", reason: "the caller of a worker names its files"),
    Exception(
      file: "Archives/ArchiveUnpacking.swift", text: "(path)",
      reason: "an archive, which the user names"),
    Exception(
      file: "Archives/ArchiveUnpacking.swift", text: "OpenFile(reading: path)",
      reason: "an archive, which the user names"),
    Exception(
      file: "Archives/ArchiveUnpacking.swift", text: "FileSystem.createFolder(folder)",
      reason: "a number in a staging folder"),
    Exception(
      file: "ApplePhotos/PhotosDatabase.swift", text: "FileSystem.copy(file, to: copy)",
      reason: "an open file"),
    Exception(
      file: "ApplePhotos/PhotosLibraryScan.swift",
      text: "FileSystem.itemExists(folder + \"/\" + path)",
      reason: "constant names by which a folder is recognized"),
    Exception(
      file: "Export/FolderExport.swift", text: "setModificationTime(of: file.path",
      reason: "a file in a folder that is named by its descriptor"),
    Exception(
      file: "Export/ExportRecord.swift", text: "", reason: "the constant name of the record"),
    Exception(
      file: "Collections/PhotoFiles.swift", text: "isOnly(path)",
      reason: "the photo that the user named"),
    Exception(
      file: "Collections/PhotoFiles.swift", text: "FileSystem.names(in: folder)",
      reason: "the folder that the user named"),
    Exception(
      file: "Collections/PhotoFiles.swift", text: "FileBytes.reading(file)", reason: "an open file"),
    Exception(
      file: "Collections/PhotoFiles.swift", text: "stat(path, &status)",
      reason: "a file of the folder, after it was checked"),
    Exception(
      file: "Collections/PhotoFiles.swift", text: "stat(current, &version)",
      reason: "a file of a held edit, which was checked"),
    Exception(
      file: "photoedit_cluster/store.py", text: "", reason: "the function itself"),
    Exception(
      file: "photoedit_cluster/scratch.py", text: "", reason: "folders that the user names"),
    Exception(
      file: "photoedit_cluster/child.py", text: "Popen(", reason: "starts the program"),
    Exception(
      file: "photoedit_cluster/publish.py", text: "open(os.devnull if path else photo.input",
      reason: "a numbered file in the scratch folder"),
    Exception(
      file: "photoedit_cluster/publish.py", text: "open(photo.output",
      reason: "a numbered file in the scratch folder"),
    Exception(
      file: "photoedit_cluster/shard.py", text: "os.unlink(photo.output)",
      reason: "a numbered file in the scratch folder"),
    Exception(
      file: "photoedit_cluster/shard.py", text: "os.unlink(path)",
      reason: "a file that is directly in the scratch folder"),
    Exception(
      file: "photoedit_cluster/run.py", text: "\"looks\"",
      reason: "the last parts of listed names, in the scratch folder"),
    Exception(
      file: "photoedit_cluster/transfer.py", text: "open(path, \"wb\")",
      reason: "the last part of the manifest's name, in a temporary folder"),
    Exception(
      file: "photoedit_cluster/transfer.py", text: "open(lines, \"w\"",
      reason: "a constant name in a temporary folder"),
  ]

  /// Finds calls with paths in the files that handle names from data.
  static func pathFindings(
    in file: TextFile, except exceptions: [Exception] = pathExceptions
  ) -> [String] {
    guard doors.contains(where: file.path.hasPrefix) else { return [] }
    return file.findings { line in
      let found = pathCalls.filter(code(line).containsBytes)
      return found.isEmpty || isException(line, file, exceptions)
        ? nil : "uses a path (\(found.joined(separator: ", "))); open it beneath an OpenFolder"
    }
  }

  // MARK: Lines

  /// A line without its comment.
  private static func code(_ line: Substring) -> Substring {
    let text = line.drop { $0 == " " }
    return text.hasPrefix("//") || text.hasPrefix("#") || text.hasPrefix("\"\"\"") ? "" : line
  }

  private static func isException(
    _ line: Substring, _ file: TextFile, _ exceptions: [Exception]
  ) -> Bool {
    exceptions.contains {
      file.path.hasSuffix($0.file) && ($0.text.isEmpty || line.containsBytes(of: $0.text))
    }
  }
}
