// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// A map of colors as the kernels take it.
struct RowMap {
  /// The kernel.
  let function: PixelKernel
  /// Its tables and factors, owned by the program.
  let how: UnsafeRawPointer
  /// Column of the block where the mapped picture begins.
  let firstColumn: Int

  init(_ map: PixelMap, firstColumn: Int, _ constants: RowConstants) {
    function = map.mapping.kernel
    how = map.mapping.constants(in: constants)
    self.firstColumn = firstColumn
  }
}
