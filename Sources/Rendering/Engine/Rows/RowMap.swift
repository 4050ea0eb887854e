// SPDX-License-Identifier: Apache-2.0
import CKernels
import Filters
import Pixels

/// A map of colours as the kernels take it.
struct RowMap {
  /// The kernel.
  let function: @convention(c) (UnsafePointer<pe_pixel_run>?, UnsafeRawPointer?) -> Void
  /// Its tables and factors, owned by the program.
  let how: UnsafeRawPointer
  /// Column of the block where the mapped picture begins.
  let firstColumn: Int

  init(_ map: PixelMap, firstColumn: Int, _ constants: RowConstants) {
    self.firstColumn = firstColumn
    switch map {
    case .lumaTable(let table):
      function = pe_luma_table
      how = UnsafeRawPointer(constants.store(table.levels))
    case .tiledLuma(let tables):
      function = pe_tiled_luma
      how = UnsafeRawPointer(
        constants.store([
          pe_luma_tiles(
            tables: constants.store(tables.tables.flatMap(\.levels)), columns: tables.columns,
            rows: tables.rows, width: tables.tile.width, height: tables.tile.height,
            first_column: tables.firstColumn, first_row: tables.firstRow)
        ]))
    case .vibrance(let amount):
      function = pe_vibrance
      how = UnsafeRawPointer(constants.store([Float(amount)]))
    case .crossPolynomial(let polynomial):
      function = pe_cross_polynomial
      how = UnsafeRawPointer(constants.store(polynomial.rows.flatMap { $0.map { Float($0) } }))
    case .splitTone(let tint):
      function = pe_split_tone
      how = UnsafeRawPointer(constants.store([pe_tints(tint)]))
    case .dither(let noise):
      function = pe_dither
      how = UnsafeRawPointer(
        constants.store([
          pe_dither_noise(
            seed: noise.seed, version: DitherNoise.version, amplitude: Float(noise.amplitude),
            first_column: noise.firstColumn, first_row: noise.firstRow)
        ]))
    case .cube(let cube, let interpolation):
      function = interpolation == .tetrahedral ? pe_lut3d_tetrahedral : pe_lut3d_trilinear
      how = UnsafeRawPointer(constants.cube(cube))
    }
  }
}

extension pe_tints {
  fileprivate init(_ tint: SplitTint) {
    func floats(_ v: SIMD3<Double>) -> (Float, Float, Float) {
      (Float(v.x), Float(v.y), Float(v.z))
    }
    self.init(
      shadow: floats(tint.shadow), highlight: floats(tint.highlight), shift: Float(tint.shift))
  }
}
