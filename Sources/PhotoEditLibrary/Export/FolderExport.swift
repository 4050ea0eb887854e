// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEditRendering
import PhotoEditStorage

/// An export of assets into a folder, with paths from a template, that can be repeated.
///
/// With `updates`, the folder contains the record `.photoedit-export.json`. An asset that has not
/// changed since is skipped without reading a file, and a file that was changed by hand is kept.
public struct FolderExport: Sendable {
  /// The options of an export.
  public struct Options: Sendable {
    /// The files of each asset to write.
    public var version = Exporter.Version.current
    /// The pattern of the paths; the name at import if nil.
    public var template: ExportTemplate?
    /// Indicates whether unchanged assets are skipped and changed ones written again.
    public var updates = false
    /// Indicates whether files of earlier exports that are no longer exported are removed.
    public var deletesExtraFiles = false
    /// Indicates whether existing files are replaced; links and folders never are.
    public var overwrites = false
    /// Indicates whether an XMP file is written for each asset; always with `Version.all`.
    public var writesSidecars = false
    /// Indicates whether current versions get the properties of the asset; see
    /// `Exporter.embedsMetadata`.
    public var embedsMetadata = true
    /// The shape of copies that are written in place of the current versions of photos; see
    /// `Exporter.copies`.
    public var copies: CopyShape?
    /// Indicates whether the files of an edit have Apple's names; see `Exporter.usesAppleNames`.
    public var usesAppleNames = false
    /// Indicates whether motion photos are written as one file.
    public var joinsMotionPhotos = true
    /// Indicates whether the further files of an asset with several paths are hard links.
    public var links = false
    /// Indicates whether the files get the capture date as their modification time.
    public var setsFileDates = false
    /// Called between assets; `true` ends the export.
    public var isCancelled: @Sendable () -> Bool = { false }

    /// Creates the default options: the current versions under their names at import.
    public init() {}
  }

  /// The result for one asset.
  public struct Result: Sendable {
    /// The possible outcomes.
    public enum Outcome: String, Sendable, Hashable, CaseIterable {
      /// Files were written.
      case written
      /// The files of an earlier export are up to date.
      case unchanged
      /// A file was changed by hand since an earlier export and is kept.
      case kept
      /// The export failed.
      case failed
    }

    /// The asset.
    public let asset: Asset
    /// The outcome.
    public let outcome: Outcome
    /// The written files.
    public internal(set) var files: [Exporter.File] = []
    /// The paths of the files that were changed by hand.
    public internal(set) var keptPaths: [String] = []
    /// The reason of a failure.
    public internal(set) var error: LibraryError?

    init(_ asset: Asset, _ outcome: Outcome) {
      self.asset = asset
      self.outcome = outcome
    }
  }

  /// The files removed by an export.
  public struct Removal: Sendable {
    /// The paths of the removed files.
    public internal(set) var removed: [String] = []
    /// The paths of files that were changed by hand and are kept.
    public internal(set) var kept: [String] = []
  }

  private let library: PhotoLibrary
  private let folder: String
  private let options: Options
  private let exporter: Exporter
  /// The number of assets after which the record is saved.
  private static let recordInterval = 200

  /// Creates an export to an existing folder.
  public init(_ library: PhotoLibrary, to folder: URL, options: Options = Options()) {
    self.library = library
    self.folder = folder.path
    self.options = options
    var exporter = Exporter(
      library, to: folder, version: options.version, overwrites: options.overwrites,
      joinsMotionPhotos: options.joinsMotionPhotos)
    exporter.writesSidecars = options.writesSidecars
    exporter.embedsMetadata = options.embedsMetadata
    exporter.usesAppleNames = options.usesAppleNames
    exporter.copies = options.copies
    exporter.isCancelled = options.isCancelled
    self.exporter = exporter
  }

  /// The version, the options and the template, which have separate entries in the record.
  private var scheme: String {
    var words = [options.version.rawValue]
    if options.writesSidecars { words.append("xmp") }
    if !options.embedsMetadata, options.version == .current { words.append("plain") }
    if !options.joinsMotionPhotos { words.append("split") }
    if options.setsFileDates { words.append("dates") }
    if options.usesAppleNames { words.append("apple") }
    if let copies = options.copies { words.append(copies.description) }
    return words.joined(separator: "+") + " " + (options.template?.pattern ?? "{name}")
  }

