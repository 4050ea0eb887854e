// SPDX-License-Identifier: Apache-2.0
@testable import PhotoEditFilters

/// Parses color corrections; parsed values must be valid for a CDL.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  guard let file = try? CDLDocument(bytes) else { return 0 }
  precondition(!file.corrections.isEmpty, "a file without corrections was read")
  for correction in file.corrections {
    let decision = correction.decision
    for channel in 0..<3 {
      precondition(decision.slope[channel] >= 0 && decision.slope[channel].isFinite, "a slope")
      precondition(decision.offset[channel].isFinite, "an offset")
      precondition(decision.power[channel] > 0 && decision.power[channel].isFinite, "a power")
    }
    precondition(decision.saturation >= 0 && decision.saturation.isFinite, "a saturation")
  }
  return 0
}
