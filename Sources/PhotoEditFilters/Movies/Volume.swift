// SPDX-License-Identifier: Apache-2.0

public struct Volume: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "volume", "Makes the sound of a movie be played less loud.",
    peers: "AVMutableAudioMix; MP4Box -set-track-volume; ffmpeg -filter:a volume, which encodes",
    formula: "the volume of each track of sound, in steps of 1/256, is multiplied by amount",
    source: "ISO/IEC 14496-12, 8.3.2 (track header)", family: .movie,
    tolerance: "packets are kept as they are",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, neutral: 1, argument: 0.5,
        "How much of its volume is left; 0 is silence, with the sound still there.")
    ])

  public var amount = 1.0

  public init() {}

  /// Creates the operation.
  public init(_ amount: Double) { self.amount = amount }
}
