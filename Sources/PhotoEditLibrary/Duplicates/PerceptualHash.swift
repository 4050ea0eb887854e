// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditPlatform

/// A 64-bit hash of an image's coarse structure; similar images differ in few bits.
///
/// The luma of the image is reduced to 32×32 pixels and transformed by a discrete cosine transform.
/// Each bit indicates whether one of the 64 lowest frequencies exceeds their median.
///
/// - Source: C. Zauner, "Implementation and Benchmarking of Perceptual Image Hash Functions", 2010.
struct PerceptualHash: Hashable, Sendable {
  let bits: UInt64

  private static let side = 32
  private static let kept = 8
  /// The standard deviation of the luma, of 255, below which an image has no structure.
  private static let leastDeviation = 2.0

  init(bits: UInt64) { self.bits = bits }

  /// Computes the hash; nil for an image without structure, which would resemble all others.
  init?(_ image: ImageBuffer) {
    guard let luma = Self.reduced(image) else { return nil }
    let mean = luma.reduce(0, +) / Double(luma.count)
    let variance = luma.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / Double(luma.count)
    guard variance >= Self.leastDeviation * Self.leastDeviation else { return nil }
    let waves = (0..<Self.kept).map { k in
      (0..<Self.side).map { n in
        cos(Double.pi * (Double(n) + 0.5) * Double(k) / Double(Self.side))
      }
    }
    var rows: [[Double]] = []
    for y in 0..<Self.side {
      rows.append(
        waves.map { wave in
          (0..<Self.side).reduce(0) { $0 + wave[$1] * luma[y * Self.side + $1] }
        })
    }
    let frequencies = waves.flatMap { wave in
      (0..<Self.kept).map { x in (0..<Self.side).reduce(0) { $0 + wave[$1] * rows[$1][x] } }
    }
    let sorted = frequencies.sorted()
    let median = (sorted[sorted.count / 2 - 1] + sorted[sorted.count / 2]) / 2
    bits = frequencies.reduce(0) { $0 << 1 | ($1 > median ? 1 : 0) }
  }

  /// Returns the number of different bits.
  func distance(to other: PerceptualHash) -> Int { (bits ^ other.bits).nonzeroBitCount }

  /// Resamples the luma to 32×32 values from 0 to 255 with the Lanczos kernel: columns, then rows.
  ///
  /// Values are rounded after each step, as in the libraries whose hashes these are.
  private static func reduced(_ image: ImageBuffer) -> [Double]? {
    let (width, height) = (image.size.width, image.size.height)
    guard width > 0, height > 0 else { return nil }
    let scale = 255 / Double(image.maximum)
    let isColor = image.layout.channels.colorCount == 3
    func luma(_ x: Int, _ y: Int) -> Double {
      guard isColor else { return (Double(image[x: x, y: y, channel: 0]) * scale).rounded() }
      let red = Double(image[x: x, y: y, channel: 0])
      let green = Double(image[x: x, y: y, channel: 1])
      let blue = Double(image[x: x, y: y, channel: 2])
      return ((0.299 * red + 0.587 * green + 0.114 * blue) * scale).rounded()
    }
    let columns = taps(width)
    let narrow = (0..<height).map { y in
      let row = (0..<width).map { luma($0, y) }
      return columns.map { $0.apply { row[$0] } }
    }
    return taps(height).flatMap { tap in
      (0..<side).map { x in tap.apply { narrow[$0][x] } }
    }
  }

  /// The source values of one resampled value.
  private struct Tap {
    let start: Int
    let weights: [Double]

    func apply(_ value: (Int) -> Double) -> Double {
      var sum = 0.0
      for (index, weight) in weights.enumerated() { sum += weight * value(start + index) }
      return min(255, max(0, sum.rounded()))
    }
  }

  private static func taps(_ length: Int) -> [Tap] {
    let step = Double(length) / Double(side)
    let stretch = max(1, step)
    return (0..<side).map { index in
      let center = (Double(index) + 0.5) * step
      let start = max(0, Int(center - 3 * stretch + 0.5))
      let end = min(length, Int(center + 3 * stretch + 0.5))
      let weights = (start..<end).map { lanczos((Double($0) + 0.5 - center) / stretch) }
      let sum = weights.reduce(0, +)
      return Tap(start: start, weights: weights.map { $0 / sum })
    }
  }

  private static func lanczos(_ x: Double) -> Double {
    if x == 0 { return 1 }
    guard abs(x) < 3 else { return 0 }
    let angle = Double.pi * x
    return 3 * sin(angle) * sin(angle / 3) / (angle * angle)
  }
}

/// Finds hashes within a distance of each other.
///
/// - Source: W. A. Burkhard and R. M. Keller, "Some Approaches to Best-Match File Searching", 1973.
struct HashTree {
  private struct Node {
    let hash: PerceptualHash
    var values: [Int]
    var children: [Int: Int] = [:]
  }

  private var nodes: [Node] = []

  mutating func insert(_ value: Int, _ hash: PerceptualHash) {
    guard !nodes.isEmpty else {
      nodes.append(Node(hash: hash, values: [value]))
      return
    }
    var index = 0
    while true {
      let distance = nodes[index].hash.distance(to: hash)
      if distance == 0 {
        nodes[index].values.append(value)
        return
      }
      guard let next = nodes[index].children[distance] else {
        nodes[index].children[distance] = nodes.count
        nodes.append(Node(hash: hash, values: [value]))
        return
      }
      index = next
    }
  }

  /// Returns the values whose hashes differ from another in at most a number of bits.
  func values(within reach: Int, of hash: PerceptualHash) -> [Int] {
    guard !nodes.isEmpty else { return [] }
    var found: [Int] = []
    var waiting = [0]
    while let index = waiting.popLast() {
      let node = nodes[index]
      let distance = node.hash.distance(to: hash)
      if distance <= reach { found += node.values }
      for (step, child) in node.children where abs(step - distance) <= reach {
        waiting.append(child)
      }
    }
    return found
  }
}
