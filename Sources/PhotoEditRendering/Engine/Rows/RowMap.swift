// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters

/// A color mapping in the form that the kernels expect.
struct RowMap {
  /// The kernel.
  let function: PixelKernel
  /// Its tables and factors, owned by the program.
  let how: UnsafeRawPointer
  /// The column of the block where the mapped image starts.
  let firstColumn: Int

  init(_ map: PixelMap, firstColumn: Int, _ constants: RowConstants) {
    function = map.mapping.kernel
    how = map.mapping.constants(in: constants)
    self.firstColumn = firstColumn
  }
}
