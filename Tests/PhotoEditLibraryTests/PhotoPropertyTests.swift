// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// Each property of the catalog in every place where a property is kept.
///
/// A property without values in `PropertySamples` fails here.
@Suite("Properties of photos")
struct PhotoPropertyTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The properties that a user can set, and that exported files state.
  private static let settable = PhotoProperties.stated.filter { !$0.field.isEmpty }
  private static let plain = PhotoProperties(originalFilename: "", addedAt: Date())

  /// Adds a photo with its file and the given properties.
  private func addPhoto(_ samples: PropertySamples?) throws -> Asset {
    let insertion = PhotoInsertion(
      library.library.layout, "a.jpg", try TestImages.bytes("jpeg-17x31.jpg"),
      at: library.library.configuration.clock())
    samples?.apply(to: &insertion.record)
    try library.library.performChangesAndWait { try $0.add(insertion) }
    return try #require(try library.asset(insertion.identifier.description))
  }

  /// Compares properties with samples.
  private func compare(
    _ found: PhotoProperties, _ samples: PropertySamples, _ properties: [PhotoProperty],
    _ place: String
  ) {
    var expected = Self.plain
    samples.apply(to: &expected)
    for property in properties {
      let (value, sample) = (property.json(found), property.json(expected))
      #expect(value == sample, "\(property.name): \(place)")
    }
  }

  @Test func `every property that is stated has two samples`() {
    var (first, second) = (Self.plain, Self.plain)
    PropertySamples.first.apply(to: &first)
    PropertySamples.second.apply(to: &second)
    for property in PhotoProperties.stated {
      let values = [Self.plain, first, second].map { property.values($0) }
      #expect(values[0] != values[1], "\(property.name) has no sample")
      // A flag has no third value.
      let isFlag = property.json(Self.plain) == false
      #expect(values[1] != values[2] || isFlag, "\(property.name) has one sample")
    }
    let columns = PhotoProperties.columns
    #expect(Set(columns).count == columns.count)
    for property in PhotoProperties.catalog {
      #expect(property.columns.count == property.values(first).count)
    }
  }

  @Test func `a row, its history, its manifest and a rebuilt database have every property`() throws
  {
    let asset = try addPhoto(.first)
    compare(asset.properties, .first, PhotoProperties.stated, "the row")
    let earlier = try library.library.fetchAssets(FetchOptions<Asset>.complete)
    try library.library.performChangesAndWait { changes in
      try PropertySamples.second.set(in: changes.change(asset))
    }
    // Objects are read when they are first used, here from the history.
    compare(earlier[0].properties, .first, PhotoProperties.stated, "the history")
    let changed = try #require(try library.asset(asset.localIdentifier))
    compare(changed.properties, .second, Self.settable, "the row after a change")
    #expect(changed.properties.userFields?.isSuperset(of: [.date, .title, .keywords]) == true)
    try library.library.synchronize()
    for suffix in ["", "-wal", "-shm"] {
      try FileSystem.remove(library.library.layout.database + suffix)
    }
    #expect(try LibraryRepair().run(at: library.library.url).isSound)
    let rebuilt = try PhotoLibrary(at: library.library.url)
    let again = try rebuilt.fetchAssets(FetchOptions<Asset>.complete)
    #expect(again.map(\.properties) == [changed.properties])
  }

  @Test func `reports and predicates have every property`() throws {
    let asset = try addPhoto(.first)
    let report = asset.report
    for property in PhotoProperties.stated {
      #expect(report[property.name] == property.json(asset.properties) && property.isReported)
    }
    for property in PhotoProperties.catalog {
      guard let key = property.key, let sql = Asset.source.expressions[key.name] else { continue }
      let stored = try library.library.read { database throws(LibraryError) in
        try database.first("SELECT \(sql) FROM asset WHERE id = ?", [.integer(asset.row)]) {
          $0.value(0)
        }
      }
      #expect(stored == Asset.source.value(asset, key), "\(key.name)")
    }
    for property in PhotoProperties.stated where property.isSearchable {
      let text = try #require(property.values(asset.properties).first)
      guard case .text(let words) = text else {
        Issue.record("\(property.name) is no text")
        continue
      }
      var options = FetchOptions<Asset>.complete
      options.predicate = .words(words)
      #expect(try library.library.fetchAssets(options).map { $0 } == [asset], "\(property.name)")
    }
  }

  @Test func `nothing that is stated is left of a purged asset`() throws {
    let asset = try addPhoto(.first)
    try library.library.performChangesAndWait { changes in
      try PropertySamples.second.set(in: changes.change(asset))
    }
    try library.library.performChangesAndWait { try $0.delete([asset]) }
    try library.library.performChangesAndWait { try $0.purge([asset]) }
    // These determine whether an earlier state of the library contains the asset.
    let kept: Set = ["favorite", "hidden"]
    for table in ["asset", "assetHistory"] {
      for property in PhotoProperties.stated where !kept.contains(property.name) {
        let empty = property.columns.map { "\($0) IS NULL" }.joined(separator: " AND ")
        let rows = try library.library.read { database throws(LibraryError) in
          try database.integers(
            "SELECT count(*) FROM \(table) WHERE id = ? AND NOT (\(empty))", [.integer(asset.row)])
        }
        #expect(rows == [0], "\(property.name) in \(table)")
      }
    }
  }

  // MARK: Files

  @Test func `an XMP sidecar states everything that a user can set`() throws {
    let asset = try addPhoto(.first)
    let bytes = try library.library.sidecar(of: asset, [], isComplete: true)
    let metadata = try #require(SidecarMetadata(bytes))
    var read = Self.plain
    read.apply(metadata, offset: nil)
    compare(read, .first, Self.settable, "XMP")
  }

  @Test func `an exported photo states everything that a user can set`() throws {
    let asset = try addPhoto(.first)
    let target = try TemporaryFolder()
    _ = try library.export([asset], to: target)
    let other = try TestLibrary()
    #expect(Importer(other.library).run([target.path]).assetCount == 1)
    let again = try #require(try other.assets().first)
    // No file format of other programs has these; a favorite is a rating there.
    let properties = Self.settable.filter { !["favorite", "hidden"].contains($0.name) }
    compare(again.properties, .first, properties, "the metadata of the file")
  }

  @Test func `values of the user take precedence over files`() throws {
    try write(try ImageFile().jpeg(), "a.jpg")
    #expect(run().assetCount == 1)
    let asset = try #require(try library.assets().first)
    try library.library.performChangesAndWait { changes in
      try PropertySamples.first.set(in: changes.change(asset))
    }
    var metadata = SidecarMetadata(try addPhoto(.second))
    metadata.isComplete = true
    let packet = metadata.xmp(identifier: asset.localIdentifier, keeping: nil)
    try write(packet, "a.xmp")
    let report = run { $0.updatesMetadata = true }
    #expect(outcomes(report)["a.xmp"] == .attached)
    let updated = try #require(try library.asset(asset.localIdentifier))
    compare(updated.properties, .first, Self.settable, "after an import of XMP")
  }

  // MARK: Duplicates

  @Test func `merging loses no property, and reports which of two values is given up`() throws {
    let (plain, full) = (try addPhoto(nil), try addPhoto(.first))
    try library.library.performChangesAndWait { try $0.merge([full], into: plain) }
    let merged = try #require(try library.asset(plain.localIdentifier))
    let gained = PhotoProperties.stated.filter { $0.merging != .kept || $0.name == "utcOffset" }
    compare(merged.properties, .first, gained, "merging with an asset that has everything")
    let other = try addPhoto(.second)
    let group = DuplicateSearch.Group(keeper: merged, duplicates: [other])
    let conflicts = Set(group.conflicts.map(\.property))
    #expect(
      conflicts == [
        "creationDate", "location", "title", "caption", "rating", "label", "camera", "lens", "iso",
        "fNumber", "focalLength",
      ])
    try library.library.performChangesAndWait { try $0.merge([other], into: merged) }
    let again = try #require(try library.asset(plain.localIdentifier))
    let lists = ["keywords", "people"]
    compare(
      again.properties, .first, gained.filter { !lists.contains($0.name) },
      "merging with other values")
    #expect(again.keywords.count == 4 && again.people.count == 2)
  }

  @Test func `merging more keywords than one asset may have is refused`() throws {
    let assets = [try addPhoto(nil), try addPhoto(nil)]
    try library.library.performChangesAndWait { changes in
      for (number, asset) in assets.enumerated() {
        try changes.change(asset).setKeywords((0..<150).map { "\(number) \($0)" })
      }
    }
    #expect(throws: LibraryError.self) {
      try library.library.performChangesAndWait { try $0.merge([assets[1]], into: assets[0]) }
    }
    #expect(try library.assets().map(\.keywords.count) == [150, 150])
  }

  // MARK: Limits

  @Test func `a text that is too long is refused, or its shortening is reported`() throws {
    let long = String(repeating: "word ", count: ObjectText.maximumBytes / 5 + 100)
    let asset = try addPhoto(nil)
    for set in [AssetChangeRequest.setTitle, AssetChangeRequest.setCaption] {
      #expect(throws: LibraryError.self) {
        try library.library.performChangesAndWait { try set($0.change(asset))(long) }
      }
    }
    let whole = String(long.prefix(60_000))
    for (name, text) in [("long", long), ("whole", whole)] {
      var file = ImageFile()
      file.exif = [.text(0x9003, "1999:01:01 00:00:00")]
      try write(try file.jpeg(name.count), name + ".jpg")
      try write(
        Array(ImageFile.packet("dc:description=\"\(text)\"").utf8),
        name + ".xmp")
    }
    let report = run()
    let note = lines(report)["long.jpg"]?.reason
    #expect(note?.contains("its caption is shortened to") == true)
    #expect(lines(report)["whole.jpg"]?.reason == nil)
    let captions = Dictionary(
      try library.assets().map { ($0.originalFilename, $0.caption?.utf8.count ?? 0) },
      uniquingKeysWith: { $1 })
    #expect(captions["long.jpg"] == ObjectText.maximumBytes)
    #expect((captions["whole.jpg"] ?? 0) >= 59_999)
  }
}

