// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import Testing

/// The memory of this process, as the kernel counts it.
package enum ProcessMemory {
  /// The largest resident size so far in bytes.
  ///
  /// `getrusage` would count that of the process which started this one.
  package static func peak() throws -> Int {
    // Kernel files have no size, so they are read in one piece.
    let file = try OpenFile(reading: "/proc/self/status")
    let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 14, alignment: 8)
    defer { memory.deallocate() }
    let text = String(decoding: memory[..<(try file.read(into: memory))], as: UTF8.self)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("VmHWM:") })
    return try #require(line.split(separator: " ").compactMap { Int($0) }.first) << 10
  }
}