  /// Exports assets.
  ///
  /// - Parameter report: Receives the result for each asset, in order.
  /// - Returns: The removed files.
  /// - Throws: `LibraryError` if the folder or its record is not usable, or if the export was
  ///   stopped; files written until then stay.
  public func run(
    _ assets: some Sequence<Asset>, report: (Result) -> Void
  ) throws(LibraryError) -> Removal {
    let assets = Array(assets)
    let values = try ExportValues(library, options.template, needsAlbums: writesAlbums)
    let root = try inFiles(OpenFolder(folder))
    var state = State(
      root: root,
      record: options.updates || options.deletesExtraFiles
        ? try ExportRecord(in: root) : ExportRecord())
    let known = Dictionary(grouping: state.record.entries.filter { $0.value.scheme == scheme }) {
      $0.value.asset
    }
    let selected = Set(assets.map(\.localIdentifier))
    for (path, entry) in state.record.entries
    where entry.scheme != scheme || !selected.contains(entry.asset) {
      state.allocation.reserve([path])
    }
    var paths: [String: [ExportPath]] = [:]
    var pending: [(asset: Asset, index: Int)] = []
    var unchanged: Set<String> = []
    for (index, asset) in assets.enumerated() {
      let files = known[asset.localIdentifier] ?? []
      if options.updates, isUnchanged(asset, files, values, in: root) {
        unchanged.insert(asset.localIdentifier)
        for file in files {
          state.current.insert(file.key)
          state.allocation.reserve([file.key])
        }
      } else {
        pending.append((asset, index))
      }
    }
    // The numbers of equal names depend only on the identifiers.
    for (asset, index) in pending.sorted(by: { $0.asset.localIdentifier < $1.asset.localIdentifier }
    ) {
      paths[asset.localIdentifier] = values.paths(of: asset, number: index + 1).map { base in
        let stem = (known[asset.localIdentifier] ?? []).first { $0.value.base == base }?.value.stem
        return ExportPath(base: base, stem: stem)
      }
    }
    var written = 0
    // Names of an earlier export are kept before new ones are chosen.
    for hasStem in [true, false] {
      for (asset, _) in pending.sorted(by: {
        $0.asset.localIdentifier < $1.asset.localIdentifier
      }) {
        try choose(asset, &paths, hasStem, &state)
      }
    }
    for asset in assets {
      if options.isCancelled() {
        if options.updates { try state.record.save(in: root) }
        throw LibraryError(
          .userCancelled, "the export was stopped; exported files stay in the folder",
          hint: "run it again to continue")
      }
      if unchanged.contains(asset.localIdentifier) {
        report(Result(asset, .unchanged))
        continue
      }
      let result = write(
        asset, paths[asset.localIdentifier] ?? [], known[asset.localIdentifier] ?? [], values,
        &state)
      report(result)
      written += 1
      if options.updates, written % Self.recordInterval == 0 { try state.record.save(in: root) }
    }
    let removal = try removeExtraFiles(&state)
    if options.updates || options.deletesExtraFiles { try state.record.save(in: root) }
    return removal
  }

  private var writesAlbums: Bool { options.version == .all || options.writesSidecars }

  // MARK: Steps

  /// A path of an asset.
  private struct ExportPath {
    /// The path from the template.
    let base: String
    /// The chosen path, with a number if necessary.
    var stem: String?
  }

  private struct State {
    /// The open folder of the export; names of the record and the template are resolved beneath it.
    let root: OpenFolder
    var record: ExportRecord
    /// The paths of the record that are up to date or belong to failed assets.
    var current: Set<String> = []
    var allocation = PathAllocation()
    var failures: [String: LibraryError] = [:]
  }

  private func isUnchanged(
    _ asset: Asset, _ files: [(key: String, value: ExportRecord.Entry)], _ values: ExportValues,
    in root: OpenFolder
  ) -> Bool {
    let state = values.state(of: asset)
    return !files.isEmpty
      && files.allSatisfy { path, entry in
        entry.state == state && ExportRecord.isUnchanged(entry, path, in: root)
      }
  }

  /// Chooses the paths of an asset whose names were, or were not, used by an earlier export.
  private func choose(
    _ asset: Asset, _ paths: inout [String: [ExportPath]], _ hasStem: Bool, _ state: inout State
  ) throws(LibraryError) {
    let identifier = asset.localIdentifier
    guard var list = paths[identifier] else { return }
    for index in list.indices where (list[index].stem != nil) == hasStem {
      do throws(LibraryError) {
        let selection = try exporter.select(asset)
        list[index].stem = state.allocation.allocate(list[index].stem ?? list[index].base) {
          selection.names($0)
        }
      } catch {
        state.failures[identifier] = error
      }
    }
    paths[identifier] = list
  }

