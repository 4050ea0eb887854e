// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
public import PhotoEditFilters
public import PhotoEditRendering
import PhotoEditStorage

/// A renderer of one medium for editing sessions: stills, videos, or Live Photos.
///
/// A session chooses the version, finds the attachments of the graph, rejects losses, commits, and
/// reports; a renderer only renders.
public protocol MediaRenderer: Sendable {
  /// Indicates whether the renderer always writes to files, so that a dry run needs an output too.
  var needsFiles: Bool { get }

  /// Renders a graph on the input of a session; blocks the calling thread.
  ///
  /// - Parameters:
  ///   - options: The session's options. They find the attachments stored with the edit, and their
  ///     modification date is the date of the edit.
  ///   - output: The output for the rendering; nil for a dry run of a renderer that needs no files.
  /// - Throws: `EditingError`.
  func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport
}

/// A renderer that writes stills as JPEGs.
public struct StillRenderer: MediaRenderer {
  /// Creates a renderer of stills.
  public init() {}

  /// Always false: a still is rendered in memory.
  public var needsFiles: Bool { false }

  /// Renders a graph on a still.
  public func render(
    _ input: EditingInput, _ graph: FilterGraph, options: RenderOptions, to output: EditingOutput?
  ) throws(EditingError) -> RenderReport {
    // Undo renders from the recorded settings alone, so no other option may affect the bytes.
    let renderSettings = RenderSettings(options)
    var render = renderSettings.options(date: options.modificationDate)
    render.limits = options.limits
    render.threads = options.threads
    render.assetFiles = options.assetFiles
    render.isCancelled = options.isCancelled
    let image = try input.requireImage()
    let rendering = try input.rendering(Renderer.render(image, graph, options: render))
    if let output {
      output.renderSettings = renderSettings
      try translating(EditingError.init) { () throws(FileError) in
        let file = try OpenFile(creating: output.renderedContentURL.path)
        try file.write(rendering.jpeg)
      }
    }
    return .still(rendering)
  }
}
