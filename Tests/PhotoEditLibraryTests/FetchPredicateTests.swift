// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Predicates and sort descriptors", .seeded)
struct FetchPredicateTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }

  init() throws { folder = try TestLibrary() }

  /// Options that include hidden assets and all assets of bursts.
  private static var everything: FetchOptions<Asset> {
    var options = FetchOptions<Asset>()
    options.includeHiddenAssets = true
    options.includeAllBurstAssets = true
    return options
  }

  @Test(.requirement("predicate-and-sort-keys"), arguments: [11, 12, 13, 14])
  func `the database and memory agree on random predicates, sort orders and limits`(
    seed: Int
  ) throws {
    var random = RandomPredicates<Asset>(seed: seed)
    _ = try folder.addAssets(60) { random.fill(&$1, $0) }
    let all = Array(try library.fetchAssets(Self.everything))
    #expect(all.count == 60)
    random.texts = all.compactMap(\.burstIdentifier)
    random.identifiers = all.map(\.localIdentifier)
    random.dates = all.compactMap(\.creationDate)
    for round in 0..<SeededNumbers.cases(500) {
      var options = Self.everything
      options.predicate = FetchPredicate(random.node(depth: 3))
      options.sortDescriptors = random.sorts()
      options.fetchLimit = random.number(4) == 0 ? 1 + random.number(20) : 0
      let found = try library.fetchAssets(options).map(\.row)
      let expected = options.apply(to: all).map(\.row)
      guard found == expected else {
        Issue.record("seed \(seed), round \(round): \(options.predicate as Any)")
        return
      }
      let predicate = try #require(options.predicate)
      let parsed = try FetchPredicate<Asset>(format: predicate.description)
      #expect(parsed == predicate, "seed \(seed), round \(round): \(predicate)")
    }
  }

  @Test(.requirement("predicate-and-sort-keys"), arguments: [21, 22])
  func `the database and memory agree on random predicates for albums`(seed: Int) throws {
    var random = RandomPredicates<AssetCollection>(seed: seed)
    let assets = try folder.addAssets(20) { i, record in
      record.creationDate = i % 4 == 0 ? nil : Date(timeIntervalSince1970: Double(i % 7))
      record.isHidden = i % 5 == 0
    }
    for title in NaughtyStrings.some {
      _ = try folder.addAlbum(title, assets.filter { _ in random.number(6) == 0 })
    }
    let all = Array(try library.fetchAssetCollections(with: .album))
    #expect(all.map(\.localizedTitle) == NaughtyStrings.some)
    random.texts = all.compactMap(\.localizedTitle)
    random.identifiers = all.map(\.localIdentifier)
    random.dates = all.compactMap(\.startDate)
    for round in 0..<SeededNumbers.cases(200) {
      let options = FetchOptions(
        predicate: FetchPredicate<AssetCollection>(random.node(depth: 3)),
        sortDescriptors: random.sorts())
      let found = try library.fetchAssetCollections(with: .album, options: options).compactMap(
        \.row)
      guard found == options.apply(to: all).compactMap(\.row) else {
        Issue.record("seed \(seed), round \(round): \(options.predicate as Any)")
        return
      }
      let predicate = try #require(options.predicate)
      #expect(try FetchPredicate(format: predicate.description) == predicate, "\(predicate)")
    }
  }

  @Test(.requirement("predicate-and-sort-keys"))
  func `typed keys match the expected assets`() throws {
    let date = Date(timeIntervalSince1970: 100)
    let assets = try folder.addAssets(4) { i, record in
      record.creationDate = [nil, date, date + 1, date - 1][i]
      record.mediaSubtypes = [[], .photoLive, [.photoHDR, .photoLive], .photoHDR][i]
      (record.pixelWidth, record.pixelHeight) = (i, 2)
      record.isFavorite = i == 2
      record.duration = Double(i) / 2
    }
    func found(_ predicate: FetchPredicate<Asset>) throws -> [Int] {
      try library.fetchAssets(FetchOptions(predicate: predicate)).compactMap {
        assets.firstIndex(of: $0)
      }
    }
    #expect(try found(AssetKey.creationDate > date) == [2])
    #expect(try found(AssetKey.creationDate >= date && AssetKey.isFavorite == false) == [1])
    #expect(try found(AssetKey.creationDate != date) == [2, 3])
    #expect(try found(!(AssetKey.creationDate == date)) == [2, 3])
    #expect(try found(AssetKey.creationDate.isNil) == [0])
    #expect(try found(AssetKey.creationDate.isBetween((date - 1)...date)) == [1, 3])
    #expect(try found(AssetKey.mediaSubtypes.contains([.photoHDR, .photoLive])) == [2])
    #expect(try found(AssetKey.mediaSubtypes.intersects([.photoHDR, .photoLive])) == [1, 2, 3])
    #expect(try found(AssetKey.pixelWidth > AssetKey.pixelHeight) == [3])
    #expect(try found(AssetKey.pixelWidth.isIn([0, 3]) || AssetKey.duration < 0.6) == [0, 1, 3])
    #expect(try found(AssetKey.localIdentifier == assets[1]) == [1])
    #expect(try found(AssetKey.localIdentifier.isIn([assets[0], assets[3]])) == [0, 3])
    #expect(try found(AssetKey.localIdentifier != "nobody").count == 4)
    #expect(try found(AssetKey.duration == .nan).isEmpty)
    #expect(try found(AssetKey.duration != .nan).count == 4)
    #expect(try found(AssetKey.pixelWidth.isIn([])).isEmpty)
  }

  @Test(.requirement("predicate-and-sort-keys"))
  func `predicates are parsed from common text forms`() throws {
    typealias P = FetchPredicate<Asset>
    let date = Date(timeIntervalSince1970: 1_700_000_000)
    let image = AssetKey.mediaType == .image
    #expect(try P(format: "mediaType == %d", [1]) == image)
    #expect(
      try P(format: "mediaType = %d and isFavorite == YES", [.init(MediaType.image)])
        == (image && AssetKey.isFavorite == true))
    #expect(
      try P(format: "NOT(hidden=1)||favorite == NO")
        == (!(AssetKey.isHidden == true) || AssetKey.isFavorite == false))
    #expect(
      try P(format: "(mediaSubtypes & %d) != 0", [8])
        == AssetKey.mediaSubtypes.intersects(.photoLive))
    #expect(
      try P(format: "((mediaSubtypes & 8) == 8)") == AssetKey.mediaSubtypes.contains(.photoLive))
    #expect(try P(format: "creationDate > %@", [.date(date)]) == (AssetKey.creationDate > date))
    #expect(
      try P(format: "creationDate > '2023-11-14T22:13:20Z'") == (AssetKey.creationDate > date))
    #expect(
      try P(format: "creationDate > '2023-11-14 23:13:20.0+01:00'")
        == (AssetKey.creationDate > date))
    #expect(
      try P(format: "creationDate > CAST(721692800, \"NSDate\")") == (AssetKey.creationDate > date))
    #expect(
      try P(format: "%K BETWEEN %@", ["pixelWidth", [1, 2]]) == AssetKey.pixelWidth.isBetween(1...2)
    )
    #expect(try P(format: "5 < pixelWidth") == (AssetKey.pixelWidth > 5))
    #expect(try P(format: "creationDate != nil") == AssetKey.creationDate.isNotNil)
    #expect(
      try P(format: "SELF IN %@", [["a", "b"]])
        == AssetKey.localIdentifier.isIn([FetchIdentifier("a"), FetchIdentifier("b")]))
    #expect(
      try P(format: "burstIdentifier BEGINSWITH[c] \"a\\\"b\"")
        == AssetKey.burstIdentifier.beginsWith("a\"b", ignoringCase: true))
    #expect(
      try FetchPredicate<AssetCollection>(format: "title LIKE '*x?' AND estimatedAssetCount >= 2")
        == (AssetCollectionKey.localizedTitle.isLike("*x?")
          && AssetCollectionKey.estimatedAssetCount >= 2))
    #expect(try P(format: "TRUEPREDICATE") == P(always: true))
  }

  @Test(
    .requirement("predicate-and-sort-keys"),
    arguments: [
      ("creationDat > 5", "creationDate"), ("addedDate > 5", "\"addedDate\" at character 1"),
      ("mediaType == 1 AND titel == 'x'", "at character 20"), ("mediaType ==", "unexpected end"),
      ("", "unexpected end"), ("mediaType == 'x'", "a number"), ("favorite > YES", "==, != and IN"),
      ("favorite == 2", "YES, NO, 1 or 0"), ("creationDate > 'yesterday'", "ISO 8601"),
      ("creationDate > '2023-02-30'", "ISO 8601"), ("pixelWidth == %d", "takes 1 arguments"),
      ("mediaType == 1 mediaType", "AND, OR or the end"), ("(mediaType == 1", "\")\""),
      ("burstIdentifier CONTAINS[d] 'a'", "ignores the case"),
      ("burstIdentifier MATCHES 'a'", "LIKE"),
      ("mediaType IN 5", "a list"), ("pixelWidth BETWEEN {1}", "list of two"),
      ("burstIdentifier == 'a", "closing quote"), ("(pixelWidth & 4) != 0", "pixelWidth cannot"),
      ("mediaType == 1; DROP TABLE asset", "\";\""), ("1 == 1", "a key on one side"),
      ("pixelWidth == burstIdentifier", "a number"), ("creationDate > NULL", "a date"),
      ("ANY x == 1", "unknown key \"x\""), ("pixelWidth == é", "\"é\""),
      ("mediaType == 1.2.3", "invalid number"),
      ("SUBQUERY(a, b, c)", "\"SUBQUERY\""), ("mediaType[c] == 1", "=="),
      ("pixelWidth =[c] 1", "[c]"), ("mediaType IN {{1}}", "nested list"),
    ])
  func `invalid predicate text is rejected with reason or position`(text: String, part: String) {
    let error = #expect(throws: LibraryError.self) { try FetchPredicate<Asset>(format: text) }
    #expect(error?.code == .changeNotSupported)
    #expect(error?.description.contains(part) == true, "\(error.map { "\($0)" } ?? "")")
  }

  @Test(.requirement("predicate-and-sort-keys"))
  func `an undocumented sort key is rejected`() throws {
    #expect(try FetchSort<Asset>(key: "isFavorite") == FetchSort(AssetKey.isFavorite))
    for key in ["addedDate", "SELF", "keyword", "text", "id", "uuid; --", ""] {
      let error = #expect(throws: LibraryError.self) { try FetchSort<Asset>(key: key) }
      #expect(error?.code == .changeNotSupported)
    }
  }

  @Test(.requirement("predicate-and-sort-keys"))
  func `predicates have limited depth, length and number of values`() throws {
    typealias P = FetchPredicate<Asset>
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "mediaType == 1" + String(repeating: ")", count: count)
    }
    _ = try P(format: nested(63))
    func repeated(_ text: String) -> String { String(repeating: text, count: 100_000) }
    for text in [
      nested(64), nested(100_000), repeated("!"), repeated("NOT "), "mediaType == " + repeated("("),
      "creationDate > " + repeated("CAST("), "creationDate > " + repeated("CAST({"),
      "mediaType IN " + repeated("{"), "(mediaSubtypes & " + repeated("("),
      repeated("-"), repeated("mediaType == 1 OR "),
    ] {
      #expect(throws: LibraryError.self) { try P(format: text) }
    }
    #expect(throws: LibraryError.self) { try P(format: String(repeating: " ", count: 1 << 21)) }
    var deep = AssetKey.mediaType == .image
    for _ in 0..<70 { deep = !deep }
    #expect(throws: LibraryError.self) { try library.fetchAssets(FetchOptions(predicate: deep)) }
    _ = try folder.addAssets(3) { $1.pixelWidth = $0 }
    // Long chains are wide and not deep.
    var chain = AssetKey.pixelWidth == -1
    for i in 0..<5000 { chain = chain || AssetKey.pixelWidth == i * 2 }
    #expect(try library.fetchAssets(FetchOptions(predicate: chain)).count == 2)
    let many = AssetKey.pixelWidth.isIn(0..<29_000)
    #expect(try library.fetchAssets(FetchOptions(predicate: many)).count == 3)
    let tooMany = AssetKey.pixelWidth.isIn(0..<31_000)
    #expect(throws: LibraryError.self) {
      try library.fetchAssets(FetchOptions(predicate: tooMany))
    }
    let long = AssetKey.burstIdentifier.isLike(String(repeating: "*a", count: 20_000))
    #expect(throws: LibraryError.self) { try library.fetchAssets(FetchOptions(predicate: long)) }
  }

  @Test(.requirement("predicate-and-sort-keys"))
  func `text from callers never becomes part of an SQL statement`() throws {
    let asset = try folder.addAsset()
    for text in NaughtyStrings.all {
      let album = try folder.addAlbum(text, [asset])
      let isTitle = FetchOptions(predicate: AssetCollectionKey.localizedTitle == text)
      let found = try library.fetchAssetCollections(with: .album, options: isTitle)
      #expect(found.contains(album) && found.allSatisfy { $0.localizedTitle == text })
      let read = try FetchPredicate<AssetCollection>(format: "title == %@", [.text(text)])
      #expect(read == isTitle.predicate)
      _ = try library.fetchAssets(withBurstIdentifier: text)
      _ = try library.fetchAssets(withLocalIdentifiers: [text])
    }
    #expect(try library.fetchAssets().count == 1)
  }

  /// Nested in options, with the type inferred, this form once crashed the compiler.
  @Test(.requirement("predicate-and-sort-keys"))
  func `arguments are given one by one as in PhotoKit`() throws {
    let date = Date(timeIntervalSince1970: 100)
    _ = try folder.addAssets(3) { i, record in
      record.title = i == 1 ? "Harbor" : nil
      record.creationDate = date.addingTimeInterval(Double(i))
    }
    let found = try library.fetchAssets(
      FetchOptions(predicate: FetchPredicate(format: "mediaType == %d", MediaType.image)))
    #expect(found.count == 3)
    let title = "Harbor"
    let options = try FetchOptions<Asset>(
      predicate: FetchPredicate(
        format: "title == %@ AND creationDate > %@ AND favorite == %@ AND pixelWidth IN %@", title,
        date, false, FetchArgument.list([0, 64, 100])),
      sortDescriptors: [FetchSort(AssetKey.creationDate)], includeHiddenAssets: true,
      includeAllBurstAssets: true, includeAssetSourceTypes: .userLibrary, fetchLimit: 2,
      wantsIncrementalChangeDetails: false)
    #expect(
      try options.predicate
        == FetchPredicate(
          format: "title == %@ AND creationDate > %@ AND favorite == %@ AND pixelWidth IN %@",
          [.text(title), .date(date), false, [0, 64, 100]]))
    let listed = try library.fetchAssets(options)
    #expect(listed.map(\.title) == ["Harbor"])
    #expect(throws: LibraryError.self) {
      try FetchPredicate<Asset>(format: "title == %@", title, 1)
    }
  }

  @Test(.requirement("predicate-and-sort-keys"))
  func `random predicate text is either parsed or rejected`() throws {
    var numbers = SeededNumbers(5)
    let words = [
      "mediaType == 1", "NOT (hidden == YES)", "(mediaSubtypes & 8) != 0", "pixelWidth IN {1, 2}",
      "mediaType", "==", "1", "(", ")", "AND", "NOT", "{", "}", "%d", "'", "&", "IN", "-", "CAST",
      "mediaSubtypes", "!=", "0", "\u{301}", "\0", "NULL", "SELF", ",", "\"NSDate\"", "[c]",
      "1e999",
    ]
    var readable = 0
    for _ in 0..<SeededNumbers.cases(3000) {
      let text = (0..<Int.random(in: 1...9, using: &numbers))
        .map { _ in words.randomElement(using: &numbers) ?? "" }.joined(separator: " ")
      do throws(LibraryError) {
        let predicate = try FetchPredicate<Asset>(
          format: text,
          Array(
            repeating: 1,
            count: text.split(separator: "%d", omittingEmptySubsequences: false).count - 1))
        readable += 1
        _ = predicate.description
      } catch { #expect(error.code == .changeNotSupported) }
    }
    #expect(readable > 0)
  }
}

/// Strings that often break programs: built-in ones, and a public list if it is available.
enum NaughtyStrings {
  static let some = [
    "", "a", "A", "b'; DROP TABLE asset; --", "\"", "\\", "%", "_", "*", "?", "[a]", "a*b", "é",
    "e\u{301}",
    "É", "👩‍👩‍👧", "\u{202E}abc", "\u{0}", "a\u{0}b", "NULL", "1e999", "ﬀ", "\n", "{}",
  ]

  static let all: [String] = {
    guard let corpora = Corpora.path,
      let text = try? String(contentsOfFile: corpora + "/naughty-strings/blns.txt", encoding: .utf8)
    else { return some }
    return some + text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
  }()
}
