// SPDX-License-Identifier: Apache-2.0

/// Inputs of which folders are replaced by the photos in them.
struct InputFolders {
  /// The inputs, in the order given; those of a folder are sorted by name.
  private(set) var files: [String] = []
  /// The folders of the files found, relative to the folder that was given.
  private(set) var folders: [PathKey: String] = [:]
  private var visited: Set<PathKey> = []

  /// Lists folders.
  ///
  /// - Parameter isRecursive: Whether folders are accepted.
  init(_ inputs: [String], isRecursive: Bool) throws(CommandFailure) {
    for input in inputs {
      // Beside others, a folder is one of the inputs that cannot be read.
      guard input != "-", FileSystem.isFolder(input), isRecursive || inputs.count == 1 else {
        files.append(input)
        continue
      }
      guard isRecursive else {
        throw CommandFailure(
          .badData, "\(input): is a folder", hint: "add -r to process the photos in it",
          code: "notRegular")
      }
      var folder = input[...]
      while folder.count > 1, folder.hasSuffix("/") { folder = folder.dropLast() }
      try add(String(folder), relative: "")
    }
  }

  private static let extensions: Set = [
    "jpg", "jpeg", "jpe", "jfif", "png", "heic", "heif", "hif", "avif", "webp", "tif", "tiff",
    "gif",
  ]

  private mutating func add(_ folder: String, relative: String) throws(CommandFailure) {
    // A link may lead back to a folder above it.
    let resolved = try mapFileErrors(FileSystem.resolved(folder))
    guard visited.insert(PathKey(resolved)).inserted else { return }
    for name in try mapFileErrors(FileSystem.names(in: folder)) where !name.hasPrefix(".") {
      let path = folder + "/" + name
      if FileSystem.isFolder(path) {
        try add(path, relative: relative + name + "/")
      } else if Self.extensions.contains(FileSystem.splitName(name).fileExtension.lowercased()) {
        files.append(path)
        folders[PathKey(path)] = relative
      }
    }
  }
}

/// The paths of copies, relative to the folder that they are written to.
struct CopyNames: Sendable {
  private var template: ExportTemplate?
  private var folders: [PathKey: String] = [:]

  init() {}

  /// - Parameter folders: The folders of inputs that were found in folders.
  init(_ pattern: String?, folders: [PathKey: String]) throws(CommandFailure) {
    self.folders = folders
    guard let pattern else { return }
    let template = try translating(
      { (error: LibraryError) in CommandFailure.usage("--\(error.message)", hint: error.hint) },
      ExportTemplate(pattern))
    if let field = template.fieldOfLibrary {
      throw .usage(
        "--template \(pattern): {\(field)} is a field of library assets",
        hint: "use 'photoedit asset export' for assets")
    }
    self.template = template
  }

  /// Returns the path of a photo's copy; nil for the usual name.
  func path(of input: String, number: Int) throws(CommandFailure) -> String? {
    let name = FileSystem.lastName(of: input)
    let folder = folders[PathKey(input)] ?? ""
    guard let template else {
      return folder.isEmpty
        ? nil : folder + EditArguments.renderingName(of: input, isMovie: false)
    }
    var summary = MetadataSummary()
    if template.needsMetadata {
      let bytes = try mapFileErrors(FileBytes.reading(input, maximumBytes: 1 << 30))
      summary = (try? ImageMetadata.read(bytes))?.summary ?? summary
    }
    return template.path(ofPhoto: name, number: number, summary) + ".jpg"
  }

  /// Creates a folder and those above it.
  static func createFolders(_ path: String) throws(CommandFailure) {
    var folder = path[...]
    while folder.count > 1, folder.hasSuffix("/") { folder = folder.dropLast() }
    guard !folder.isEmpty, !FileSystem.isFolder(String(folder)) else { return }
    let above = FileSystem.folder(of: String(folder))
    if above != String(folder) { try createFolders(above) }
    try mapFileErrors(FileSystem.createFolder(String(folder), mode: 0o777))
  }
}
