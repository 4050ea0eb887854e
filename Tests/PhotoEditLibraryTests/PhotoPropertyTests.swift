// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditCodecs
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
  /// No file format of other programs has these; a favorite is a rating there.
  private static let ownNames: Set = ["favorite", "hidden"]
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

  @Test func `every property that is stated has two samples and its columns`() throws {
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
    let stored = try library.library.read { database throws(LibraryError) in
      try ["asset", "assetHistory"].map { table throws(LibraryError) in
        try database.all("SELECT name || ' ' || type FROM pragma_table_info('\(table)')", []) {
          $0.text(0)
        }
      }
    }
    for property in PhotoProperties.catalog {
      for column in property.columns.map({ "\($0) \(property.columnType.rawValue)" }) {
        #expect(stored.allSatisfy { $0.contains(column) }, "\(column)")
      }
    }
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
    let metadata = try #require(SidecarMetadata(bytes, texts: PhotoProperties.textNames))
    var read = Self.plain
    read.adopt(metadata, offset: nil)
    compare(read, .first, Self.settable, "XMP")
    let packet = XMPPacket(bytes)
    for property in Self.settable where !Self.ownNames.contains(property.name) {
      let name = try #require(property.names.first?.xmp.first, "\(property.name)")
      #expect(packet.text(name)?.isEmpty == false, "\(property.name)")
    }
  }

  @Test func `a text is read under its name in each format`() throws {
    var expected: [String: (path: PhotoProperty.TextPath, text: String)] = [:]
    for (index, (_, name, path)) in PhotoProperties.texts.enumerated() {
      func add(_ format: String, _ change: (inout ImageFile, String) throws -> [UInt8]) throws {
        let text = "\(format) \(index)"
        var file = ImageFile()
        try write(try change(&file, text), text + ".jpg")
        expected[text + ".jpg"] = (path, text)
      }
      if let xmp = name.xmp.first {
        try add("XMP") { file, text in
          file.xmp = "\(xmp.namespace.usualPrefix):\(xmp.name)=\"\(text)\""
          return try file.jpeg()
        }
      }
      for tag in name.exif {
        try add("EXIF \(tag)") { file, text in
          if tag == ExifTag.userComment {
            file.exif = [.blob(tag, Array("ASCII\0\0\0".utf8) + Array(text.utf8))]
          } else {
            file.main = [ExifTag.ofWindows.contains(tag) ? .windows(tag, text) : .text(tag, text)]
          }
          return try file.jpeg()
        }
      }
      if let dataset = name.iptc.first {
        try add("IPTC") { file, text in
          let value = Array(text.utf8)
          let record = [0x1C, 2, UInt8(dataset.number)] + ImageFile.big(value.count, 2) + value
          let payload =
            Array("Photoshop 3.0\u{0}8BIM".utf8) + [4, 4, 0, 0] + ImageFile.big(record.count, 4)
            + record + (record.count % 2 == 0 ? [] : [0])
          let jpeg = try file.jpeg()
          return Array(jpeg[..<2]) + [0xFF, 0xED] + ImageFile.big(payload.count + 2, 2) + payload
            + jpeg[2...]
        }
      }
    }
    #expect(run().assetCount == expected.count)
    for asset in try library.assets() {
      let (path, text) = try #require(expected[asset.originalFilename])
      #expect(asset.properties[keyPath: path] == text)
    }
  }

  @Test func `an exported photo states everything that a user can set`() throws {
    let asset = try addPhoto(.first)
    let target = try TemporaryFolder()
    _ = try library.export([asset], to: target)
    let other = try TestLibrary()
    #expect(Importer(other.library).run([target.path]).assetCount == 1)
    let again = try #require(try other.assets().first)
    let properties = Self.settable.filter { !Self.ownNames.contains($0.name) }
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
    metadata.provenance = .own
    let packet = metadata.xmp(identifier: asset.localIdentifier, keeping: nil)
    try write(packet, "a.xmp")
    let report = run { $0.updatesMetadata = true }
    #expect(outcomes(report)["a.xmp"] == .attached)
    let updated = try #require(try library.asset(asset.localIdentifier))
    compare(updated.properties, .first, Self.settable, "after an import of XMP")
  }

  @Test func `only texts that a user may set are set by their key path`() throws {
    let asset = try addPhoto(nil)
    for path in [\PhotoProperties.place, \.camera, \.lens, \.burstIdentifier] {
      #expect(throws: LibraryError.self) {
        try library.library.performChangesAndWait { try $0.change(asset).set(path, to: "text") }
      }
    }
    try library.library.performChangesAndWait { changes in
      for text in PhotoProperties.texts { try changes.change(asset).set(text.path, to: text.name) }
    }
    let changed = try #require(try library.asset(asset.localIdentifier))
    for text in PhotoProperties.texts {
      #expect(changed.properties[keyPath: text.path] == text.name)
    }
  }

  // MARK: Precedence

  @Test func `the value of the higher source holds, and a lower one fills gaps`() throws {
    let samples = [Self.plain, try addPhoto(.first).properties, try addPhoto(.second).properties]
    let sources: [Provenance] = [
      .supplement, .description, .file, .packet, .library, .own, .files, .user,
    ]
    #expect(sources == sources.sorted())
    for property in PhotoProperties.stated {
      for (low, lower) in sources.enumerated() {
        for higher in sources[low...] {
          for (known, stated) in [(1, 2), (1, 0), (0, 2)] {
            var result = samples[known]
            let holds = property.adopt(samples[stated], from: higher, into: &result, of: lower)
            #expect(holds == (stated != 0 || higher.isComplete(for: property)))
            #expect(property.values(result) == property.values(samples[holds ? stated : known]))
            guard higher != lower else { continue }
            result = samples[known]
            let fills = property.adopt(samples[stated], from: lower, into: &result, of: higher)
            #expect(fills == (known == 0 && higher != .user), "\(property.name): \(lower)")
          }
        }
      }
    }
  }

  @Test(arguments: [nil, []] as [AssetFields?])
  func `an asset without a record of what was set keeps what differs from its files`(
    fields: AssetFields?
  ) throws {
    var known = try addPhoto(.first).properties
    let files = known
    known.userFields = fields
    known.title = "other"
    for property in PhotoProperties.stated {
      let isSet = fields == nil && property.name == "title"
      #expect(known.source(of: property, files: files) == (isSet ? .user : .files))
    }
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
      conflicts.subtracting(PhotoProperties.texts.map(\.name)) == [
        "creationDate", "location", "rating", "label", "camera", "lens", "iso", "fNumber",
        "focalLength", "exposureTime",
      ])
    #expect(conflicts.isSuperset(of: PhotoProperties.texts.map(\.name)))
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
    for text in PhotoProperties.texts {
      let error = #expect(throws: LibraryError.self) {
        try library.library.performChangesAndWait { try $0.change(asset).set(text.path, to: long) }
      }
      #expect(error?.message.contains("the \(text.name) has") == true)
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

  private func value(
    of text: (name: String, metadata: MetadataName, path: PhotoProperty.TextPath)
  ) -> String {
    name + text.name + (text.metadata.hasLines ? "\nof two lines" : "")
  }

  func apply(to properties: inout PhotoProperties) {
    (properties.creationDate, properties.utcOffset) = (date, offset)
    properties.location = location
    (properties.isFavorite, properties.isHidden) = (true, true)
    for text in PhotoProperties.texts { properties[keyPath: text.path] = value(of: text) }
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
    properties.exposureTime = 0.125 * Double(number)
  }

  /// Sets what a user can set.
  func set(in request: AssetChangeRequest) throws {
    try request.setCreationDate(date, utcOffset: offset)
    try request.setLocation(location)
    try request.setFavorite(true)
    try request.setHidden(true)
    for text in PhotoProperties.texts { try request.set(text.path, to: value(of: text)) }
    try request.setKeywords(keywords)
    try request.removePeople(["qxoneperson", "qxtwoperson"])
    try request.addPeople([name + "person"])
    try request.setRating(2 + number)
    try request.setLabel(label)
  }
}
