// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A web page that shows photos before and after their edits, and needs no other file.
///
/// The images are embedded. The page contains no script and loads nothing. It is written while it
/// grows, so that its size does not matter.
struct Sheet {
  struct Entry {
    var name: String
    /// The path of the version before the edit, and of the one after it; nil if there is no edit.
    var before: String
    var after: String?
    /// The filters with their parameters, in order.
    var filters: [FilterNode]
    /// The data that the rendering does not contain.
    var losses: [String]
  }

  private let staged: StagedFile
  private let thumbnail: ThumbnailArguments
  private let rendering: RenderingArguments
  private var photoCount = 0
  private var failureCount = 0

  /// Writes a page; nothing is published unless a photo is on it.
  ///
  /// - Parameter addEntries: Adds the photos; its failure is thrown after the page is published,
  ///   unless the command was canceled.
  static func write(
    to path: String, replacesFiles: Bool, _ thumbnail: ThumbnailArguments,
    _ rendering: RenderingArguments, _ environment: CommandEnvironment,
    _ addEntries: (inout Sheet) throws(CommandFailure) -> Void
  ) throws(CommandFailure) {
    var failure: CommandFailure?
    try Publishing.write(to: path, replacesFiles: replacesFiles) { staged throws(CommandFailure) in
      var sheet = Sheet(staged: staged, thumbnail: thumbnail, rendering: rendering)
      try sheet.append(Self.head)
      do throws(CommandFailure) { try addEntries(&sheet) } catch { failure = error }
      try environment.checkCancellation()
      if let failure, sheet.photoCount == 0 { throw failure }
      try sheet.append("<footer>\(sheet.summary)</footer>\n</html>\n")
      try mapFileErrors(staged.file.sync())
      environment.noteResult("wrote \(path) (\(sheet.summary))")
    }
    if let failure { throw failure }
  }

  /// Adds a photo with both images, or nothing if one of them cannot be read.
  mutating func add(_ entry: Entry, _ environment: CommandEnvironment) throws(CommandFailure) {
    let before = try image(entry.before, entry.name, environment)
    let after = try entry.after.map { path throws(CommandFailure) in
      try image(path, entry.name, environment)
    }
    photoCount += 1
    var text = "<article>\n<h2>\(Self.escaped(entry.name))</h2>\n<div>\n"
    text += Self.figure(before, "Before") + (after.map { Self.figure($0, "After") } ?? "")
    text += "</div>\n"
    if after == nil { text += "<p>Not edited.</p>\n" }
    text += Self.list(
      entry.filters.map { node in
        let text = node.parametersText
        return Self.escaped(node.filter + (text.isEmpty ? "" : " " + text))
      }, "ol")
    if !entry.losses.isEmpty {
      text += "<p>Lost in the rendering:</p>\n"
      text += Self.list(entry.losses.map(Self.escaped), "ul")
    }
    try append(text + "</article>\n")
  }

  /// Adds a photo that could not be edited.
  mutating func addFailure(_ name: String, _ message: String) throws(CommandFailure) {
    failureCount += 1
    let text = "<p class=\"failure\">\(Self.escaped(message))</p>"
    try append("<article>\n<h2>\(Self.escaped(name))</h2>\n\(text)\n</article>\n")
  }

  private var summary: String {
    (photoCount == 1 ? "1 photo" : "\(photoCount) photos")
      + (failureCount == 0 ? "" : ", \(failureCount) failed")
  }

  private func append(_ text: String) throws(CommandFailure) {
    try mapFileErrors(staged.file.write(Array(text.utf8)))
  }

  private func image(
    _ path: String, _ name: String, _ environment: CommandEnvironment
  ) throws(CommandFailure) -> (size: String, data: String) {
    staged.note(original: path)
    let image = try thumbnail.create(
      of: path, for: name, rendering, threads: ThreadGroup.cores, environment)
    let bytes = try translating(
      { CommandFailure($0 as CodecError, input: name) }, image.jpeg(quality: thumbnail.quality))
    return (
      "width=\"\(image.size.width)\" height=\"\(image.size.height)\"",
      Data(bytes).base64EncodedString()
    )
  }

  private static func figure(_ image: (size: String, data: String), _ caption: String) -> String {
    "<figure><img \(image.size) alt=\"\(caption)\" src=\"data:image/jpeg;base64,\(image.data)\">"
      + "<figcaption>\(caption)</figcaption></figure>\n"
  }

  private static func list(_ items: [String], _ element: String) -> String {
    if items.isEmpty { return "" }
    return "<\(element)>\n" + items.map { "<li>\($0)</li>\n" }.joined() + "</\(element)>\n"
  }

  /// Returns text that HTML shows literally, with control characters and the marks that change the
  /// direction of text as their numbers.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in printable(text).unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }

  private static let head = """
    <!doctype html>
    <html lang="en">
    <meta charset="utf-8">
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
    <meta name="viewport" content="width=device-width">
    <title>Before and after</title>
    <style>
    :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
    body { max-width: 84rem; margin: 0 auto; padding: 1rem }
    article { border-top: 1px solid #888; padding: 1rem 0 }
    h2 { font-size: 1.1rem; overflow-wrap: anywhere }
    div { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(20rem, 100%), 1fr)); \
    gap: 1rem }
    figure { margin: 0 }
    img { max-width: 100%; height: auto; background: #777 }
    .failure { font-weight: bold }
    </style>
    <h1>Before and after</h1>

    """
}
