// SPDX-License-Identifier: Apache-2.0

extension WebService {
  /// Several files as one.
  var downloadRoutes: [Route] {
    [
      Route(
        "POST", "/api/downloads", "Collect photos that are to be downloaded as one file.",
        discussion: "With `side`, these are smaller copies of photos: JPEG files in sRGB without "
          + "metadata; videos are as they are.",
        fields: DownloadFields.declared,
        returns: .json(["download": .text, "count": .integer], status: 201),
        fails: .missing, .conflict("The server has no libarchive.")
      ) { request throws(Problem) in
        let fields = try request.fields
        guard (1...Download.maximumPhotos).contains(fields.ids.count) else {
          throw Problem(
            .badRequest, "a download must have 1 to \(Download.maximumPhotos) photos")
        }
        if let reason = ArchiveLibrary.refusal {
          throw Problem(
            .notEditable,
            "ZIP files cannot be written: \(reason); "
              + "run 'apt-get install \(ArchiveLibrary.package)'")
        }
        for id in fields.ids { _ = try self.source.asset(id) }
        let download = Download(ids: fields.ids, version: fields.version, side: fields.side)
        return .json(
          .object([
            "download": .string(self.downloads.add(download)), "count": .whole(fields.ids.count),
          ]), status: 201)
      },
      Route(
        "GET", "/api/downloads/{download}",
        "Return collected photos as a ZIP file, with the videos of Live Photos.",
        discussion: "Files are stored in it as they are and are read while it is sent. The "
          + "connection ends early if one of them cannot be read.",
        returns: .file("application/zip"), fails: .missing
      ) { request throws(Problem) in
        let download = try self.downloads[request["download"]]
        guard let stream = ZipStream(download, of: self.source) else {
          throw Problem(.busy, "not enough memory")
        }
        return HTTPResponse(
          status: 200,
          fields: [
            ("Content-Type", "application/zip"),
            (
              "Content-Disposition",
              "attachment; filename*=UTF-8''" + Self.escaped(self.source.name) + ".zip"
            ),
          ], body: .stream(stream))
      },
    ]
  }
}

private struct DownloadFields: Sendable {
  static let declared = RouteFields(
    Self(), .member("ids", \.ids, .texts), .member("version", \.version, .choice),
    .member(
      "side", \.side, .integer(in: 1...2048),
      "The number of pixels on the longer side of smaller copies."))

  var ids: [String] = []
  var version = FileVersion.current
  var side: Int?
}

/// Photos that are to be downloaded as one file.
struct Download: Sendable {
  static let maximumPhotos = 10_000

  let ids: [String]
  let version: FileVersion
  /// The number of pixels on the longer side of smaller copies; nil for the files.
  var side: Int?
}
