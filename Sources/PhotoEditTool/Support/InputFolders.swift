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
  /// - Parameters:
  ///   - isRecursive: Whether folders are accepted.
  ///   - output: The folder of the results, which is not searched unless it is an input itself.
  init(_ inputs: [String], isRecursive: Bool, output: String? = nil) throws(CommandFailure) {
    if isRecursive, let output, let folder = try? FileSystem.resolved(output),
      !inputs.contains(where: { Publishing.isSame($0, output) })
    {
      visited.insert(PathKey(folder))
    }
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
      let count = files.count
      try add(String(folder), relative: "")
      if files.count == count, inputs.count == 1 {
        throw CommandFailure(
          .inputMissing, "\(input): contains no photos", hint: "specify a folder with photos",
          code: "noPhotos")
      }
    }
  }

  private static let extensions: Set = [
    "jpg", "jpeg", "jpe", "jfif", "png", "heic", "heif", "hif", "avif", "webp", "tif", "tiff",
    "gif",
  ]

  /// Returns the photos among the files of a folder.
  ///
  /// A raw file next to an image of the same name is the camera's second file of one photo.
  private static func photos(_ names: [String]) -> Set<PathKey> {
    func named(_ extensions: Set<String>) -> [String] {
      names.filter { extensions.contains(FileSystem.splitName($0).fileExtension.lowercased()) }
    }
    func stem(_ name: String) -> PathKey { PathKey(FileSystem.splitName(name).stem) }
    let images = named(extensions)
    let stems = Set(images.map(stem))
    let raws = named(CameraRawFormat.fileExtensions).filter { !stems.contains(stem($0)) }
    return Set((images + raws).map { PathKey($0) })
  }

  private mutating func add(_ folder: String, relative: String) throws(CommandFailure) {
    // A link may lead back to a folder above it.
    let resolved = try mapFileErrors(FileSystem.resolved(folder))
    guard visited.insert(PathKey(resolved)).inserted else { return }
    let names = try mapFileErrors(FileSystem.names(in: folder)).filter { !$0.hasPrefix(".") }
    let photos = Self.photos(names)
    for name in names {
      let path = folder + "/" + name
      if FileSystem.isFolder(path) {
        try add(path, relative: relative + name + "/")
      } else if photos.contains(PathKey(name)) {
        files.append(path)
        folders[PathKey(path)] = relative
      }
    }
  }
}

/// The options for the photos in folders and for the names of copies.
struct CopyArguments: Sendable {
  private(set) var template: String?
  private var isRecursive = false

  static let arguments: [Argument<Self>] = [
    .option(
      "template", \.template, value: "PATTERN",
      "Paths of copies in the folder of -o, such as '{name}-web' or '{created.year}/{seq:4}'."),
    .flag("recursive", short: "r", \.isRecursive, "Process the photos in folders and below."),
  ]

  /// Returns the inputs, with the photos in their folders, and the names of the copies.
  func found(
    _ inputs: [String], for output: OutputArguments
  ) throws(CommandFailure) -> (inputs: [String], names: CopyNames) {
    let found = try InputFolders(inputs, isRecursive: isRecursive, output: output.output)
    return (found.files, try CopyNames(template, for: found))
  }

  /// Creates the folder of the copies.
  ///
  /// - Throws: A failure if a template has no folder.
  func createFolder(
    _ output: OutputArguments, isDryRun: Bool = false
  ) throws(CommandFailure) {
    let path = output.output ?? ""
    if template != nil, !path.hasSuffix("/"), !FileSystem.isFolder(path) {
      throw .usage("--template: requires a folder", hint: "specify a folder with -o DIR/")
    }
    if !isDryRun { try output.createFolder() }
  }
}

/// The paths of copies, relative to the folder that they are written to.
struct CopyNames: Sendable {
  private var template: ExportTemplate?
  private var folders: [PathKey: String] = [:]
  /// The positions of the inputs, from 1, for templates.
  private var numbers: [PathKey: Int] = [:]

  init() {}

  init(_ pattern: String?, for inputs: InputFolders) throws(CommandFailure) {
    folders = inputs.folders
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
    numbers = Dictionary(
      inputs.files.enumerated().map { (PathKey($1), $0 + 1) },
      uniquingKeysWith: { first, _ in first })
  }

  /// Returns the path of a photo's copy.
  func path(of input: String) throws(CommandFailure) -> String {
    guard let template, input != "-" else {
      let name =
        input == "-" ? "rendering.jpg" : EditArguments.renderingName(of: input, isMovie: false)
      return (folders[PathKey(input)] ?? "") + name
    }
    let name = FileSystem.lastName(of: input)
    var summary = MetadataSummary()
    if template.needsMetadata {
      let bytes = try mapFileErrors(FileBytes.reading(input, maximumBytes: 1 << 30))
      summary = (try? ImageMetadata.read(bytes))?.summary ?? summary
    }
    return template.path(ofPhoto: name, number: numbers[PathKey(input)] ?? 1, summary) + ".jpg"
  }

  /// Creates a folder and those above it.
  static func createFolders(_ path: String) throws(CommandFailure) {
    var folder = path[...]
    while folder.count > 1, folder.hasSuffix("/") { folder = folder.dropLast() }
    guard !folder.isEmpty, !FileSystem.isFolder(String(folder)) else { return }
    let above = FileSystem.folder(of: String(folder))
    if above != String(folder) { try createFolders(above) }
    try mapFileErrors(FileSystem.createSyncedFolder(String(folder), mode: 0o777))
  }
}
