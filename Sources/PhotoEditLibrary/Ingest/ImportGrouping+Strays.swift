// SPDX-License-Identifier: Apache-2.0
import Codecs
import Storage

extension ImportGrouping {
  /// Joins movies and stills of a folder that carry the same content identifier under names that
  /// have nothing in common.
  ///
  /// Stills are read only where a movie without a still of its name asks for one.
  mutating func pairStrays() {
    var movies: [String: Int] = [:]
    for (index, group) in groups.enumerated()
    where group.original.kind == .movie && group.files.count == 1 {
      guard let facts = try? MovieFacts.reading(group.original.path),
        let identifier = facts.contentIdentifier
      else { continue }
      if movies[identifier] == nil { movies[identifier] = index }
    }
    var taken: Set<Int> = []
    for (index, group) in groups.enumerated()
    where group.original.kind != .movie && group.movie == nil && taken.count < movies.count {
      guard let identifier = Self.contentIdentifier(group.original.path),
        let movie = movies[identifier], taken.insert(movie).inserted
      else { continue }
      groups[index].movie = groups[movie].original
    }
    groups = groups.indices.filter { !taken.contains($0) }.map { groups[$0] }
  }

  private static func contentIdentifier(_ path: String) -> String? {
    // What cannot be read is refused later, which says why.
    guard
      let bytes = try? FileBytes.reading(
        path, maximumBytes: ResourceStaging.maximumPictureBytes),
      let facts = try? PictureFacts.reading(bytes)
    else { return nil }
    return facts.capture.contentIdentifier
  }
}
