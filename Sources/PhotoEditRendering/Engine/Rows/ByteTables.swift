// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters
import PhotoEditPixels

/// Tables from bytes to bytes, for a stage that consists only of curves and crops.
struct ByteTables {
  let bytes: [UInt8]
  let firstByte: Int

  /// Creates the tables, or returns nil if the stage needs floats.
  init?(_ stage: Stage) {
    guard Self.canReplace(stage), case .packed(let layout) = stage.input.format else { return nil }
    var curves = [ToneCurve](repeating: ToneCurve([]), count: layout.channels.count)
    var firstColumn = 0
    for step in stage.steps {
      switch step {
      case .curves(let next): curves = zip(curves, next).map { $0.followed(by: $1) }
      case .cropColumns(let columns): firstColumn += columns.lowerBound
      default: preconditionFailure("only curves and crops are replaced by tables")
      }
    }
    firstByte = firstColumn * layout.bytesPerPixel
    bytes = curves.flatMap { curve in
      let floats = (0..<256).map { Float(curve(Double($0) / 255)) }
      var bytes = [UInt8](repeating: 0, count: 256)
      pe_pack_gray(floats, 256, &bytes)
      return bytes
    }
  }

  /// Indicates whether a stage consists only of curves and crops of bytes.
  static func canReplace(_ stage: Stage) -> Bool {
    guard stage.inputMapping == .rows, case .packed(let layout) = stage.input.format else {
      return false
    }
    return stage.output.format == .packed(layout) && layout.bytesPerSample == 1
      && !layout.channels.hasAlpha
      && stage.steps.allSatisfy { step in
        switch step {
        case .curves, .cropColumns: true
        default: false
        }
      }
  }

  var isIdentity: Bool { bytes.indices.allSatisfy { bytes[$0] == UInt8(truncatingIfNeeded: $0) } }
}
