// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WebService {
  /// Exports into folders of the command line.
  var exportRoutes: [Route] {
    [
      Route(
        "POST", "/api/exports", "Write photos into a folder of the command line.",
        discussion: "The members are the options of `photoedit asset export`. Files are copied, "
          + "not encoded again, unless a member shapes copies: `fit`, `srgb`, `sharpenFor`, "
          + "`maxBytes`, `progressive` or `onlyCopyright`. Copies are JPEG files of the current "
          + "versions of photos; videos are written as they are. The result of the job lists the "
          + "files, the photos that failed, and notes on files without all properties.",
        writes: true, fields: ExportFields.declared, returns: .job,
        fails: .missing, .conflict("Photos are exported from a library."), .busy, perform: export)
    ]
  }

  /// The number of photos in an export.
  private static let maximumExport = 100_000

  private func export(_ request: RouteRequest<ExportFields>) throws(Problem) -> HTTPResponse {
    guard let library = source.library else {
      throw Problem(.notEditable, "photos are exported from a library")
    }
    let fields = try request.fields
    let ids = fields.ids
    guard (1...Self.maximumExport).contains(ids.count) else {
      throw Problem(.badRequest, "an export must have 1 to \(Self.maximumExport) photos")
    }
    var options = FolderExport.Options()
    options.version = fields.version
    options.overwrites = fields.replaces
    options.writesSidecars = fields.writesSidecars
    options.embedsMetadata = fields.embedsMetadata
    options.joinsMotionPhotos = !fields.splitsMotionPhotos
    if fields.copies != CopyShape() {
      guard fields.version == .current else {
        throw Problem(.badRequest, "copies are made of current versions; omit version")
      }
      options.copies = fields.copies
    }
    let folder = try Roots.path(fields.root, in: roots.exports)
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

private struct ExportFields: Sendable {
  static let declared = RouteFields(Self(), files + shape)

  /// The members that name the files to write.
  private static let files: [RouteField<Self>] = [
    .member("ids", \.ids, .texts), .member("version", \.version, .choice),
    .member("root", \.root, .text, isRequired: true), .member("replace", \.replaces, .flag),
    .member("sidecar", \.writesSidecars, .flag),
    .member(
      "metadata", \.embedsMetadata, .flag,
      "Write the properties of the library into current versions."),
    .member("splitMotionPhotos", \.splitsMotionPhotos, .flag),
  ]

  /// The members that shape copies.
  private static let shape: [RouteField<Self>] = [
    .member(
      "fit", \.copies.longEdge, .integer(in: 1...65_500),
      "Reduce copies to this number of pixels on their longer side; never enlarge them."),
    .member("srgb", \.copies.convertsToSRGB, .flag, "Convert the colors of copies to sRGB."),
    .member("sharpenFor", \.copies.medium, .choice, "Sharpen copies after their size is set."),
    .member(
      "maxBytes", \.copies.maximumBytes, .integer(in: 1...(1 << 40)),
      "Lower the quality until a copy has at most this number of bytes."),
    .member("progressive", \.copies.isProgressive, .flag, "Write progressive JPEG files."),
    .member(
      "onlyCopyright", \.copies.keepsOnlyCopyright, .flag,
      "Remove all metadata of copies except the copyright notice and the creator."),
  ]

  var ids: [String] = []
  var version = Exporter.Version.current
  var root = ""
  var replaces = false
  var writesSidecars = false
  var embedsMetadata = true
  var splitsMotionPhotos = false
  var copies = CopyShape()
}
