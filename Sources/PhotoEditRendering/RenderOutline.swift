// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// What a rendering will do, worked out from headers alone.
///
/// The same picture, graph and options give the same outline. A damaged picture may still be
/// decoded to pixels where its coefficients were to be rearranged: damage shows only on the way.
public struct RenderOutline: Sendable, Hashable {
  /// One pass over the rows of a picture.
  public struct Pass: Sendable, Hashable {
    /// What is done with each row, in order.
    public let steps: [String]
    /// Why the pass needs floats; nil when it works on the bytes of the decoder.
    public let floatReason: String?
    /// Size of the picture that goes in.
    public let inputSize: PixelSize
    /// Size of the picture that comes out.
    public let outputSize: PixelSize
    /// Rows beyond the first and the last one of a strip that it is made of besides.
    public let haloRows: Int
    /// Rows of the strips that come out.
    public let stripHeight: Int
    /// Memory of one such strip.
    public let bytesPerStrip: Int
  }

  /// The work that it takes.
  public let method: RenderMethod
  /// Why it is not less; one clause.
  public let reason: String
  /// Size of the source as it lies in its file.
  public let sourceSize: PixelSize
  /// Size of the result.
  public let outputSize: PixelSize
  /// Channels that are decoded; none when coefficients are rearranged.
  public let decodedChannels: Int
  /// Threads that decode.
  public let decodingThreads: Int
  /// Threads that work in all.
  public let threads: Int
  /// Passes in order; none when coefficients are rearranged.
  public let passes: [Pass]
  /// Bytes of strips in memory at the same time, at most; source and result come on top.
  public let peakStripBytes: Int
  /// Everything that is in memory at the same time, at most.
  public let memory: RenderMemory
}
