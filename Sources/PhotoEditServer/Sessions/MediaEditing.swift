// SPDX-License-Identifier: Apache-2.0

extension PhotoEditor {
  /// Creates an editor that renders photos, videos and both parts of Live Photos, as the command
  /// line does.
  init(ofAnyMedium store: any EditingStore) {
    self.init(store)
    renderers[.movie] = MovieRenderer()
    renderers[.livePhoto] = LivePhotoRenderer()
  }
}

extension EditingSession {
  /// The losses of a rendering without filters.
  var losses: [RenderLoss] {
    get throws(RenderError) {
      guard let image = input.image else { return [] }
      let losses = try Renderer.losses(image)
      guard input.media == .livePhoto else { return losses }
      // A video in the file of the still image is not a loss: it is the other part.
      return losses.filter { $0.kind != MetadataLoss.Kind.motionPhoto.rawValue }
    }
  }

  /// Returns the reason why a graph cannot be rendered on the medium; nil if it can.
  func reasonAgainst(_ graph: FilterGraph) -> String? {
    do {
      if let image = input.image {
        let side = HeldEdit.maximumSide
        _ = try PreviewSession(
          image, fitting: PixelSize(width: side, height: side), options: editor.options
        ).outputSize(of: graph)
      } else {
        _ = try MovieEditPlan(graph)
      }
      return nil
    } catch {
      return "\(error)"
    }
  }
}

extension PhotoSource {
  /// Returns what an edit of a photo does not contain, besides the losses of its rendering.
  ///
  /// In a folder, the video of a Live Photo is another file, which the edit of the still leaves as
  /// it is.
  func lossesOfPair(_ session: EditingSession, _ asset: String) throws(Problem) -> [RenderLoss] {
    guard session.input.media == .photo, try versions(of: asset).movies.original != nil else {
      return []
    }
    return [
      RenderLoss(
        kind: "livePhoto",
        detail: "the edit is of the still image alone; the video stays with the original")
    ]
  }
}
