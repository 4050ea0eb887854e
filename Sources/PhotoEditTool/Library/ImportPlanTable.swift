// SPDX-License-Identifier: Apache-2.0

/// The plan of an import as a table: a row for each photo or video with its files.
struct ImportPlanTable {
  private struct Row {
    let action: String
    let content: String
    let path: String
  }

  private var rows: [Row] = []

  /// - Parameter files: The files in the order of the report.
  init(_ files: [ImportedFile]) {
    var order: [String] = []
    var groups: [String: [ImportedFile]] = [:]
    for file in files {
      guard let original = file.original else { continue }
      if groups[original] == nil { order.append(original) }
      groups[original, default: []].append(file)
    }
    for original in order {
      guard let files = groups[original] else { continue }
      rows.append(
        Row(
          action: Self.action(files), content: Self.content(files),
          path: original + (files.count > 1 ? " and \(files.count - 1) more" : "")))
    }
  }

  private static func action(_ files: [ImportedFile]) -> String {
    let outcomes = Set(files.map(\.outcome))
    let known = files.compactMap(\.asset).first
    let asset = known.map { " " + $0.prefix(8) } ?? ""
    if outcomes.contains(.imported) { return "new" }
    if outcomes.contains(.restored) { return "restore" + asset }
    if outcomes.contains(.keptOut) { return "conflict" + asset }
    if outcomes.contains(.attached) { return "add to" + asset }
    if outcomes.contains(.updated) { return "update" + asset }
    if outcomes.isSubset(of: [.refused, .skipped]) { return "rejected" }
    // Without an asset in the library, an earlier file of this import has the same bytes.
    return known == nil ? "duplicate" : "in library" + asset
  }

  private static func content(_ files: [ImportedFile]) -> String {
    var names: [String] = []
    for file in files.sorted(by: { ($0.type?.rawValue ?? 0) < ($1.type?.rawValue ?? 0) }) {
      let name: String? =
        switch file.type {
        case .photo: "photo"
        case .video: "video"
        case .audio: "audio"
        case .alternatePhoto: "RAW"
        case .pairedVideo: "Live video"
        case .sidecar: "metadata"
        case nil, .photoProxy: nil
        default: "edit"
        }
      if let name, !names.contains(name) { names.append(name) }
    }
    return names.joined(separator: ", ")
  }

  /// The lines with aligned columns; none without photos and videos.
  var lines: [String] {
    guard !rows.isEmpty else { return [] }
    let all = [Row(action: "ACTION", content: "CONTENT", path: "FILE")] + rows
    func width(_ column: KeyPath<Row, String>) -> Int {
      all.map { $0[keyPath: column].count }.max() ?? 0
    }
    let widths = (width(\.action), width(\.content))
    func padded(_ text: String, _ width: Int) -> String {
      text + String(repeating: " ", count: width - text.count)
    }
    return all.map {
      padded($0.action, widths.0) + "  " + padded($0.content, widths.1) + "  " + $0.path
    }
  }
}
