// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditStorage

extension WebService {
  /// The properties of the server, and the schemas of the filters.
  var serviceRoutes: [Route] {
    let (filters, digest) = Self.filters
    return [
      Route("GET", "/api/service") { _ throws(Problem) in
        .json([
          "version": .string(WebServer.version), "mode": .string(self.source.mode),
          "name": .string(self.source.name), "readOnly": .bool(self.isReadOnly),
          "asset": .text(self.source.onlyAsset), "token": .string(self.changes.token),
          "roots": [
            "import": .texts(self.roots.imports.map(\.name)),
            "export": .texts(self.roots.exports.map(\.name)),
          ],
          "limits": [
            "uploadBytes": .whole(Uploads.maximumBytes),
            "bodyBytes": .whole(Gate.maximumBodyBytes),
            "previewSide": .whole(HeldEdit.maximumSide),
            "sessions": .whole(EditingSessions.maximumCount),
          ],
        ])
      },
      Route("GET", "/api/filters") { request throws(Problem) in
        let fields = [("ETag", "\"\(digest)\""), ("Cache-Control", "private, no-cache")]
        if request.head["if-none-match"] == "\"\(digest)\"" {
          return HTTPResponse(status: 304, fields: fields)
        }
        return HTTPResponse(
          status: 200, fields: fields + [("Content-Type", "application/json; charset=utf-8")],
          body: .bytes(filters))
      },
    ]
  }

  /// The JSON of `photoedit filters --json`, and its digest.
  private static var filters: (json: [UInt8], digest: String) {
    let listed = FilterCatalog.all + FilterCatalog.movieOperations
    let value: JSONValue = .object([
      "schemaVersion": .whole(1),
      "filters": .array(
        listed.map { $0.description.json(group: FilterCatalog.group(of: $0)) }),
    ])
    let bytes = (try? value.canonicalBytes()) ?? []
    return (bytes, String(SHA256Digest(of: bytes).hex.prefix(32)))
  }
}
