// SPDX-License-Identifier: Apache-2.0

/// The names of a property of a photo in XMP, IPTC, EXIF and the metadata of videos.
///
/// The first name of a format is the one that is read and written; the others are read as well where
/// a program prefers them, and give way when the property is written.
///
/// - Source: IPTC Photo Metadata Standard 2023.2; Metadata Working Group, "Guidelines for Handling
///   Image Metadata" 2.0, 2010; Apple, "QuickTime File Format".
package struct MetadataName: Hashable, Sendable {
  /// The properties in XMP.
  let xmp: [XMPName]
  /// The datasets of IPTC.
  let iptc: [IPTCName]
  /// The tags of EXIF.
  let exif: [Int]
  /// The keys of videos.
  package let movie: [String]
  /// The keyword of a PNG's text.
  let png: String?
  /// Indicates whether the text has lines.
  let hasLines: Bool
  /// Indicates whether cameras write a text of their own into each photo, which says nothing.
  let isWrittenByCameras: Bool

  /// Creates the names of a property; those of a format are in the order of preference.
  package init(
    xmp: [XMPName] = [], iptc: [IPTCName] = [], exif: [Int] = [], movie: [String] = [],
    png: String? = nil, hasLines: Bool = false, isWrittenByCameras: Bool = false
  ) {
    (self.xmp, self.iptc, self.exif) = (xmp, iptc, exif)
    (self.movie, self.png, self.hasLines) = (movie, png, hasLines)
    self.isWrittenByCameras = isWrittenByCameras
  }

  /// Returns a text of a file or of another program without control characters; nil if nothing is
  /// left.
  package func clean(_ text: String) -> String? {
    hasLines ? MetadataText.cleanLines(text) : MetadataText.clean(text)
  }

  /// Returns the clean text of a photo; nil also for one that cameras write into each photo.
  func ofPhoto(_ text: String) -> String? {
    clean(text).flatMap { isWrittenByCameras && MetadataText.isOfCamera($0) ? nil : $0 }
  }

  /// Returns the text among the metadata of a video.
  package func text(ofMovie tags: [String: String]) -> String? {
    movie.lazy.compactMap { tags[$0] }.first { !$0.isEmpty }
  }

  /// The beginning of the keys of Apple.
  private static let apple = "com.apple.quicktime."

  /// The title.
  package static let title = MetadataName(
    xmp: [.init(.dublinCore, "title", .languages)], iptc: [.init(5)],
    exif: [ExifTag.windowsTitle],
    movie: [apple + "title", apple + "displayname", "©nam", "title"], png: "Title")
  /// The caption.
  package static let caption = MetadataName(
    xmp: [.init(.dublinCore, "description", .languages), .init(.acdSee, "caption")],
    iptc: [.init(120, maximumBytes: 2000)],
    exif: [
      ExifTag.imageDescription, ExifTag.windowsComment, ExifTag.windowsSubject, ExifTag.userComment,
    ],
    movie: [apple + "description", "©des", "desc", "description"],
    png: "Description", hasLines: true, isWrittenByCameras: true)
  static let creator = MetadataName(
    xmp: [.init(.dublinCore, "creator")], iptc: [.init(80, maximumBytes: 32)],
    exif: [ExifTag.artist], png: "Author")
  static let copyright = MetadataName(
    xmp: [.init(.dublinCore, "rights")], iptc: [.init(116, maximumBytes: 128)],
    exif: [ExifTag.copyright], png: "Copyright")
  /// The names of keywords without hierarchy in XMP.
  ///
  /// Those of Windows are copies by which it recognizes what other programs changed.
  static let flatKeywords: [XMPName] = [
    .subject, .init(.acdSee, "keywords"), .init(.windowsPhoto, "LastKeywordXMP"),
    .init(.exifToolWindowsPhoto, "LastKeywordXMP"), .init(.windowsPhoto, "LastKeywordIPTC"),
    .init(.exifToolWindowsPhoto, "LastKeywordIPTC"),
  ]
  /// The names of keywords in XMP whose levels are separated by "|".
  static let hierarchicalKeywords: [XMPName] = [
    .hierarchicalSubject, .init(.mediaPro, "CatalogSets"), .init(.expressionMedia, "CatalogSets"),
  ]
  /// The keywords: without and with their hierarchy.
  package static let keywords = MetadataName(
    xmp: flatKeywords + [.tagsList, .acdSeeCategories] + hierarchicalKeywords, iptc: [.keyword],
    exif: [ExifTag.windowsKeywords], movie: [apple + "keywords"])
  /// The names of people.
  package static let people = MetadataName(xmp: [.init(.iptcExtension, "PersonInImage")])
  /// The stars; Windows writes percentages, ACDSee its own ones.
  package static let rating = MetadataName(
    xmp: [
      .init(.xmp, "Rating"), .init(.windowsPhoto, "Rating"), .init(.exifToolWindowsPhoto, "Rating"),
      .acdSeeRating,
    ], exif: [ExifTag.rating, ExifTag.ratingPercent], movie: [apple + "rating.user"])
  /// The color label; some programs write numbers.
  package static let label = MetadataName(
    xmp: [.init(.xmp, "Label"), .darktableLabels, .digiKamLabel])
  /// The date and time of capture.
  ///
  /// The time of creation of a Matroska file is that of its last conversion.
  package static let date = MetadataName(
    xmp: [
      .init(.exif, "DateTimeOriginal"), .init(.photoshop, "DateCreated"),
      .init(.xmp, "CreateDate"),
    ], iptc: [.dateCreated, .timeCreated],
    movie: [
      apple + "creationdate", "DATE_RECORDED", "DATE_DIGITIZED", "©day", movieCreationTime, "date",
      "DATE",
    ])
  /// The key of videos with a time in UTC.
  package static let movieCreationTime = "creation_time"
  /// The coordinates of capture.
  package static let location = MetadataName(
    xmp: ["Latitude", "LatitudeRef", "Longitude", "LongitudeRef", "Altitude", "AltitudeRef"].map {
      .init(.exif, "GPS" + $0)
    }, movie: [apple + "location.ISO6709", "©xyz", "loci", "location"])
  /// The city of capture.
  package static let city = MetadataName(
    xmp: [.init(.photoshop, "City")], iptc: [.init(90, maximumBytes: 32)])
  /// The state or province of capture.
  package static let state = MetadataName(
    xmp: [.init(.photoshop, "State")], iptc: [.init(95, maximumBytes: 32)])
  /// The country of capture; IPTC has its code as well.
  package static let country = MetadataName(
    xmp: [.init(.photoshop, "Country")], iptc: [.init(101), .init(100, maximumBytes: 3)])
  /// The manufacturer of the camera.
  package static let make = MetadataName(
    exif: [ExifTag.make], movie: [apple + "make", "©mak"])
  /// The model of the camera.
  package static let model = MetadataName(
    exif: [ExifTag.model], movie: [apple + "model", "©mod"])
  /// The model of the lens.
  package static let lens = MetadataName(
    exif: [ExifTag.lensModel], movie: [apple + "camera.lens_model"])
  /// The ISO sensitivity.
  package static let iso = MetadataName(exif: [ExifTag.isoSpeed])
  /// The f-number.
  package static let fNumber = MetadataName(exif: [ExifTag.fNumber])
  /// The exposure time in seconds.
  package static let exposureTime = MetadataName(exif: [ExifTag.exposureTime])
  /// The focal length in millimeters.
  package static let focalLength = MetadataName(exif: [ExifTag.focalLength])
}

