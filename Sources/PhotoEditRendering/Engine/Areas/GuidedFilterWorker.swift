// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

/// Adjusts the tone of an image with a guided filter of the luma.
struct GuidedFilterWorker: AreaWorker {
  private let tone: LocalToneMapping
  private let hasAlpha: Bool
  /// The tone curve of the base layer, sampled.
  private let levels: [Float]
  private let free = ObjectPool<GuidedRows>()

  init(_ tone: LocalToneMapping, hasAlpha: Bool) {
    self.tone = tone
    self.hasAlpha = hasAlpha
    levels =
      if case .tone(let tone) = tone.change {
        (0...PE_GUIDED_LEVELS).map { Float(tone(Double($0) / Double(PE_GUIDED_LEVELS))) }
      } else {
        []
      }
  }

  func fill(_ output: PlaneStrip, planes: Range<Int>, from input: PlaneRows) {
    free.with({
      GuidedRows(
        radius: tone.radius, epsilon: tone.epsilon, width: output.width, planes: planes,
        hasAlpha: hasAlpha, avoidingEdges: tone.avoidsEdges)
    }) { rows in
      rows.reset()
      for y in output.rows {
        let (luma, base, alpha) = rows.lumaAndResult(of: y, input)
        for (index, plane) in planes.enumerated() {
          let (source, target) = (input.row(y, plane: plane), output.row(y, plane: plane))
          if hasAlpha && index == planes.count - 1 {
            target.update(from: source, count: output.width)
            continue
          }
          switch tone.change {
          case .detail(let amount), .smoothDetail(let amount):
            pe_guided_detail(source, luma, base, alpha, output.width, Float(amount), target)
          case .tone(let tone):
            pe_guided_tone(
              source, luma, base, alpha, output.width, levels, Float(tone.mostGain), target)
          }
        }
      }
    }
  }
}
