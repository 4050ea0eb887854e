// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditStorage
@testable import PhotoEditTool

/// Parses a line of a manifest, of a result file, and of a worker's requests; names of results stay
/// beneath their folder, and counts are ones that can be summed.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  if let line = try? ManifestLine(bytes) {
    if let output = line.output {
      precondition(OpenFolder.isBeneath(output), "a result outside of its folder")
    }
    if line.isRelative {
      precondition(OpenFolder.isBeneath(line.source), "a source outside of its folder")
    }
    precondition(line.byteCount ?? 0 >= 0, "a negative size")
  }
  if case .result(let result)? = try? ResultLine(bytes) {
    precondition(result.byteCount >= 0, "a negative size")
    precondition((0...1e15).contains(result.milliseconds), "a time that no machine has")
  }
  if var fields = try? LineFields(bytes) { _ = try? ImageWorker.Request(&fields) }
  _ = try? Look(json: bytes)
  return 0
}
