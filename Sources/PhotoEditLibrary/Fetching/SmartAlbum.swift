// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite

/// A smart album: an album defined by a rule, the same in every library.
///
/// Rules use only properties that are in the files or set by the user, never heuristics. There is
/// no rule for `smartAlbumGeneric`, which is user-created.
struct SmartAlbum: Sendable {
  let subtype: AssetCollection.Subtype
  let title: String
  private let rule: Rule

  private enum Rule: Sendable {
    case condition(PredicateNode)
    /// Assets added to the library at most this many seconds ago.
    case addedWithin(Double)
    case hidden
  }

  private init(_ subtype: AssetCollection.Subtype, _ title: String, _ rule: Rule) {
    self.subtype = subtype
    self.title = title
    self.rule = rule
  }

  var isOfHidden: Bool { if case .hidden = rule { true } else { false } }

  /// Indicates whether assets leave the album as time passes, without a commit.
  var dependsOnTime: Bool { if case .addedWithin = rule { true } else { false } }

  /// Returns the condition for its assets at a time in seconds since 1970.
  func condition(at date: Double) -> PredicateNode {
    switch rule {
    case .condition(let node): node
    case .addedWithin(let seconds):
      .compare(.addedDate, .greater, .real(date - seconds), folding: .exact)
    case .hidden: .compare(.hidden, .equal, true, folding: .exact)
    }
  }

  static func of(_ subtype: AssetCollection.Subtype) -> SmartAlbum? {
    all.first { $0.subtype == subtype }
  }

  /// All smart albums, by raw value.
  static let all: [SmartAlbum] = [
    SmartAlbum(.smartAlbumPanoramas, "Panoramas", subtypes(.photoPanorama)),
    SmartAlbum(
      .smartAlbumVideos, "Videos",
      .condition(
        .compare(.mediaType, .equal, .init(MediaType.video.rawValue), folding: .exact))),
    SmartAlbum(
      .smartAlbumFavorites, "Favorites",
      .condition(.compare(.favorite, .equal, true, folding: .exact))),
    SmartAlbum(.smartAlbumTimelapses, "Time-lapse", subtypes(.videoTimelapse)),
    SmartAlbum(.smartAlbumAllHidden, "Hidden", .hidden),
    SmartAlbum(.smartAlbumRecentlyAdded, "Recently Added", .addedWithin(30 * 86_400)),
    SmartAlbum(.smartAlbumBursts, "Bursts", .condition(.isNull(.burstIdentifier, false))),
    SmartAlbum(.smartAlbumSlomoVideos, "Slo-mo", subtypes(.videoHighFrameRate)),
    SmartAlbum(.smartAlbumUserLibrary, "Recents", .condition(.constant(true))),
    SmartAlbum(.smartAlbumSelfPortraits, "Selfies", traits(.selfPortrait)),
    SmartAlbum(.smartAlbumScreenshots, "Screenshots", subtypes(.photoScreenshot)),
    SmartAlbum(.smartAlbumDepthEffect, "Portrait", subtypes(.photoDepthEffect)),
    SmartAlbum(.smartAlbumLivePhotos, "Live Photos", subtypes(.photoLive)),
    SmartAlbum(.smartAlbumAnimated, "Animated", traits(.animated)),
    SmartAlbum(.smartAlbumLongExposures, "Long Exposure", traits(.longExposure)),
    SmartAlbum(.smartAlbumUnableToUpload, "Unable to Upload", .condition(.constant(false))),
    SmartAlbum(.smartAlbumRAW, "RAW", traits(.raw)),
    SmartAlbum(.smartAlbumCinematic, "Cinematic", subtypes(.videoCinematic)),
    SmartAlbum(.smartAlbumSpatial, "Spatial", subtypes(.spatialMedia)),
  ]

  private static func subtypes(_ bits: MediaSubtype) -> Rule {
    .condition(
      .masked(.mediaSubtypes, mask: Int64(bits.rawValue), isEqual: false, value: 0))
  }

  private static func traits(_ bits: AssetTraits) -> Rule {
    .condition(.masked(.traits, mask: Int64(bits.rawValue), isEqual: false, value: 0))
  }

  func collection(_ session: FetchSession) throws(LibraryError) -> AssetCollection {
    let scope = AssetScope(session, otherwise: .own, hiddenAlone: isOfHidden)
    let condition = SQLFragment.all(
      scope.conditions + [condition(at: session.date).sql(for: Asset.source)])
    return AssetCollection(
      localIdentifier: ComputedIdentifier.smartAlbum(subtype)?.description ?? "",
      kind: .smartAlbum, subtype: subtype, title: title,
      summary: try AlbumSummary(condition, session.database), row: nil,
      isLibraryChangeable: session.isChangeable)
  }
}
