// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Imports files and folders into a library; can be stopped and run again.
///
/// Files that belong together become one asset; see `ImportGrouping` for the names. Repeating an
/// import adds nothing: files that the library already has are recognized by their digests. A file
/// that belongs to an original of the library is added to it. While one step is committed, the
/// files of the next are copied, hashed and read on all cores.
public struct Importer: Sendable {
  /// The precedence between the metadata of a photo and of the XMP or JSON file that describes it.
  public typealias MetadataPreference = MetadataPrecedence

  /// The meaning of dates without an offset from UTC.
  public enum Clocks: Sendable, Hashable {
    /// The time zone of the library, if it has one; otherwise unknown.
    case ofLibrary
    /// A time zone. Videos whose dates are in UTC get its offset too.
    case zone(ClockZone)
    /// Unknown: the times are stored as if they were in UTC.
    case unknown
  }

  /// The source of the date of a file whose metadata has no date.
  public enum DateSource: String, Sendable, Hashable, CaseIterable {
    /// Nothing: it stays without a date.
    case metadata
    /// Its name, as chosen by cameras and by programs such as WhatsApp.
    case name
  }

  /// The options of an import.
  public struct Options: Sendable {
    /// Indicates whether subfolders are searched.
    public var isRecursive = true
    /// Indicates whether the raw file of a pair is the photo and the JPEG its other original; pairs
    /// with edits, which are edits of the JPEG, stay as they are.
    public var prefersRaw = false
    /// Indicates whether sources are removed after their asset is committed.
    ///
    /// Libraries of Apple Photos, iPhoto and Aperture are refused then, since they are not changed.
    public var shouldMoveFiles = false
    /// Indicates whether duplicate files are skipped and missing files are added to existing
    /// originals; otherwise every group becomes a new asset.
    public var skipsDuplicates = true
    /// Indicates whether files are only examined.
    public var isDryRun = false
    /// The precedence between a photo's own metadata and that of its XMP or JSON file.
    public var metadataPreference = MetadataPreference.automatic
    /// The meaning of dates without an offset from UTC.
    public var clocks = Clocks.ofLibrary
    /// The source of the dates of files whose metadata has no date.
    public var dateSource = DateSource.metadata
    /// Indicates whether an XMP file that differs from the stored one replaces it, and changes the
    /// properties that the user has not set.
    public var updatesMetadata = false
    /// Indicates whether assets of the library that are in its trash are restored if their original
    /// is imported again.
    public var restoresTrashed = false
    /// Indicates whether photos that were in the trash of another program are imported.
    public var includesTrashed = false
    /// The paths of the files to import, of those that are found; nil for all of them.
    ///
    /// A file that only describes a photo is used with the photo, selected or not.
    public var selection: [String]?
    /// The files and folders that are left out, in folders and archives.
    public var exclusions: [ExclusionPattern] = []
    /// Indicates whether the photos of each folder are added to an album with the folder's name.
    public var makesFolderAlbums = false
    /// The number of assets per commit, at least 1.
    public var batchSize = 100
    /// Called between files; `true` ends the import after the current step.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Receives the path of an archive before it is unpacked.
    public var unpacking: (@Sendable (_ archive: String) -> Void)?
    /// Receives the number of finished files and the total number.
    public var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?

    var dateRules: DateRules {
      guard case .zone(let zone) = clocks else {
        return DateRules(zone: nil, usesNames: dateSource == .name)
      }
      return DateRules(zone: zone, usesNames: dateSource == .name)
    }

    /// Creates the default options: search subfolders, copy files, skip duplicates.
    public init() {}
  }

  let library: PhotoLibrary
  let options: Options

  /// Creates an importer.
  public init(_ library: PhotoLibrary, options: Options = Options()) {
    self.library = library
    self.options = options
  }

