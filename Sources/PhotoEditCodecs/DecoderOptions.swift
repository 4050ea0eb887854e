// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// How a picture is to be decoded.
public struct DecoderOptions: Sendable {
  /// What is refused by its header.
  public var limits: ImageLimits
  /// Whether damage is filled and told in a notice instead of thrown.
  public var isLenient: Bool
  /// Whether a YCbCr JPEG delivers its Y plane as 8-bit gray; other pictures take no notice.
  public var decodesLumaOnly: Bool
  /// Whether CMYK and YCCK come as four inks a pixel, 0 for none of an ink, in rows of four
  /// channels, instead of RGB; other pictures take no notice.
  package var deliversInks = false
  /// How much smaller a JPEG is decoded; other pictures take no notice.
  public var scale: DecodingScale
  /// Asked now and then while a long call runs; `true` ends it with `CodecError.cancelled`.
  public var isCancelled: (@Sendable () -> Bool)?

  /// Makes options: strict, in full colour and with the default limits unless told otherwise.
  public init(
    limits: ImageLimits = ImageLimits(), isLenient: Bool = false, decodesLumaOnly: Bool = false,
    scale: DecodingScale = .full, isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    self.limits = limits
    self.isLenient = isLenient
    self.decodesLumaOnly = decodesLumaOnly
    self.scale = scale
    self.isCancelled = isCancelled
  }
}

extension ImageLimits {
  /// Refuses a size that a header claims, before memory is reserved for it.
  func check(_ size: PixelSize) throws(CodecError) {
    if size.longEdge > maximumSide {
      throw .limitExceeded(.side, value: size.longEdge, allowed: maximumSide)
    }
    if size.pixelCount > maximumPixels {
      throw .limitExceeded(.pixels, value: size.pixelCount, allowed: maximumPixels)
    }
  }

  /// Refuses work that would need too much memory, before any is reserved.
  package func check(memory bytes: Int) throws(CodecError) {
    if bytes > maximumMemoryBytes {
      throw .limitExceeded(.memory, value: bytes, allowed: maximumMemoryBytes)
    }
  }

  /// Scans that a JPEG of some size may have.
  ///
  /// A scan of a few bytes costs a pass over the whole picture. Large pictures therefore get fewer:
  /// as many as 64 at the largest size take, and never fewer than 64.
  func scans(for size: PixelSize) -> Int {
    let (work, overflow) = maximumPixels.multipliedReportingOverflow(by: 64)
    guard !overflow else { return maximumScans }
    return min(maximumScans, max(64, work / max(size.pixelCount, 1)))
  }
}

/// Carries the caller's question "go on?" through C.
final class CancellationProbe {
  private let isCancelled: (@Sendable () -> Bool)?

  init(_ isCancelled: (@Sendable () -> Bool)?) {
    self.isCancelled = isCancelled
  }

  /// Whether there is anybody to ask.
  var isNeeded: Bool { isCancelled != nil }

  /// The pointer that C hands back to `ask`; valid as long as this object lives.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The function for C: 1 to stop, 0 to go on.
  static let ask: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
    guard let context else { return 0 }
    let probe = Unmanaged<CancellationProbe>.fromOpaque(context).takeUnretainedValue()
    return probe.isCancelled?() == true ? 1 : 0
  }
}
