// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that writes the files of assets to a folder.
struct AssetExportCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset export", "Export the files of assets to a folder.",
    discussion: """
      The original is byte for byte the imported file. The current version includes the edit, \
      and title, caption, keywords, rating, label, people, date and location if it is a JPEG or \
      QuickTime file with other values (--embed-metadata no leaves it as it is). \
      'all' exports every file, from which 'asset import' restores the asset with its edit and, \
      from an XMP file, its title, caption, keywords, rating, label, date, location, favorite \
      flag and albums.

      Assets are named one by one or selected with --where, --album or --all. With --template, \
      the paths follow a pattern of fields: {created.year}, {created.month}, {created.day}, \
      {created.time} (at the place of capture), {original}, {name}, {ext}, {title}, {album}, {folder_album}, \
      {camera}, {place.country}, {place.city}, {keyword}, {id} and {seq:4}. {title|name} is \
      the first nonempty field, and {album,none} supplies text for an empty field. An asset in \
      several albums is written to each of them.

      --update repeats an export: it writes only what has changed since, and keeps files that \
      were changed by hand, with exit code 1. It records the files in .photoedit-export.json, \
      and --delete-extra removes recorded files that are no longer exported.

      With --fit, --aspect, --srgb, --sharpen-for, --max-bytes, --progressive or --keep, photos \
      are written as copies for the web or for print: JPEG files of their current version, with its \
      metadata, without the video of a Live Photo. Videos are written as they are.

      Files keep their original names, sanitized, and numbered if several assets have the same \
      name. A motion photo, edited or not, is written as a single file; --split-motion-photos \
      writes its video next to the image. Existing files are not overwritten without --force.
      """,
    examples: [
      CommandExample("asset export 3F25 --library Photos -o out", "export the current version"),
      CommandExample(
        "asset export 3F25 --variant all -o out", "export everything, for a later import"),
      CommandExample(
        "asset export --album Best -o web --fit 2048 --srgb --keep copyright",
        "write an album for the web"),
      CommandExample(
        "asset export --all -o out --template '{created.year}/{title|name}' --update",
        "keep a folder of all photos up to date"),
    ],
    writesJSON: true, stopsCleanly: true,
    arguments: [
      .group(\.selection, AssetArguments.arguments(isRequired: false)),
      .option("where", \.predicate, value: "PREDICATE", "Export assets that match a predicate."),
      .option("album", \.album, value: "ALBUM", "Export the assets of an album."),
      .flag("all", \.exportsAll, "Export all assets, including hidden ones and all burst photos."),
      .option(
        "output", short: "o", \.folder, value: "DIR", isRequired: true,
        "Destination folder (must exist)."),
      .option("variant", \.version, value: "WHICH", "Version to export.")
        .renamed(from: "version"),
      .flag(
        "split-motion-photos", \.writesPairs,
        "Write the video of a motion photo to a separate file."
      ).renamed(from: "pair"),
      .flag(
        "apple-names", \.usesAppleNames,
        "Name edits as Apple does: IMG_1.AAE and IMG_E1.JPG; a name in another form gets NAME.AAE "
          + "and NAME.edited.jpg (with --variant all)."),
      .option(
        "template", \.template, value: "PATTERN",
        "Paths of the files, such as '{created.year}/{name}'."),
      .option(
        "embed-metadata", \.embedsMetadata, value: "YES|NO",
        "Write metadata into current versions (default: yes)."),
      .group(\.shape, ShapeArguments.arguments),
      .option("sidecar", \.sidecar, value: "FORMAT", "Write a metadata file for each asset."),
      .flag("update", \.updates, "Write only what has changed since the last --update."),
      .flag(
        "delete-extra", \.deletesExtraFiles,
        "Remove files of earlier --update runs that are no longer exported (implies --update)."),
      .flag("link", \.links, "Write hard links for an asset that has several paths."),
      .flag("touch-file", \.setsFileDates, "Set the modification time to the capture date."),
      .flag("force", short: "f", \.replacesFiles, "Overwrite existing files."),
    ])

  /// The formats of metadata files.
  enum SidecarFormat: String, CaseIterable, ArgumentValue {
    case xmp
  }

  var selection = AssetArguments()
  var predicate: String?
  var album: String?
  var exportsAll = false
  var template: String?
  var embedsMetadata = YesNo.yes
  var sidecar: SidecarFormat?
  var shape = ShapeArguments()
  var updates = false
  var deletesExtraFiles = false
  var links = false
  var setsFileDates = false
  var folder: String?
  var version = Exporter.Version.current
  var writesPairs = false
  var usesAppleNames = false
  var replacesFiles = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard let folder, FileSystem.isFolder(folder) else {
      throw CommandFailure(
        .cannotCreate, "\(folder ?? ""): destination folder does not exist",
        hint: "create it first",
        code: "noPlace")
    }
    let selections = [!selection.names.isEmpty, predicate != nil, album != nil, exportsAll].count {
      $0
    }
    guard selections == 1 else {
      throw .usage(
        selections == 0 ? "no assets specified" : "assets are specified in several ways",
        hint: "name assets, or use one of --where, --album and --all")
    }
    try shape.check(hasStrip: false)
    if shape.isSpecified, version != .current {
      throw .usage(
        "\(shape.firstOption): copies are made of current versions", hint: "omit --variant")
    }
    if usesAppleNames, version != .all {
      throw .usage(
        "--apple-names: an edit is exported with its adjustment data only by --variant all",
        hint: "add --variant all")
    }
    let options = try options(environment)
    let library = try selection.library.open(environment)
    let isPlain = template == nil && sidecar == nil && !options.updates && !setsFileDates
    guard isPlain, !selection.names.isEmpty else {
      return try export(to: folder, options, library, environment)
    }
    var exporter = Exporter(
      library, to: URL(filePath: folder), version: version, overwrites: replacesFiles,
      joinsMotionPhotos: !writesPairs)
    exporter.embedsMetadata = embedsMetadata == .yes
    exporter.usesAppleNames = usesAppleNames
    exporter.copies = copies
    try Batch.run(selection.names, environment) { name throws(CommandFailure) in
      let asset = try library.asset(named: name)
      let files = try inLibrary(exporter.export(asset))
      warn(files, environment)
      if environment.wantsJSON {
        try environment.write([
          "asset": .string(asset.localIdentifier), "version": .string(version.rawValue),
          "files": .array(files.map(\.json)),
        ])
      } else {
        for file in files { environment.print(file.path) }
      }
    }
  }

  private var copies: CopyShape? { shape.isSpecified ? shape.shape : nil }

  private func options(
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> FolderExport.Options {
    var options = FolderExport.Options()
    options.version = version
    if let template {
      options.template = try translating(
        { (error: LibraryError) in CommandFailure.usage("--\(error.message)", hint: error.hint) },
        ExportTemplate(template))
    }
    options.updates = updates || deletesExtraFiles
    options.deletesExtraFiles = deletesExtraFiles
    options.overwrites = replacesFiles
    options.writesSidecars = sidecar != nil
    options.embedsMetadata = embedsMetadata == .yes
    options.copies = copies
    options.joinsMotionPhotos = !writesPairs
    options.usesAppleNames = usesAppleNames
    options.links = links
    options.setsFileDates = setsFileDates
    options.isCancelled = { environment.isCancelled }
    return options
  }

  private func assets(_ library: PhotoLibrary) throws(CommandFailure) -> [Asset] {
    if !selection.names.isEmpty { return try library.assets(named: selection.names) }
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = predicate == nil
    options.includeAllBurstAssets = predicate == nil
    if let predicate {
      options.predicate = try readingOption("--where", FetchPredicate(format: predicate))
    }
    if let album {
      let album = try library.album(named: album)
      return try inLibrary(Array(library.fetchAssets(in: album, options: options)))
    }
    return try inLibrary(Array(library.fetchAssets(options)))
  }

  /// Exports the selected assets with the options for whole folders.
  private func export(
    to folder: String, _ options: FolderExport.Options, _ library: PhotoLibrary,
    _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let assets = try assets(library)
    let export = FolderExport(library, to: URL(filePath: folder), options: options)
    var counts: [FolderExport.Result.Outcome: Int] = [:]
    var failure: CommandFailure?
    var done = 0
    let removal = try inLibrary(
      export.run(assets) { result in
        counts[result.outcome, default: 0] += 1
        done += 1
        environment.progress.update(done, of: assets.count)
        do throws(CommandFailure) { try show(result, environment) } catch {
          failure = failure ?? error
        }
      })
    environment.progress.clear()
    if let failure { throw failure }
    for path in removal.removed { environment.detail("\(path): removed") }
    for path in removal.kept {
      environment.warn("\(path): no longer exported, but changed since its export; not removed")
    }
    let parts = FolderExport.Result.Outcome.allCases.compactMap { outcome in
      counts[outcome].map { "\($0) \(outcome.rawValue)" }
    }
    if !environment.wantsJSON {
      let extra = removal.removed.isEmpty ? "" : "; \(removal.removed.count) files removed"
      let noun = assets.count == 1 ? "asset" : "assets"
      environment.note(
        "\(assets.count) \(noun)" + (parts.isEmpty ? "" : ": " + parts.joined(separator: ", "))
          + extra)
    }
    guard counts[.failed] ?? 0 > 0 || counts[.kept] ?? 0 > 0 else { return }
    throw .reported(.someFailed)
  }

  private func warn(_ files: [Exporter.File], _ environment: CommandEnvironment) {
    for file in files {
      if let note = file.note { environment.warn("\(file.path): \(note)") }
    }
  }

  private func show(
    _ result: FolderExport.Result, _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    let identifier = result.asset.localIdentifier
    if let error = result.error {
      return environment.report(CommandFailure(error), input: identifier)
    }
    for path in result.keptPaths {
      environment.warn(
        "\(path): changed since its export; not overwritten (--force overwrites it)",
        isReason: true)
    }
    warn(result.files, environment)
    if environment.wantsJSON {
      return try environment.write([
        "asset": .string(identifier), "version": .string(version.rawValue),
        "outcome": .string(result.outcome.rawValue), "files": .array(result.files.map(\.json)),
        "kept": .texts(result.keptPaths),
      ])
    }
    for file in result.files { environment.print(file.path) }
  }
}

extension Exporter.Version: ArgumentValue {}

extension Exporter.File {
  fileprivate var json: JSONValue {
    [
      "path": .string(path), "type": .string("\(type)"), "bytes": .whole(size),
      "digest": .string(digest.description),
    ]
  }
}
