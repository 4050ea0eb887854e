// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WebService {
  /// Exports into folders of the command line.
  var exportRoutes: [Route] {
    [
      Route("POST", "/api/exports", writes: true, export)
    ]
  }

  /// The number of photos in an export.
  private static let maximumExport = 100_000

  private func export(_ request: Request) throws(Problem) -> HTTPResponse {
    let members = try request.members(
      ["ids", "version", "root", "replace", "sidecar", "metadata", "splitMotionPhotos"])
    guard let library = source.library else {
      throw Problem(.notEditable, "photos are exported from a library")
    }
    let ids = try members.texts("ids") ?? []
    guard (1...Self.maximumExport).contains(ids.count) else {
      throw Problem(.badRequest, "an export must have 1 to \(Self.maximumExport) photos")
    }
    var options = FolderExport.Options()
    guard let version = Exporter.Version(rawValue: try members.text("version") ?? "current") else {
      throw Problem(.badRequest, "version must be 'current', 'original' or 'all'")
    }
    options.version = version
    options.overwrites = try members.flag("replace")
    options.writesSidecars = try members.flag("sidecar")
    options.embedsMetadata = try members.flag("metadata", default: true)
    options.joinsMotionPhotos = try !members.flag("splitMotionPhotos")
    guard let name = try members.text("root") else {
      throw Problem(.badRequest, "root is missing")
    }
    let folder = try Roots.path(name, in: roots.exports)
    let assets = try inLibrary(library.fetchAssets(withLocalIdentifiers: ids))
    guard assets.count == Set(ids).count else { throw .unknownAsset }
    let job = try jobs.start("export") { [options] handle throws(Problem) in
      try Self.export(Array(assets), from: library, to: folder, options, handle)
    }
    return .json(job.json, status: 202)
  }

  private static func export(
    _ assets: [Asset], from library: PhotoLibrary, to folder: String,
    _ options: FolderExport.Options, _ handle: Jobs.Handle
  ) throws(Problem) -> JSONValue {
    var options = options
    options.isCancelled = { handle.isCancelled }
    let export = FolderExport(library, to: URL(filePath: folder), options: options)
    var (files, done, failed, notes) = ([String](), 0, [JSONValue](), [JSONValue]())
    var isStopped = false
    do throws(LibraryError) {
      _ = try export.run(assets) { result in
        done += 1
        for file in result.files {
          let name = FileSystem.lastName(of: file.path)
          files.append(name)
          if let note = file.note {
            notes.append(.object(["file": .string(name), "note": .string(note)]))
          }
        }
        if let error = result.error {
          failed.append(
            .object([
              "id": .string(result.asset.localIdentifier.withoutSuffix),
              "problem": Problem(error).json,
            ]))
        }
        handle.report(Double(done) / Double(assets.count))
      }
    } catch {
      guard error.code == .userCancelled else { throw Problem(error) }
      isStopped = true
    }
    return .object([
      "count": .whole(done - failed.count), "files": .texts(files), "failed": .array(failed),
      "notes": .array(notes), "stopped": .bool(isStopped),
    ])
  }
}
