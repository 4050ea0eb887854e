// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels
import PhotoEditStorage
import Testing

@testable import PhotoEditCodecs

@Suite("Quantization tables")
struct QuantizationTableTests {
  @Test func `quality 50 is the table of the standard and quality 100 is all ones`() {
    let table = QuantizationTable.standardLuma(quality: 50)
    #expect(Array(table.values.prefix(8)) == [16, 11, 10, 16, 24, 40, 51, 61])
    #expect(table.values[63] == 99)
    #expect(QuantizationTable.standardChroma(quality: 50).values[0] == 17)
    #expect(QuantizationTable.standardLuma(quality: 100).values.allSatisfy { $0 == 1 })
    // (16 · 20 + 50) / 100, rounded down.
    #expect(QuantizationTable.standardLuma(quality: 90).values[0] == 3)
    #expect(QuantizationTable.standardLuma(quality: 1).values.allSatisfy { $0 <= 255 })
  }

  @Test func `transposing exchanges rows and columns`() {
    let table = QuantizationTable((0..<64).map { UInt16($0 + 1) })
    #expect(table.transposed.values[1] == table.values[8])
    #expect(table.transposed.values[3 * 8 + 5] == table.values[5 * 8 + 3])
    #expect(table.transposed.transposed == table)
  }

  @Test func `the minimum takes the smaller element at every frequency`() {
    let a = QuantizationTable((0..<64).map { UInt16($0 + 1) })
    let b = QuantizationTable((0..<64).map { UInt16(64 - $0) })
    let least = QuantizationTable.elementwiseMinimum(a, b)
    #expect((0..<64).allSatisfy { least.values[$0] == min(a.values[$0], b.values[$0]) })
    #expect(least.values[0] == 1 && least.values[63] == 1 && least.values[31] == 32)
  }

  @Test(arguments: [1, 5, 25, 49, 50, 75, 85, 92, 100])
  func `the quality of a file is recovered from its tables`(quality: Int) throws {
    let bytes = try TestImage.jpeg(TestImage.make(9, 9), JPEGSettings(quality: quality))
    let frame = try JPEGDecoder(FileBytes(bytes)).frame
    #expect(frame.estimatedQuality == quality)
    #expect(frame.tables[0] == .standardLuma(quality: quality))
    #expect(frame.tables[1] == .standardChroma(quality: quality))
  }
}
