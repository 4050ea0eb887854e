// SPDX-License-Identifier: Apache-2.0
import Codecs
import CommandLineKit
import Filters
import PhotoEdit
import Storage

/// What an edit of a movie begins with.
struct MovieBeginning {
  /// The movie that the graph is applied to.
  let content: EditState.Content
  /// The stored graph, or an empty one.
  let graph: FilterGraph
  let kind: SessionKind
  /// Why a stored edit cannot be resumed.
  let obstacles: [String]
  /// Where the movie came from, in the word of the JSON schema.
  let name: String
  /// The samples of the original when it was edited.
  private let originalPixels: Digest?

  init(
    _ state: EditState, input: String, startsAnew: Bool, isAdjusting: Bool
  ) throws(CommandFailure) {
    var obstacles: [String] = []
    originalPixels = state.originalPixels
    let base = state.base ?? state.original
    let baseName = base == state.original ? "original" : "previous"
    guard let record = state.record else {
      if isAdjusting { try editing { () throws(EditingError) in throw .notEdited(input) } }
      (content, graph, kind, self.obstacles) = (state.original, FilterGraph(), .first, [])
      name = "original"
      return
    }
    if startsAnew {
      (content, graph, kind, name) = (base, FilterGraph(), .resumed, baseName)
      self.obstacles = []
      return
    }
    obstacles = GraphEditing.obstacles(of: record)
    if state.base == nil { obstacles.append("the movie that it began with is not there") }
    // What the data holds was looked at when the obstacles were.
    let stored = try? FilterGraph(json: Array(record.adjustment.data))
    if let stored, obstacles.isEmpty {
      (content, graph, kind, name) = (base, stored, .resumed, baseName)
      self.obstacles = []
      return
    }
    if isAdjusting {
      let reason = obstacles.first ?? "it cannot be read"
      try editing { () throws(EditingError) in throw .notResumable(input, reason) }
    }
    (content, graph, kind, name) = (state.current, FilterGraph(), .notUnderstood, "current")
    self.obstacles = obstacles
  }

  /// Refuses a movie that is not the one that was recorded.
  ///
  /// - Returns: The digest of the original, when the movie is that; else nil.
  func requireRecorded(_ environment: CommandEnvironment) throws(CommandFailure) -> Digest? {
    guard let recorded = content.digest else { return nil }
    let path = content.path
    let found = try filing { () throws(FileError) in try FileBytes.digest(of: path) }
    if found != recorded, name == "original", let originalPixels,
      PixelDigest.digest(of: path) == originalPixels
    {
      environment.note("\(path): \(EditArguments.newMetadata)")
      return found
    }
    guard found == recorded else {
      throw CommandFailure(
        .badData,
        "\(path): the movie is not the one that was edited (recorded \(recorded), "
          + "found \(found))",
        hint: "'photoedit adjust --accept-original' applies the edit to the movie as it is now, "
          + "'photoedit apply --replace' starts a new one, 'photoedit revert' drops it",
        code: "changed")
    }
    return name == "original" ? found : nil
  }
}