  private func write(
    _ asset: Asset, _ paths: [ExportPath], _ known: [(key: String, value: ExportRecord.Entry)],
    _ values: ExportValues, _ state: inout State
  ) -> Result {
    func failed(_ error: LibraryError) -> Result {
      // The files of an earlier export are not extra ones.
      for (path, _) in known { state.current.insert(path) }
      var result = Result(asset, .failed)
      result.error = error
      return result
    }
    if let error = state.failures[asset.localIdentifier] { return failed(error) }
    do throws(LibraryError) {
      let changed = try changedFiles(known, in: state.root)
      if !changed.isEmpty, !options.overwrites {
        for (path, _) in known { state.current.insert(path) }
        var result = Result(asset, .kept)
        result.keptPaths = changed.sorted()
        return result
      }
      let selection = try exporter.select(asset)
      var result = Result(asset, .written)
      for path in paths {
        guard let stem = path.stem else { continue }
        let date = options.setsFileDates ? asset.creationDate : nil
        let files = try write(selection, stem, after: result.files, dated: date, state)
        result.files += files
        for file in files {
          guard let name = state.root.name(of: file.path),
            let version = state.root.version(of: name)
          else { continue }
          state.current.insert(name)
          state.record.entries[name] = ExportRecord.Entry(
            asset: asset.localIdentifier, scheme: scheme, base: path.base, stem: stem,
            state: values.state(of: asset), size: file.size, modified: version.modified,
            digest: file.digest.hex)
        }
      }
      return result
    } catch {
      return failed(error)
    }
  }

  /// Returns the paths of the files of an earlier export that were changed by hand.
  ///
  /// - Throws: `LibraryError` if that is not known, so that nothing is written for their asset.
  private func changedFiles(
    _ known: [(key: String, value: ExportRecord.Entry)], in root: OpenFolder
  ) throws(LibraryError) -> [String] {
    var changed: [String] = []
    for (name, entry) in known {
      guard try inFiles(root.entry(name)) != nil, !ExportRecord.isUnchanged(entry, name, in: root)
      else { continue }
      do throws(FileError) {
        if try root.digest(of: name).hex == entry.digest { continue }
      } catch {
        guard [.missing, .notRegular, .outside].contains(error.kind) else {
          throw LibraryError(error)
        }
      }
      changed.append(folder + "/" + name)
    }
    return changed
  }

  private func write(
    _ selection: Exporter.Selection, _ stem: String, after written: [Exporter.File],
    dated date: Date?, _ state: State
  ) throws(LibraryError) -> [Exporter.File] {
    let root = state.root
    let target =
      stem.utf8.contains(UInt8(ascii: "/"))
      ? try inFiles(root.creatingFolder(FileSystem.folder(of: stem))) : root
    func isOwn(_ path: String) -> Bool {
      guard let name = root.name(of: target.path(of: FileSystem.lastName(of: path))),
        let entry = state.record.entries[name]
      else { return false }
      return ExportRecord.isUnchanged(entry, name, in: root)
    }
    // By its descriptor, the folder remains the one that was found beneath the root.
    return try target.withPathByDescriptor { folder throws(LibraryError) in
      do throws(LibraryError) {
        let files = try exporter.write(
          selection, in: folder, FileSystem.lastName(of: stem),
          links: options.links ? written : [], adoptsEqualFiles: options.updates
        ) { options.overwrites || isOwn($0) }
        return files.map { file in
          if let date {
            FileSystem.setModificationTime(of: file.path, to: date.timeIntervalSince1970)
          }
          var file = file
          file.path = target.path(of: FileSystem.lastName(of: file.path))
          return file
        }
      } catch {
        throw error.naming(target.path, insteadOf: folder)
      }
    }
  }

  private func removeExtraFiles(_ state: inout State) throws(LibraryError) -> Removal {
    var removal = Removal()
    guard options.deletesExtraFiles else { return removal }
    for (name, entry) in state.record.entries.sorted(by: { $0.key < $1.key })
    where !state.current.contains(name) {
      let path = folder + "/" + name
      let found: FileSystem.Entry?
      do throws(FileError) { found = try state.root.entry(name) } catch {
        // A file that is reached through a link is another folder's.
        guard error.kind == .outside else { throw LibraryError(error) }
        removal.kept.append(path)
        continue
      }
      guard found == .file else {
        state.record.entries[name] = nil
        continue
      }
      guard ExportRecord.isUnchanged(entry, name, in: state.root) else {
        removal.kept.append(path)
        continue
      }
      try inFiles(state.root.remove(name))
      state.record.entries[name] = nil
      removal.removed.append(path)
      var parent = FileSystem.folder(of: name)
      while parent != "." {
        state.root.removeFolderIfEmpty(parent)
        parent = FileSystem.folder(of: parent)
      }
    }
    return removal
  }
}
