// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditCommandLine
import PhotoEditLibrary
import PhotoEditMovieFiles
import PhotoEditStorage
import PhotoEditVideo

/// What an editing verb works on: a file with its sidecar or without one, or an asset of a library.
struct EditTarget: Sendable {
  /// The store of its versions.
  let store: any EditingStore
  /// What the person called it.
  let input: String
  /// The store when it is a file whose edit is remembered.
  var sidecar: SidecarStore?
  /// Where the rendering goes of which nothing is remembered.
  var place: String?

  /// A file with its sidecar.
  init(_ store: SidecarStore) {
    self.init(store, input: store.assetName)
    sidecar = store
  }

  /// An asset of a library.
  init(_ store: any EditingStore, input: String) {
    self.store = store
    self.input = input
  }

  /// A file whose rendering is all that is wanted.
  init(
    alone input: String, isMovie: Bool, place: String, replacesFiles: Bool
  ) throws(CommandFailure) {
    try Publishing.check(place, replacesFiles: replacesFiles, notOver: input)
    // A rendering that a sidecar knows must not change behind its back.
    let state = try editing(SidecarStore(path: input).state())
    if state.isEdited, state.current.path == place {
      throw CommandFailure(
        .cannotCreate, "\(place): belongs to the edit of \(input)",
        hint: "use -o to write elsewhere, or leave out --no-sidecar", code: "exists")
    }
    let store = DetachedStore(path: input, rendering: place, replacesFiles: replacesFiles)
    self.init(isMovie ? store.readingMovies() : store, input: input)
    self.place = place
  }

  /// Where the next rendering goes; nil where a library decides that.
  func renderingPath(after state: EditState) throws(CommandFailure) -> String? {
    guard let sidecar else { return place }
    return try editing(sidecar.renderingPath(after: state))
  }

  /// What is stored of it.
  func state() throws(CommandFailure) -> EditState {
    try editing(store.state())
  }

  /// Where the original is.
  func originalPath() throws(CommandFailure) -> String {
    if sidecar != nil { return input }
    return try state().original.path
  }

  /// Whether a file's first bytes are those of a movie.
  static func isMovie(_ input: String) throws(CommandFailure) -> Bool {
    let head = try filing { () throws(FileError) in
      let file = try OpenFile(reading: input)
      guard try file.regularSize() > 0 else { return [UInt8]() }
      var head = [UInt8](repeating: 0, count: MovieContainer.detectionLength)
      let count = try head.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      return Array(head.prefix(count))
    }
    return MovieContainer.detect(head) != nil
  }
}
