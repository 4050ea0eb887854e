// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEditFilters
public import PhotoEditRendering
import PhotoEditStorage

/// What renders one medium for editing sessions: stills, movies, or Live Photos.
///
/// A session decides which version is rendered, finds the files of the graph, refuses losses, commits
/// and reports; a renderer does nothing but render.
public protocol MediaRenderer: Sendable {
  /// Whether it renders into files alone, so that a dry run needs a place for them too.
  var needsFiles: Bool { get }

  /// Renders a graph on what a session began with; blocks.
  ///
  /// - Parameters:
  ///   - options: Those of the session. They find the files that are stored with the edit, and the
  ///     date of change is the moment of the edit.
  ///   - output: Where the rendering goes; nil for a dry run of a renderer that needs no files.
  /// - Throws: `EditingError`.
  func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport
}

/// Renders stills as JPEGs.
public struct StillRenderer: MediaRenderer {
  /// Makes a renderer of stills.
  public init() {}

  /// A still is rendered in memory.
  public var needsFiles: Bool { false }

  /// Renders a graph on a still.
  public func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    // Undo renders from the recipe alone, so nothing else may show in the bytes.
    let recipe = RenderRecipe(options)
    var render = recipe.options(date: options.modificationDate)
    render.limits = options.limits
    render.threads = options.threads
    render.assetFiles = options.assetFiles
    render.isCancelled = options.isCancelled
    let picture = try input.requirePicture()
    let rendering = try input.rendering { () throws(RenderError) in
      try Renderer.render(picture, graph, options: render)
    }
    if let output {
      output.recipe = recipe
      try filing { () throws(FileError) in
        let file = try OpenFile(creating: output.renderedContentURL.path)
        try file.write(rendering.jpeg)
      }
    }
    return .still(rendering)
  }
}
