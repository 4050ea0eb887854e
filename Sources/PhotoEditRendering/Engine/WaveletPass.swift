// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage

/// The end of a pipeline that measures an image for a wavelet transform.
final class WaveletPass: StripProducer {
  private let shape: StripShape
  private let work: WaveletMeasurement.Work
  private let order: PlaneOrder
  private let kept: KeptRows?
  let mostAtOnce: Int

  /// Creates a pass.
  ///
  /// - Parameters:
  ///   - planes: The number of planes that are processed in order.
  ///   - kept: Receives the rows, so that later pipelines do not compute them again.
  init(
    _ shape: StripShape, planes: Int, keepingIn kept: KeptRows?,
    _ work: @escaping WaveletMeasurement.Work
  ) {
    (self.shape, self.work, self.kept) = (shape, work, kept)
    order = PlaneOrder(planes: planes)
    mostAtOnce = planes
  }

  var name: String { "wavelet transform" }
  var height: Int { shape.size.height }
  var isSequential: Bool { false }

  func inputRows(for rows: Range<Int>, of input: Int) -> Range<Int> { rows }

  // Does not throw, because strips below would wait for it.
  func make(_ rows: Range<Int>, from inputs: [StripWindow]) -> Strip? {
    let input = PlaneRows(inputs[0], shape)
    order.forEachPlane(rows) { work($0, rows, input) }
    kept?.add(inputs[0].strips)
    return nil
  }
}

/// The rows of a level that several pipelines read, computed once.
final class KeptRows: Sendable {
  private let strips = LockedValue<[Int: Strip]>([:])

  func add(_ strips: [Strip]) {
    self.strips.withLock { kept in
      for strip in strips { kept[strip.rows.lowerBound] = strip }
    }
  }

  /// Returns the strip that starts at a row.
  func strip(at row: Int) -> Strip? { strips.withLock { $0[row] } }
}

extension KeptRows: Hashable {
  static func == (one: KeptRows, other: KeptRows) -> Bool { one === other }
  func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