/// A value of each property that files or the user state, different in every set.
struct PropertySamples {
  private let number: Int

  static let first = PropertySamples(number: 1)
  static let second = PropertySamples(number: 2)

  private var name: String { number == 1 ? "qxone" : "qxtwo" }
  private var date: Date { Date(timeIntervalSince1970: 1_500_000_000 + Double(number) * 100_000) }
  private var offset: Int { 3600 * number }
  private var location: LocationCoordinate? {
    LocationCoordinate(latitude: 40 + Double(number), longitude: 9.5, altitude: 100)
  }
  private var keywords: [String] { ["Places/" + name, name + " harbor"] }
  private var label: Asset.Label { number == 1 ? .red : .blue }

  func apply(to properties: inout PhotoProperties) {
    (properties.creationDate, properties.utcOffset) = (date, offset)
    properties.location = location
    (properties.isFavorite, properties.isHidden) = (true, true)
    (properties.title, properties.caption) = (name + "title", name + "caption\nof two lines")
    properties.keywords = keywords
    properties.people = [name + "person"]
    (properties.rating, properties.label) = (2 + number, label)
    properties.regions = [
      Asset.Region(
        kind: .face, name: name + "region", x: 0.5, y: 0.25, width: 0.125,
        height: Double(number) / 8
      )
    ]
    properties.place = name + "place"
    (properties.camera, properties.lens) = (name + "camera", name + "lens")
    (properties.iso, properties.fNumber) = (100 * number, 2.5 * Double(number))
    properties.focalLength = 35 * Double(number)
  }

  /// Sets what a user can set.
  func set(in request: AssetChangeRequest) throws {
    try request.setCreationDate(date, utcOffset: offset)
    try request.setLocation(location)
    try request.setFavorite(true)
    try request.setHidden(true)
    try request.setTitle(name + "title")
    try request.setCaption(name + "caption\nof two lines")
    try request.setKeywords(keywords)
    try request.removePeople(["qxoneperson", "qxtwoperson"])
    try request.addPeople([name + "person"])
    try request.setRating(2 + number)
    try request.setLabel(label)
  }
}