/// The name of a property in XMP.
package struct XMPName: Hashable, Sendable {
  /// The notation in which a text is written.
  package enum Form: Hashable, Sendable {
    case plain
    /// A list of the text in several languages.
    case languages
  }

  let namespace: XMPNamespace
  let name: String
  let form: Form

  /// Creates a name.
  package init(_ namespace: XMPNamespace, _ name: String, _ form: Form = .plain) {
    (self.namespace, self.name, self.form) = (namespace, name, form)
  }

  static let subject = XMPName(.dublinCore, "subject")
  static let hierarchicalSubject = XMPName(.lightroom, "hierarchicalSubject")
  static let tagsList = XMPName(.digiKam, "TagsList")
  static let acdSeeRating = XMPName(.acdSee, "rating")
  static let acdSeeCategories = XMPName(.acdSee, "categories")
  static let darktableLabels = XMPName(.darktable, "colorlabels")
  static let digiKamLabel = XMPName(.digiKam, "ColorLabel")
}

/// The name of a property in IPTC: a dataset of the application record.
package struct IPTCName: Hashable, Sendable {
  /// The number in the record, which is the second one.
  let number: Int
  /// The number of bytes to which a text is truncated.
  let maximumBytes: Int

  /// Creates a dataset.
  package init(_ number: Int, maximumBytes: Int = 64) {
    (self.number, self.maximumBytes) = (number, maximumBytes)
  }

  static let keyword = IPTCName(25)
  static let dateCreated = IPTCName(55, maximumBytes: 8)
  static let timeCreated = IPTCName(60, maximumBytes: 11)

  /// The record number times 256 plus the number in the record.
  var fullNumber: Int { 0x0200 + number }
}

