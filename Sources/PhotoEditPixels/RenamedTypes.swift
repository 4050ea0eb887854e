// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``NormalizedRect``.
@available(*, deprecated, renamed: "NormalizedRect")
public typealias NormalizedRegion = NormalizedRect

/// The former name of ``ImageDifference``.
@available(*, deprecated, renamed: "ImageDifference")
public typealias PictureDifference = ImageDifference

/// The former name of ``ImageBuffer``.
@available(*, deprecated, renamed: "ImageBuffer")
public typealias SampleImage = ImageBuffer

extension Orientation {
  /// The former name of `init(clockwiseRotations:)`.
  @available(*, deprecated, renamed: "init(clockwiseRotations:)")
  public init(quarterTurns: Int) { self.init(clockwiseRotations: quarterTurns) }
}
