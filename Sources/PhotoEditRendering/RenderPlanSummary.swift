// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// A summary of a rendering, computed from headers alone.
///
/// The same image, graph and options produce the same outline. A damaged image may still be decoded
/// to pixels although its coefficients were to be rearranged: damage is detected only during
/// rendering.
public struct RenderPlanSummary: Sendable, Hashable {
  /// One pass over the rows of an image.
  public struct Pass: Sendable, Hashable {
    /// The steps applied to each row, in order.
    public let steps: [String]
    /// The reason why the pass needs floats; nil if it works on the bytes of the decoder.
    public let floatReason: String?
    /// The size of the input image.
    public let inputSize: PixelSize
    /// The size of the output image.
    public let outputSize: PixelSize
    /// The number of additional input rows before the first and after the last row of a strip.
    public let haloRows: Int
    /// The height of the output strips.
    public let stripHeight: Int
    /// The memory of one such strip.
    public let bytesPerStrip: Int
  }

  /// The processing method.
  public let method: RenderMethod
  /// The reason why no cheaper method is used; one clause.
  public let reason: String
  /// The size of the source as stored.
  public let sourceSize: PixelSize
  /// The size of the result.
  public let outputSize: PixelSize
  /// The number of decoded channels; 0 if coefficients are rearranged.
  public let decodedChannels: Int
  /// The number of decoding threads.
  public let decodingThreads: Int
  /// The total number of threads.
  public let threads: Int
  /// The passes in order; empty if coefficients are rearranged.
  public let passes: [Pass]
  /// The maximum size in bytes of the strips in memory at the same time, in addition to source and
  /// result.
  public let peakStripBytes: Int
  /// The maximum total memory.
  public let memory: RenderMemory
}
