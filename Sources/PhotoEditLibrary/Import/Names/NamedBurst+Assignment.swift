// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

extension NamedBurst {
  /// A photo of a folder with its position among the groups.
  private struct Frame {
    let index: Int
    var burst: NamedBurst
    let facts: OriginFacts?

    init?(_ index: Int, _ burst: NamedBurst, _ file: ImportScan.File, _ facts: OriginFacts?) {
      (self.index, self.burst, self.facts) = (index, burst, facts)
      guard burst.hasOnlyNumbers else { return }
      // The date of a scan is that of the photo, or the name is its only date.
      guard let clock = facts?.clock, let stated = NamedDate(file.name)?.date.seconds,
        abs(clock - stated) <= LivePhotoPartners.reach
      else { return nil }
    }

    /// Returns whether it may be the next photo of a burst.
    func follows(_ other: Frame) -> Bool {
      guard let facts, let otherFacts = other.facts else { return true }
      return facts.isSameShot(as: otherFacts) != false
    }

    func precedes(_ other: Frame) -> Bool {
      (facts?.clock ?? .infinity, index) < (other.facts?.clock ?? .infinity, other.index)
    }
  }

  /// Assigns the photos of one folder to bursts.
  ///
  /// Equal names alone are no burst, since other cameras and scanners use them as well: cameras and
  /// times are the same, as far as they are known. A single photo is not part of a burst either.
  ///
  /// - Parameter folder: The name that distinguishes the folder from others.
  static func assign(
    to groups: inout [ImportGroup], in folder: String, _ facts: OriginFacts.Cache
  ) {
    var named: [String: [(index: Int, burst: NamedBurst)]] = [:]
    for (index, group) in groups.enumerated() where group.original.kind == .still {
      guard let burst = NamedBurst(group.original.name) else { continue }
      named[burst.identifier, default: []].append((index, burst))
    }
    let several = named.values.filter { $0.count > 1 }
    facts.load(several.joined().map { groups[$0.index].original })
    for photos in several {
      let frames = photos.compactMap { photo in
        let file = groups[photo.index].original
        return Frame(photo.index, photo.burst, file, facts[file])
      }
      var counts: [String: Int] = [:]
      for series in series(frames) where series.count > 1 {
        let model = series.lazy.compactMap(\.facts?.model).first ?? ""
        let number = counts[model, default: 0]
        counts[model] = number + 1
        let owner = SHA256Digest(of: Array("\(folder)\0\(model)\0\(number)".utf8)).hex.prefix(8)
        for frame in series {
          groups[frame.index].burst = frame.burst
          groups[frame.index].burst?.identifier += "-\(owner)"
        }
      }
    }
  }

  /// Divides photos with equal names into those of one camera and time.
  private static func series(_ frames: [Frame]) -> [[Frame]] {
    var series: [[Frame]] = []
    for frame in frames.sorted(by: { $0.precedes($1) }) {
      let fitting = series.indices.filter { frame.follows(series[$0][series[$0].count - 1]) }
      if fitting.count == 1 {
        series[fitting[0]].append(frame)
      } else {
        // A photo of which nothing is known belongs to none of several bursts.
        series.append([frame])
      }
    }
    return series
  }
}
