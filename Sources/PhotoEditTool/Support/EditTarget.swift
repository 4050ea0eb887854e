// SPDX-License-Identifier: Apache-2.0

/// The target of an editing command: a file with or without a sidecar, or an asset of a library.
struct EditTarget: Sendable {
  /// The store of the target's versions.
  let store: any EditingStore
  /// The name of the input as given by the user.
  let input: String
  /// The sidecar store, if the target is a file whose edit is recorded.
  var sidecar: SidecarStore?
  /// The path for a rendering that is not recorded.
  var outputPath: String?

  /// Creates a target for a file with its sidecar.
  init(_ store: SidecarStore) {
    self.init(store, input: store.assetName)
    sidecar = store
  }

  /// Creates a target for an asset of a library.
  init(_ store: any EditingStore, input: String) {
    self.store = store
    self.input = input
  }

  /// Creates a target for a file that is only rendered.
  init(
    alone input: String, isMovie: Bool, outputPath: String, replacesFiles: Bool
  ) throws(CommandFailure) {
    try Publishing.check(outputPath, replacesFiles: replacesFiles, notOver: input)
    // A rendering that a sidecar records must not be changed without the sidecar.
    let state = try editing(SidecarStore(path: input).state())
    if state.isEdited, state.current.path == outputPath {
      throw CommandFailure(
        .cannotCreate, "\(outputPath): belongs to the edit of \(input)",
        hint: "use -o to choose another path, or omit --no-sidecar", code: "exists")
    }
    let store = DetachedStore(path: input, rendering: outputPath, replacesFiles: replacesFiles)
    self.init(isMovie ? store.readingMovies() : store, input: input)
    self.outputPath = outputPath
  }

  /// Returns the path for the next rendering; nil if a library determines it.
  func renderingPath(after state: EditState) throws(CommandFailure) -> String? {
    guard let sidecar else { return outputPath }
    return try editing(sidecar.renderingPath(after: state))
  }

  func state() throws(CommandFailure) -> EditState {
    try editing(store.state())
  }

  func originalPath() throws(CommandFailure) -> String {
    if sidecar != nil { return input }
    return try state().original.path
  }

  /// Returns whether a file's first bytes are those of a video.
  static func isMovie(_ input: String) throws(CommandFailure) -> Bool {
    MovieContainer.detect(try head(of: input, MovieContainer.detectionLength)) != nil
  }

  /// Returns whether a file is a raw file of a camera, which can be edited without a filter.
  static func isRaw(_ input: String) -> Bool {
    guard let bytes = try? FileBytes.reading(input) else { return false }
    return (try? ImageFormat.detect(bytes.buffer)) == .raw
  }

  /// Returns whether a file to edit is a video according to its first bytes.
  ///
  /// - Throws: A failure that names both kinds for a file that is neither an image nor a video.
  static func isMovieToEdit(_ input: String) throws(CommandFailure) -> Bool {
    let head = try head(of: input, signatureLength)
    if MovieContainer.detect(head) != nil { return true }
    let format = head.withUnsafeBytes { bytes in
      Result { () throws(CodecError) in try ImageFormat.detect(bytes) }
    }
    // Any other failure is explained by the decoder.
    if case .failure(.notAnImage(let found)) = format {
      // The name counts if the bytes are those of nothing known.
      let media = UnsupportedMedia(head, name: FileSystem.lastName(of: input))
      let found = media?.format ?? found
      let kinds = "images: \(ImageFormat.readable); videos: \(MovieContainer.readable)"
      throw CommandFailure(
        .badData,
        "\(input): neither a supported image nor a supported video (found \(found); \(kinds))",
        code: "notAnImage")
    }
    return false
  }

  /// The number of bytes from which the format of an image or a video is known.
  private static let signatureLength = 1024

  /// Returns the first bytes of a regular file.
  static func head(of input: String, _ byteCount: Int) throws(CommandFailure) -> [UInt8] {
    try translating({ CommandFailure($0) }) { () throws(FileError) in
      let file = try OpenFile(reading: input)
      guard try file.regularSize() > 0 else { return [UInt8]() }
      var head = [UInt8](repeating: 0, count: byteCount)
      let count = try head.withUnsafeMutableBufferPointer { buffer throws(FileError) in
        try file.read(into: UnsafeMutableRawBufferPointer(buffer))
      }
      return Array(head.prefix(count))
    }
  }
}
