// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The files in which the server keeps its state.
enum StateFile {
  /// Writes a file, which replaces an older one atomically; a failure leaves the older one.
  static func write(_ bytes: [UInt8], to path: String) throws(FileError) {
    let partial = path + "." + Secret.random(bits: 64)
    do throws(FileError) {
      let file = try OpenFile(creating: partial)
      try file.write(bytes)
      try file.sync()
      try FileSystem.rename(partial, to: path)
    } catch {
      try? FileSystem.remove(partial)
      throw error
    }
  }
}
