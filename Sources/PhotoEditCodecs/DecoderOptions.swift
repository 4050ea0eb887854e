// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels
public import PhotoEditStorage

/// Options for decoding an image.
public struct DecoderOptions: Sendable {
  /// Limits checked against the header.
  public var limits: ImageLimits
  /// Indicates whether damage is filled and reported in a notice instead of thrown.
  public var isLenient: Bool
  /// Indicates whether a YCbCr JPEG delivers its Y plane as 8-bit gray; ignored for other images.
  public var decodesLumaOnly: Bool
  /// Indicates whether CMYK and YCCK are delivered as four CMYK components per pixel (0: no
  /// colorant) instead of RGB; ignored for other images.
  package var deliversCMYK = false
  /// Indicates whether a raw file is developed at half its size, from four sensor elements for each
  /// pixel; ignored for other images.
  package var developsHalfSize = false
  /// Indicates whether the same file will be decoded with these options again, soon after all of its
  /// rows were read.
  ///
  /// A confined process that has the whole image in memory then keeps it.
  package var readsAgain = false
  /// The reduction in size of a decoded JPEG; ignored for other images.
  public var scale: DecodingScale
  /// The policy on decoding in a confined process; nil for that of the process.
  public var sandbox: SandboxPolicy?
  /// The program of the confined process; nil for that of this process.
  package var program: DecoderProgram.Configuration?
  /// Called from time to time during long calls; `true` ends them with `CodecError.cancelled`.
  public var isCancelled: (@Sendable () -> Bool)?

  /// Creates options; by default strict, in full color and with the default limits.
  public init(
    limits: ImageLimits = ImageLimits(), isLenient: Bool = false, decodesLumaOnly: Bool = false,
    scale: DecodingScale = .full, sandbox: SandboxPolicy? = nil,
    isCancelled: (@Sendable () -> Bool)? = nil
  ) {
    (self.limits, self.isLenient, self.decodesLumaOnly) = (limits, isLenient, decodesLumaOnly)
    (self.scale, self.sandbox, self.isCancelled) = (scale, sandbox, isCancelled)
  }
}

extension ImageLimits {
  /// Checks a size from a header before memory is allocated.
  func check(_ size: PixelSize) throws(CodecError) {
    if size.longEdge > maximumSide {
      throw .limitExceeded(.side, value: size.longEdge, allowed: maximumSide)
    }
    if size.pixelCount > maximumPixels {
      throw .limitExceeded(.pixels, value: size.pixelCount, allowed: maximumPixels)
    }
  }

  /// Checks the memory required by an operation before it is allocated.
  package func check(memory bytes: Int) throws(CodecError) {
    if bytes > maximumMemoryBytes {
      throw .limitExceeded(.memory, value: bytes, allowed: maximumMemoryBytes)
    }
  }

  /// Returns the number of scans allowed for a JPEG of some size.
  ///
  /// A scan of a few bytes costs a pass over the whole image. Large images therefore get fewer
  /// scans: the same total work as 64 scans at the largest size, and never fewer than 64.
  func scans(for size: PixelSize) -> Int {
    let (work, overflow) = maximumPixels.multipliedReportingOverflow(by: 64)
    guard !overflow else { return maximumScans }
    return min(maximumScans, max(64, work / max(size.pixelCount, 1)))
  }
}

/// A wrapper that passes the caller's cancellation check through C.
final class CancellationContext {
  private let isCancelled: (@Sendable () -> Bool)?

  init(_ isCancelled: (@Sendable () -> Bool)?) {
    self.isCancelled = isCancelled
  }

  /// Indicates whether there is a cancellation check.
  var isNeeded: Bool { isCancelled != nil }

  /// The pointer that C passes back to `callback`; valid as long as this object exists.
  var context: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

  /// The function for C: returns 1 to stop, 0 to continue.
  static let callback: @convention(c) (UnsafeMutableRawPointer?) -> Int32 = { context in
    guard let context else { return 0 }
    let probe = Unmanaged<CancellationContext>.fromOpaque(context).takeUnretainedValue()
    return probe.isCancelled?() == true ? 1 : 0
  }
}

/// A reduction of a JPEG during decoding, by transforming fewer coefficients.
public enum DecodingScale: Int, Sendable, Hashable, CaseIterable {
  /// The stored size.
  case full = 1
  /// Half the width and height.
  case half = 2
  /// A quarter of the width and height.
  case quarter = 4
  /// An eighth of the width and height: one pixel per block.
  case eighth = 8

  /// Returns the decoded size, rounded up to whole pixels.
  public func applied(to size: PixelSize) -> PixelSize {
    PixelSize(
      width: (size.width + rawValue - 1) / rawValue,
      height: (size.height + rawValue - 1) / rawValue)
  }
}
