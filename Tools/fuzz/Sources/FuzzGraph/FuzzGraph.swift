// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

@testable import PhotoEditFilters

/// Parses a graph; its canonical form must parse as the same graph, and may be compiled.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let graph = try? FilterGraph(json: bytes) else { return 0 }
  let canonical = graph.canonicalBytes()
  guard let again = try? FilterGraph(json: canonical) else {
    preconditionFailure("the canonical form of a graph cannot be read")
  }
  precondition(again == graph, "a graph changed in its canonical form")
  precondition(again.canonicalBytes() == canonical, "the canonical form is not canonical")
  precondition(again.digest == graph.digest, "a graph has two digests")
  _ = try? graph.lowered(size: PixelSize(width: 640, height: 480))
  return 0
}
