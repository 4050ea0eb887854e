// SPDX-License-Identifier: Apache-2.0
import PhotoEditPlatform
import PhotoEditStorage
import Testing

@Suite("Memory in huge pages")
struct HugePageMemoryTests {
  private static let page = HugePageMemory.pageByteCount

  @Test(arguments: [0, 1, 4097, page - 1, page, page + 1, 3 * page - 7, 9 * page])
  func `a block has the requested size and keeps what is written`(byteCount: Int) {
    // Freed blocks are reused by the next ones.
    for round in 0..<3 {
      let blocks = (0..<3).map { _ in HugePageMemory(byteCount: byteCount) }
      for (index, block) in blocks.enumerated() {
        #expect(block.buffer.count == byteCount)
        let address = block.buffer.baseAddress.map { Int(bitPattern: $0) } ?? 1
        #expect(address % (byteCount < Self.page ? 64 : Self.page) == 0)
        block.buffer.initializeMemory(as: UInt8.self, repeating: UInt8(3 * round + index))
      }
      for (index, block) in blocks.enumerated() {
        guard let first = block.buffer.baseAddress, byteCount > 0 else { continue }
        // The first byte, and each byte equal to the next one.
        let isIntact =
          block.buffer[0] == 3 * round + index && memcmp(first, first + 1, byteCount - 1) == 0
        #expect(isIntact, "block \(index) in round \(round)")
      }
    }
  }

  @Test func `freed blocks are returned to the system`() {
    // All of them together would exceed the address space of 128 TiB.
    for _ in 0..<70_000 { _ = HugePageMemory(byteCount: 2 << 30) }
  }
}