  /// Imports files, and the files in folders and archives.
  ///
  /// An archive (ZIP, tar, 7-Zip) is unpacked to the library's temporary files, a dry run included,
  /// and imported like a folder. Several parts of a Google Takeout export are one folder.
  ///
  /// Symbolic links are followed only in the given paths, not below them. Sources are only read,
  /// unless they are to be moved.
  ///
  /// - Returns: An entry for every file, even if the import stopped early; see
  ///   `ImportReport.interruption`.
  public func run(_ paths: [String]) -> ImportReport {
    var report = ImportReport()
    let unpacking: ArchiveUnpacking
    do throws(LibraryError) {
      unpacking = try ArchiveUnpacking(paths, options, library)
    } catch {
      report.interruption = error
      report.files = paths.map { ImportedFile($0, .skipped, reason: .notReached) }
      return report
    }
    let archives = unpacking.archives
    var scan = ImportScan(
      unpacking.paths, isRecursive: options.isRecursive, includesTrashed: options.includesTrashed,
      movesFiles: options.shouldMoveFiles, exclusions: options.exclusions,
      library: library.layout.root)
    if let archives { scan.joinFolders(archives.commonName) }
    report.files = unpacking.lines + scan.excluded
    report.excludedCount = unpacking.excludedCount + scan.excludedCount
    let facts = OriginFacts.Cache()
    // An unreadable library is reported when the import begins.
    let stored = options.skipsDuplicates ? try? StoredOriginals(library.reader, for: scan) : nil
    let takeout = TakeoutPlan(scan, facts: facts, stored: stored)
    report.files += takeout.lines
    report.takeout = takeout.summary
    report.files += scan.photosLibraries.flatMap(\.lines)
    var groups = scan.photosLibraries.flatMap(\.groups)
    for files in scan.folders {
      var grouping = ImportGrouping(files, takeout: takeout, facts: facts, stored: stored)
      NamedBurst.assign(to: &grouping.groups, in: Self.owner(of: files, archives), facts)
      report.files += grouping.excluded
      groups += grouping.groups
    }
    let export = ICloudPlan(scan)
    report.files += export.lines
    let picasa = PicasaPlan(scan)
    report.files += picasa.lines
    for index in groups.indices where groups[index].stated == nil {
      let key = groups[index].original.key
      groups[index].stated = export.stated[key] ?? picasa.stated[key]
    }
    if !options.includesTrashed {
      report.skipTrashed(&groups, takeout.trashed.union(export.trashed))
    }
    if let selection = options.selection {
      let unpacked = archives.map { archives in selection.flatMap(archives.unpacked) }
      report.skipUnselected(&groups, Set((unpacked ?? selection).map { PathKey($0) }))
    }
    // The copy of a motion photo's video is recognized by the photo, which is imported first.
    groups = groups.filter { !$0.mayBeCopy } + groups.filter(\.mayBeCopy)
    do throws(LibraryError) {
      try run(groups, archives, &report)
      let albums = takeout.albums + scan.photosLibraries.flatMap(\.albums) + export.albums
      let folders = options.makesFolderAlbums ? FolderAlbums.albums(scan, archives) : []
      try fill(albums + picasa.albums + folders, report)
    } catch {
      report.interruption = error
      report.addRest(of: groups)
    }
    report.countDescriptions(takeout.described)
    if let archives { report.show(archives) }
    return report
  }

  /// Returns the name of the folder whose photos may be bursts; the folders of a Google Takeout
  /// export have a common one, since its albums contain photos of its years.
  private static func owner(of files: [ImportScan.File], _ archives: UnpackedArchives?) -> String {
    guard let first = files.first, !files.contains(where: { $0.kind == .description }) else {
      return "Takeout"
    }
    let folder = FileSystem.folder(of: first.path)
    return archives?.commonName(ofFolder: folder)?.path
      ?? (try? FileSystem.resolved(folder)) ?? folder
  }

  /// Adds the imported assets to the albums that the other program had.
  private func fill(_ albums: [PlannedAlbum], _ report: ImportReport) throws(LibraryError) {
    // Albums are ignored if only part of the library is accessible.
    guard !albums.isEmpty, !options.isDryRun, library.reader.canRead,
      library.reader.visibleAssets == nil
    else { return }
    let assets = report.files.compactMap { file in
      file.asset.flatMap { LocalIdentifier($0, as: .asset) }.map { (PathKey(file.path), $0) }
    }
    try library.performChangesAndWait { changes throws(LibraryError) in
      try changes.add(AlbumFilling(albums, Dictionary(assets) { first, _ in first }))
    }
  }

  private func run(
    _ groups: [ImportGroup], _ archives: UnpackedArchives?, _ report: inout ImportReport
  ) throws(LibraryError) {
    try library.access.check(.addOnly)
    let context = try ImportContext(self, archives)
    let total = groups.reduce(0) { $0 + $1.files.count }
    let state = LockedValue(ImportState())
    var committing: BackgroundWork?
    var start = 0
    while start < groups.count, !options.isCancelled() {
      let end = min(start + max(options.batchSize, 1), groups.count)
      let batch: ImportBatch
      do throws(LibraryError) {
        batch = try ImportBatch(Array(groups[start..<end]), context)
      } catch {
        state.withLock { $0.failure = $0.failure ?? error }
        break
      }
      committing?.wait()
      if state.withLock({ $0.failure != nil }) { break }
      committing = BackgroundWork {
        let result = batch.commit()
        let done = state.withLock { state in
          state.add(result)
          return state.done
        }
        options.progress?(done, total)
      }
      start = end
    }
    committing?.wait()
    let (lines, count, failure) = state.withLock { ($0.lines, $0.assetCount, $0.failure) }
    report.files += lines
    report.assetCount = count
    if let failure { throw failure }
    if start < groups.count {
      throw .stoppedImport
    }
  }
}

extension LibraryError {
  static var stoppedImport: LibraryError {
    LibraryError(
      .userCancelled, "the import was stopped; imported files stay in the library",
      hint: "run it again to continue")
  }
}

/// The results of the steps so far.
private struct ImportState {
  var lines: [ImportedFile] = []
  private var paths: Set<PathKey> = []
  var assetCount = 0
  var done = 0
  var failure: LibraryError?

  mutating func add(_ result: ImportBatch.Result) {
    // XMP shared by several originals is reported once.
    lines += result.lines.filter { paths.insert(PathKey($0.path)).inserted }
    assetCount += result.assetCount
    done += result.fileCount
    failure = failure ?? result.failure
  }
}
