// SPDX-License-Identifier: Apache-2.0

/// Rotating and flipping by the display matrix; no pixel changes.
extension EditableMovie {
  mutating func rotate90(turns: Int) throws(MovieError) {
    let turns = ((turns % 4) + 4) % 4
    guard turns > 0 else { return }
    let one = 1 << 16
    let rotation = TrackMatrix(a: 0, b: one, c: -one, d: 0)
    var linear = rotation
    for _ in 1..<turns { linear = linear.times(rotation) }
    try transform("rotate90", by: linear)
  }

  mutating func flip(_ axis: MovieEdit.Axis) throws(MovieError) {
    let one = 1 << 16
    try transform(
      "flip",
      by: axis == .horizontal
        ? TrackMatrix(a: -one, b: 0, c: 0, d: one) : TrackMatrix(a: one, b: 0, c: 0, d: -one))
  }

  /// Applies another transform after the current one, keeping the origin of the displayed frame.
  private mutating func transform(_ name: String, by next: TrackMatrix) throws(MovieError) {
    let movie = try movieMatrix(name)
    var totals: [Int: DisplayMatrix] = [:]
    var frame: DisplayFrame?
    for (index, track) in tracks.enumerated() where track.kind == .video {
      let (matrix, width, height) = try track.display(name)
      let total = matrix.times(movie)
      totals[index] = total
      let own = total.frame(width: width, height: height)
      frame = frame?.union(own) ?? own
    }
    guard let frame else {
      throw .impossibleEdit(edit: name, reason: "the video has no frames")
    }
    let transformedFrame = DisplayMatrix(linear: next, x: 0, y: 0).frame(of: frame)
    let whole = DisplayMatrix(
      linear: next, x: frame.left - transformedFrame.left, y: frame.top - transformedFrame.top)
    try setMovieMatrix(.identity)
    for index in tracks.indices {
      // The transform of the movie is merged into that of every track.
      if let total = totals[index] {
        try tracks[index].setDisplay(total.times(whole))
      } else if movie != .identity, let (matrix, _, _) = try? tracks[index].display(name) {
        try tracks[index].setDisplay(matrix.times(movie))
      }
    }
  }

  private func movieMatrix(_ name: String) throws(MovieError) -> DisplayMatrix {
    guard let box = header.child("mvhd") else { throw .damaged("moov has no header") }
    guard let matrix = try DisplayMatrix(box, at: box.isWide ? 48 : 36) else {
      throw .impossibleEdit(
        edit: name, reason: "the display matrix contains a perspective transformation")
    }
    return matrix
  }

  mutating func setMovieMatrix(_ matrix: DisplayMatrix) throws(MovieError) {
    try header.change("mvhd") { box throws(MovieError) in
      try matrix.write(to: &box, at: box.isWide ? 48 : 36)
    }
  }
}

extension EditableTrack {
  /// Returns the transform of the track and the size it applies to, in 16.16 fixed point.
  fileprivate func display(
    _ name: String
  ) throws(MovieError) -> (matrix: DisplayMatrix, width: Int, height: Int) {
    guard let box = tree.child("tkhd") else { throw .damaged("track \(id) has no header") }
    guard let matrix = try DisplayMatrix(box, at: box.isWide ? 52 : 40) else {
      throw .impossibleEdit(
        edit: name, reason: "the display matrix of \(label) contains a perspective transformation")
    }
    var width = Int(try box.u32(at: box.isWide ? 88 : 76))
    var height = Int(try box.u32(at: box.isWide ? 92 : 80))
    if width == 0 || height == 0 { (width, height) = (layout.width << 16, layout.height << 16) }
    return (matrix, width, height)
  }

  fileprivate mutating func setDisplay(_ matrix: DisplayMatrix) throws(MovieError) {
    try tree.change("tkhd") { box throws(MovieError) in
      try matrix.write(to: &box, at: box.isWide ? 52 : 40)
    }
  }
}
