// SPDX-License-Identifier: Apache-2.0
import CPhotoEditAVFormat

/// Determines the tags, chapters and color properties of a source that are missing from the written
/// file.
struct TagComparison {
  let plan: RemuxPlan
  let found: [DemuxedStream]
  /// The index of the re-encoded stream; nil if absent.
  var reencoded: Int?

  /// Returns one sentence for each loss.
  func losses(from source: borrowing Demuxer, to result: borrowing Demuxer) -> [String] {
    var losses = Self.lost(source.tags(of: nil), result.tags(of: nil)).map {
      "tag \($0) of the video is omitted"
    }
    for (index, entry) in plan.entries.enumerated() {
      let label = "stream \(entry.source.index) (\(entry.source.name))"
      let before = source.tags(of: entry.source.index)
      let after = result.tags(of: found[index].index)
      var lost = Self.lost(before, after)
      // It named the encoder of the packets that were replaced.
      if index == reencoded { lost.removeAll { $0 == "encoder" } }
      losses += lost.map { "tag \($0) of \(label) is omitted" }
      // In other containers the color properties come from the packets, which still contain them.
      if entry.track != nil {
        losses += Self.lostColors(entry.source, found[index]).map {
          "\($0) of \(label) is omitted"
        }
      }
    }
    let chapters = (source.chapters, result.chapters)
    for chapter in chapters.0
    where !chapters.1.contains(where: {
      $0.title == chapter.title && abs($0.start - chapter.start) <= 0.002
    }) {
      losses.append("the chapter at \(milliseconds(chapter.start)) ms is omitted")
    }
    return losses
  }

  /// Tags that describe the source file or the program that wrote it and are not user data.
  private static let incidental: Set<String> = [
    "major_brand", "minor_version", "compatible_brands", "vendor_id", "ENCODER", "DURATION",
  ]

  private static func lost(_ before: [String: String], _ after: [String: String]) -> [String] {
    before.keys.sorted().filter { key in
      if incidental.contains(key) || before[key] == after[key] { return false }
      // An undetermined language is expressed by omitting it.
      if key == "language" && before[key] == "und" { return after[key] != nil }
      // QuickTime dates are in whole seconds.
      return key != "creation_time" || before[key]?.prefix(19) != after[key]?.prefix(19)
    }
  }

  private static func lostColors(_ before: DemuxedStream, _ after: DemuxedStream) -> [String] {
    let (old, new) = (before.facts, after.facts)
    var losses: [String] = []
    if (old.primaries, old.transfer, old.color_matrix)
      != (new.primaries, new.transfer, new.color_matrix)
    {
      losses.append("the container color description")
    }
    if old.is_full_range != new.is_full_range { losses.append("the container full-range flag") }
    return losses
  }
}
