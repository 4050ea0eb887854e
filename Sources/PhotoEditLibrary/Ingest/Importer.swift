// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Brings files and folders into a library; may be stopped and run again.
///
/// Files that belong together become one asset; see `ImportGrouping` for the names. Running an
/// import twice adds nothing: files that the library has are recognized by their digests. A file that
/// belongs to an original of the library is added to it. While one step is committed, the files of the next are copied, hashed and read on all cores.
public struct Importer: Sendable {
  /// How files are imported.
  public struct Options: Sendable {
    /// Whether folders below those that are named are entered.
    public var isRecursive = true
    /// Whether sources are removed once their asset is committed.
    public var shouldMoveFiles = false
    /// Whether files that the library has already are left out, and those that its originals lack are
    /// added to them; otherwise every group becomes a new asset.
    public var skipsDuplicates = true
    /// Whether everything is only looked at.
    public var isDryRun = false
    /// Assets of one commit, at least 1.
    public var batchSize = 100
    /// Asked between files; `true` ends the import after the current step.
    public var isCancelled: @Sendable () -> Bool = { false }
    /// Told how many of how many files are done.
    public var progress: (@Sendable (_ done: Int, _ total: Int) -> Void)?

    /// Makes the usual options: folders are entered, files are copied, duplicates left out.
    public init() {}
  }

  let library: PhotoLibrary
  let options: Options

  /// Makes an importer.
  public init(_ library: PhotoLibrary, options: Options = Options()) {
    self.library = library
    self.options = options
  }

  /// Imports files, and the files in folders.
  ///
  /// Symbolic links are followed where they are named and nowhere below. Sources are only read,
  /// unless they are to be moved.
  ///
  /// - Returns: A line for every file, also when the import stopped early; see
  ///   `ImportReport.interruption`.
  public func run(_ paths: [String]) -> ImportReport {
    var report = ImportReport()
    let scan = ImportScan(
      paths, isRecursive: options.isRecursive, library: library.layout.root)
    report.files = scan.left
    var groups: [ImportGroup] = []
    for files in scan.folders {
      let grouping = ImportGrouping(files)
      report.files += grouping.left
      groups += grouping.groups
    }
    do throws(LibraryError) {
      try run(groups, &report)
    } catch {
      report.interruption = error
      report.addRest(of: groups)
    }
    return report
  }

  private func run(_ groups: [ImportGroup], _ report: inout ImportReport) throws(LibraryError) {
    try library.access.check(.addOnly)
    let context = try ImportContext(self)
    let total = groups.reduce(0) { $0 + $1.files.count }
    let state = Guarded(ImportState())
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
          state.take(result)
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
      throw LibraryError(
        .userCancelled, "the import was stopped; what was imported stays",
        hint: "run it again to go on")
    }
  }
}

/// What became of the steps so far.
private struct ImportState {
  var lines: [ImportedFile] = []
  private var paths: Set<String> = []
  var assetCount = 0
  var done = 0
  var failure: LibraryError?

  mutating func take(_ result: ImportBatch.Result) {
    // XMP of several originals is reported once.
    lines += result.lines.filter { paths.insert($0.path).inserted }
    assetCount += result.assetCount
    done += result.fileCount
    failure = failure ?? result.failure
  }
}
