// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditLibrary

/// Realistic assets: many years, with favorites, bursts, videos and hidden assets.
///
/// A number generates the same asset in every run, except for its identifier.
struct Generator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  private mutating func next(_ bound: Int) -> Int {
    // SplitMix64.
    state &+= 0x9E37_79B9_7F4A_7C15
    var word = state
    word = (word ^ (word >> 30)) &* 0xBF58_476D_1CE4_E5B9
    word = (word ^ (word >> 27)) &* 0x94D0_49BB_1331_11EB
    return Int((word ^ (word >> 31)) % UInt64(bound))
  }

  /// The next asset.
  mutating func record(_ number: Int) -> PhotoProperties {
    let added = Date(timeIntervalSince1970: 1_500_000_000 + Double(number))
    var record = PhotoProperties(originalFilename: "IMG_\(number).JPG", addedAt: added)
    // Photos are imported almost in date order, with some scans of old prints in between.
    let taken = 1_000_000_000 + Double(number) * 500 + Double(next(86_400))
    record.creationDate =
      next(100) == 0 ? nil : Date(timeIntervalSince1970: next(20) == 0 ? taken / 2 : taken)
    (record.pixelWidth, record.pixelHeight) = next(3) == 0 ? (3024, 4032) : (4032, 3024)
    record.isFavorite = next(20) == 0
    record.isHidden = next(100) == 0
    if next(3) > 0 {
      record.location = LocationCoordinate(
        latitude: Double(next(1800)) / 10 - 90, longitude: Double(next(3600)) / 10 - 180)
    }
    switch next(20) {
    case 0, 1:
      record.mediaType = .video
      record.playbackStyle = .video
      record.duration = Double(next(6000)) / 10
      record.originalFilename = "IMG_\(number).MOV"
    case 2: record.mediaSubtypes = .photoLive
    case 3: record.mediaSubtypes = .photoPanorama
    case 4:
      record.burstIdentifier = "burst-\(number / 100)"
      record.representsBurst = number % 10 == 0
    case 5: record.title = "Title \(next(1000)) of \(number)"
    default: break
    }
    if number % 1000 == 7 { record.caption = "Boats in the harbor at dawn" }
    if number % 500 == 7 { record.keywords = ["Places/Portugal/Lisbon"] }
    record.rating = number % 7 == 0 ? 4 : 0
    record.camera = number % 3 == 0 ? "FUJIFILM X100V" : "Apple iPhone 12"
    return record
  }
}
