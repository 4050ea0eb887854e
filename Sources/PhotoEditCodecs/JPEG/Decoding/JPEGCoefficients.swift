// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
import PhotoEditPixels
package import PhotoEditStorage

/// Reads the quantized coefficients of a JPEG, one array per component.
///
/// Blocks are stored row by row, with 64 values each; value `8·v + u` has vertical frequency `v`
/// and horizontal frequency `u`. Blocks that only pad the last MCU are omitted.
package func jpegCoefficients(_ bytes: FileBytes) throws(CodecError) -> [[Int16]] {
  let decoder = try JPEGDecoder(bytes)
  let handle = decoder.handle
  let rows = decoder.frame.size.height
  try handle.check(pe_jpeg_read_coefficients(handle.pointer), rows: rows)
  var planes: [[Int16]] = []
  for index in decoder.frame.components.indices {
    let component = pe_jpeg_component_at(handle.pointer, Int32(index))
    let count = Int(component.width_in_blocks) * Int(component.height_in_blocks) * 64
    var plane = [Int16](repeating: 0, count: count)
    try handle.check(
      pe_jpeg_copy_coefficients(handle.pointer, Int32(index), &plane), rows: rows)
    planes.append(plane)
  }
  return planes
}

/// Reads the quantized coefficients of a JPEG in memory.
package func jpegCoefficients(_ bytes: [UInt8]) throws(CodecError) -> [[Int16]] {
  try jpegCoefficients(FileBytes(bytes))
}
