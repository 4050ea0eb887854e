// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

extension WebService {
  /// The files that filters of an edit need.
  var attachmentRoutes: [Route] {
    [
      Route(
        "POST", "/api/editing/{session}/attachments",
        "Add a file that was sent to the attachments of a graph.", writes: true,
        fields: AttachmentFields.declared,
        returns: .json(["asset": .text, "assets": .object], status: 201),
        fails: .missing, .tooLarge,
        .invalidGraph("The file has another format, or the graph is invalid."), perform: attach)
    ]
  }

  /// Returns the files that a graph needs and does not embed: those of a photo, of open edits, and of
  /// presets.
  func attachments(
    of graph: FilterGraph, from asset: String? = nil
  ) throws(Problem) -> [SHA256Digest: [UInt8]] {
    let needed = graph.externalAssets
    guard !needed.isEmpty else { return [:] }
    let stored = try asset.map { asset throws(Problem) in
      let store = try source.store(of: asset)
      return try editing(store.state()).attachments
    }
    var found: [SHA256Digest: [UInt8]] = [:]
    for digest in needed.keys {
      found[digest] =
        stored?[digest].map { Array($0) } ?? edits.attachment(digest) ?? presets.attachment(digest)
    }
    guard found.count == needed.count else {
      throw Problem(.invalidGraph, "a file that the edit needs is missing; choose it again")
    }
    return found
  }

  /// Adds a file that was sent to the attachments of a graph.
  private func attach(_ request: RouteRequest<AttachmentFields>) throws(Problem) -> HTTPResponse {
    let edit = try edits[request["session"]]
    let fields = try request.fields
    var graph = fields.graph
    guard let upload = fields.upload,
      let filter = try? FilterCatalog.filter(named: fields.filter).description,
      let kind = filter.attachmentKind
    else {
      throw Problem(.badRequest, "specify an upload, and a filter that needs a file")
    }
    let (name, bytes) = try uploads.takeBytes(
      upload, maximumBytes: GraphAttachment.maximumBytes)
    _ = try translating(
      {
        Problem(
          .invalidGraph, "\($0 as AttachmentError); \(filter.name) needs \(kind.summary)")
      }, AssetReader.content(of: bytes, named: name, as: kind))
    let attachment = GraphAttachment(bytes, mediaType: kind.mediaType)
    let key = try translating(
      { Problem($0 as GraphEditError) },
      graph.addAsset(attachment, named: FileSystem.splitName(name).stem))
    if attachment.data == nil { try edit.attachments.add(bytes, for: graph) }
    guard case .object(let json) = graph.json else {
      throw Problem(.internalError, "a graph must be an object")
    }
    return .json(
      .object(["asset": .string(key), "assets": json["assets"] ?? .null]), status: 201)
  }
}

private struct AttachmentFields: Sendable {
  static let declared = RouteFields(
    Self(), .member("upload", \.upload, .text),
    .member("filter", \.filter, .text, "A filter that needs a file."),
    .member("graph", \.graph, .graph, isRequired: true))

  var upload: String?
  var filter = ""
  var graph = FilterGraph()
}
