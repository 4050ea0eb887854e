// SPDX-License-Identifier: Apache-2.0

public struct Volume: MovieOperation {
  public static let schema = FilterSchema<Self>(
    "volume", "Lowers the playback volume.",
    equivalents:
      "AVMutableAudioMix; MP4Box -set-track-volume; ffmpeg -filter:a volume, which re-encodes",
    formula: "the volume of each audio track, in steps of 1/256, is multiplied by amount",
    source: "ISO/IEC 14496-12, 8.3.2 (track header)", dependency: .movie,
    tolerance: "packets are copied unchanged",
    parameters: [
      Parameter(
        "amount", \.amount, unit: .fraction, in: 0...1, identity: 1, argument: 0.5,
        "Volume factor; 0 is silent, but keeps the audio.")
    ])

  public var amount = 1.0

  public init() {}

  /// Creates the operation.
  public init(_ amount: Double) { self.amount = amount }
}
