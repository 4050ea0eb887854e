// SPDX-License-Identifier: Apache-2.0

// Former names, which the release after the next one removes.

/// The former name of ``DecoderWarning``.
@available(*, deprecated, renamed: "DecoderWarning")
public typealias CodecNotice = DecoderWarning

/// The former name of ``MetadataRemoval``.
@available(*, deprecated, renamed: "MetadataRemoval")
public typealias MetadataStrip = MetadataRemoval

/// The former name of ``ImageColorSpace``.
@available(*, deprecated, renamed: "ImageColorSpace")
public typealias PictureColor = ImageColorSpace

/// The former name of ``RenderedImageProperties``.
@available(*, deprecated, renamed: "RenderedImageProperties")
public typealias RenderingFacts = RenderedImageProperties

extension CodecError {
  /// The former name of ``damaged(message:recoveredRows:rows:)``.
  @available(*, deprecated, renamed: "damaged(message:recoveredRows:rows:)")
  public static func damaged(message: String, realRows: Int?, rows: Int?) -> CodecError {
    .damaged(message: message, recoveredRows: realRows, rows: rows)
  }
}

extension DecoderWarning {
  /// The former name of ``recoveredRows``.
  @available(*, deprecated, renamed: "recoveredRows")
  public var realRows: Int? { recoveredRows }
}