/// The metadata of a still image in its three formats.
struct MetadataSources {
  let exif: TIFFStructure?
  let xmp: XMPPacket?
  let iptc: IPTCRecord?
  private let comments: [JPEGSegment]

  init(_ segments: [JPEGSegment]) {
    comments = segments.filter { $0.kind == .comment }
    exif = segments.first { $0.kind == .exif }.flatMap {
      TIFFStructure(exif: Array($0.payload.dropFirst(JPEGSegment.exifPrefixCount)))
    }
    xmp = segments.first { $0.kind == .xmp }.map {
      XMPPacket(payload: $0.payload).joined(withExtensionIn: segments)
    }
    iptc = IPTCRecord(photoshop: segments.filter { $0.kind == .photoshop }.map(\.payload))
  }

  /// Returns a text; XMP takes precedence over IPTC, IPTC over EXIF, and EXIF over a PNG's text.
  ///
  /// IPTC that was changed after XMP takes precedence over it.
  func text(_ name: MetadataName) -> String? {
    let others = exif?.text(name) ?? name.png.flatMap { text(ofPNG: $0) }.flatMap(name.ofPhoto)
    let ofXMP = xmp?.text(name)
    guard let iptc else { return ofXMP ?? others }
    guard iptc.isNewer else { return ofXMP ?? iptc.text(name, insteadOf: others) ?? others }
    return iptc.text(name, insteadOf: ofXMP ?? others) ?? ofXMP ?? others
  }

  /// Returns the first text with a keyword of PNG; its texts are comments here.
  func text(ofPNG keyword: String) -> String? {
    comments.lazy.compactMap { comment -> String? in
      let start = comment.payload.prefix(keyword.utf8.count + 1)
      guard String(decoding: start, as: UTF8.self).lowercased() == keyword.lowercased() + ":" else {
        return nil
      }
      return String(decoding: comment.payload.dropFirst(start.count), as: UTF8.self)
    }.first
  }

  /// The keywords without hierarchy, with the same precedence.
  var keywords: [String] {
    let ofXMP = xmp?.flatKeywords ?? []
    if let iptc, iptc.isNewer || ofXMP.isEmpty {
      let words = iptc.all(.keyword).prefix(XMPPacket.maximumItems).map { word in
        iptc.text(word, .keyword, insteadOf: ofXMP.first { $0.utf8.starts(with: word.utf8) })
      }
      if !words.isEmpty { return words }
    }
    return ofXMP.isEmpty ? exif?.keywords ?? [] : ofXMP
  }

  /// The stars from 0 to 5, or -1 for rejected.
  ///
  /// XMP without stars has none, whatever Windows wrote into EXIF.
  var stars: Int? {
    guard let stated = xmp?.text(MetadataName.rating.xmp[0]) else { return exif?.stars }
    return MetadataText.integer(stated).flatMap { (-1...5).contains($0) ? $0 : nil }
  }
}

extension XMPPacket {
  /// The keywords without hierarchy, under the first name that has some.
  fileprivate var flatKeywords: [String] {
    MetadataName.flatKeywords.lazy.map { items($0).compactMap { MetadataText.clean($0) } }
      .first { !$0.isEmpty } ?? []
  }

  /// Returns the text of a property under the first name that has one.
  ///
  /// Text of other programs could control a terminal.
  ///
  /// - Parameter isOwn: Whether photoedit wrote the packet; its text is returned unchanged.
  func text(_ name: MetadataName, isOwn: Bool = false) -> String? {
    let limit = isOwn ? SidecarMetadata.maximumBytes : XMPText.maximumCount
    return name.xmp.lazy.compactMap { text($0, limit: limit) }
      .compactMap { isOwn ? $0.isEmpty ? nil : $0 : name.ofPhoto($0) }.first
  }

  /// Returns the text of a simple property, or the first item of a list; nil if absent.
  func text(_ name: XMPName, limit: Int = XMPText.maximumCount) -> String? {
    text(name.namespace, name.name, limit: limit)
  }

  /// Returns the texts of the items of a list; a simple text counts as one item.
  func items(_ name: XMPName) -> [String] { items(name.namespace, name.name) }
}
