// SPDX-License-Identifier: Apache-2.0
public import FoundationEssentials
public import PhotoEdit

extension SidecarStore {
  /// Makes the store of a movie's edits; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - movie: The original.
  ///   - rendering: Where the rendering goes; nil means where it was, or "movie.edited.mov".
  ///   - replacesForeignFiles: Whether a file in that place that is not ours may be replaced.
  public init(
    movie: URL, rendering: URL? = nil, replacesForeignFiles: Bool = false,
    journalDepth: Int = SidecarStore.defaultJournalDepth
  ) {
    self = SidecarStore(
      photo: movie, rendering: rendering, replacesForeignFiles: replacesForeignFiles,
      journalDepth: journalDepth
    ).readingMovies()
  }

  /// The same store for a movie.
  package func readingMovies() -> SidecarStore {
    var store = with(contentExtension: "mov")
    store.movieReader = EditedMovie.reading
    return store
  }
}

extension DetachedStore {
  /// Makes the store of one rendering of a movie; nothing is read or written yet.
  ///
  /// - Parameters:
  ///   - movie: What is rendered.
  ///   - rendering: Where the rendering goes.
  ///   - replacesFiles: Whether a file in that place goes.
  public init(movie: URL, rendering: URL, replacesFiles: Bool = false) {
    self = DetachedStore(
      photo: movie, rendering: rendering, replacesFiles: replacesFiles
    ).readingMovies()
  }

  /// The same store for a movie.
  package func readingMovies() -> DetachedStore {
    var store = self
    store.movieReader = EditedMovie.reading
    return store
  }
}
