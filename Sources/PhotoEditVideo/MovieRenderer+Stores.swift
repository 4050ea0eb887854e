// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEdit

extension SidecarStore {
  /// Creates the store of a video's edits; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - movie: The original.
  ///   - rendering: The destination of the rendering; nil means its previous path, or
  ///     "movie.edited.mov".
  ///   - replacesExternalFiles: Whether a file at that path that was not created by photoedit may be
  ///     replaced.
  public init(
    movie: URL, rendering: URL? = nil, replacesExternalFiles: Bool = false,
    journalDepth: Int = SidecarStore.defaultJournalDepth
  ) {
    self = SidecarStore(
      photo: movie, rendering: rendering, replacesExternalFiles: replacesExternalFiles,
      journalDepth: journalDepth
    ).readingMovies()
  }

  /// Returns the same store for a video.
  package func readingMovies() -> SidecarStore {
    var store = with(contentExtension: "mov")
    store.movieReader = MovieDescription.reading
    return store
  }
}

extension DetachedStore {
  /// Creates the store of one rendering of a video; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - movie: The video to render.
  ///   - rendering: The destination of the rendering.
  ///   - replacesFiles: Whether an existing file at that path is replaced.
  public init(movie: URL, rendering: URL, replacesFiles: Bool = false) {
    self = DetachedStore(
      photo: movie, rendering: rendering, replacesFiles: replacesFiles
    ).readingMovies()
  }

  /// Returns the same store for a video.
  package func readingMovies() -> DetachedStore {
    var store = self
    store.movieReader = MovieDescription.reading
    return store
  }
}
