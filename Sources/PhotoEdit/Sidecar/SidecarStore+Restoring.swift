// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditRendering
import PhotoEditStorage

extension SidecarStore {
  /// Returns the rendering of an earlier state, from the journal or rendered again from its base.
  func renderingForRestoring(
    _ record: EditRecord, _ before: EditState
  ) throws(EditingError) -> (path: String, digest: SHA256Digest) {
    let journalPath = paths.journalPath(record.current)
    if entry(at: journalPath) == .file,
      record.renderSettings == nil || hasDigest(record.current, at: journalPath)
    {
      return (journalPath, record.current)
    }
    guard let graph = record.repeatableGraph else {
      throw .missingContent(journalPath, recorded: record.current)
    }
    let content = baseContent(of: record, before)
    let bytes = try mapFileErrors(FileBytes.reading(open(content.path)))
    let digest = bytes.digest()
    if let recorded = content.digest, recorded != digest {
      throw content.path == paths.photo
        ? .changedOriginal(content.path, recorded: recorded, found: digest)
        : .changedContent(content.path, recorded: recorded)
    }
    let jpeg = try record.renderedAgain(graph, from: bytes, path: content.path)
    return try translating(EditingError.init) { () throws(FileError) in
      try createJournalFolder()
      let digest = SHA256Digest(of: jpeg)
      let path = paths.journalPath(digest)
      // This may be an incomplete leftover of an interrupted change.
      try FileSystem.remove(path)
      let file = try OpenFile(creating: path)
      try file.write(jpeg)
      FileSystem.share(path, like: paths.photo)
      try file.sync()
      return (path, digest)
    }
  }

  private func baseContent(of record: EditRecord, _ before: EditState) -> EditState.Content {
    guard let base = record.base else { return before.original }
    if base == before.record?.base, let content = before.base { return content }
    if base == before.record?.current { return before.current }
    return EditState.Content(path: paths.journalPath(base), digest: base)
  }
}

extension EditRecord {
  /// The graph with which photoedit made the rendering and can make it again from its base; nil if
  /// it cannot.
  package var repeatableGraph: FilterGraph? {
    renderSettings == nil ? nil : StoredGraph(adjustment, adjustment.formatIdentifier).resumable
  }

  /// Indicates whether photoedit made the rendering and can make it again from its base.
  package var canBeRenderedAgain: Bool { repeatableGraph != nil }

  /// Indicates whether this is the same edit as an earlier one, so that there is nothing to undo.
  ///
  /// Two renderings of the same graph may differ in the date in their metadata.
  package func repeats(_ earlier: EditRecord?) -> Bool {
    guard let earlier else { return false }
    var other = self
    (other.date, other.editor) = (earlier.date, earlier.editor)
    if canBeRenderedAgain { other.current = earlier.current }
    return other == earlier
  }

  /// Renders the edit again as a JPEG.
  ///
  /// - Parameters:
  ///   - graph: The repeatable graph.
  ///   - bytes: The contents of the edit's input.
  ///   - path: The path to use in errors.
  package func renderedAgain(
    _ graph: FilterGraph, from bytes: FileBytes, path: String
  ) throws(EditingError) -> [UInt8] {
    var graph = graph
    guard let renderSettings else { throw .missingContent(path, recorded: current) }
    let modificationDate = RenderedImageProperties.ModificationDate(
      secondsSince1970: Int(date.timeIntervalSince1970), utcOffset: renderSettings.utcOffset)
    var options = RenderOptions().finding(assets)
    renderSettings.set(in: &options)
    options.modificationDate = modificationDate
    return try translating({ EditingError($0, path: path) }) { () throws(RenderError) in
      let image = try ImageSource(bytes)
      // The caller compared the file; its metadata may have changed since the edit.
      graph.source?.digest = image.digest
      return try Renderer.render(image, graph, options: options).jpeg
    }
  }
}
