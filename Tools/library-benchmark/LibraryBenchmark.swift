// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditLibrary
import PhotoEditSQLite

/// Creates a large library and measures typical queries.
struct LibraryBenchmark {
  let url: URL
  let count: Int
  let library: PhotoLibrary
  /// The program that is measured as a user runs it.
  let program: String

  init(place: String, count: Int, program: String) throws {
    self.program = program
    url = URL(filePath: place)
    self.count = count
    library = try PhotoLibrary.create(at: url)
  }

  func run(_ measure: inout Measure) throws {
    try compareInsertion(&measure)
    try fill()
    try measureOpening(&measure)
    try measureFetches(&measure)
    try measureSorts(&measure)
    try measurePredicates(&measure)
    try measureSearch(&measure)
    try measureAlbum(&measure)
    try measureChanges(&measure)
    try measureLatency(&measure)
    try measureHistory(&measure)
    try measureImages(&measure)
    try measureCompletion(&measure)
    try measureImportAndExport(&measure)
  }

  /// Inserts rows through commits and by the same statement in SQLite alone, alternately.
  private func compareInsertion(_ measure: inout Measure) throws {
    let raw = try PhotoLibrary.create(at: URL(filePath: url.path + "-raw"))
    defer { try? FileManager.default.removeItem(atPath: raw.url.path) }
    let connection = try Connection(raw.url.path + "/library.db", .readWrite)
    try connection.execute("PRAGMA synchronous = FULL; PRAGMA cache_size = -64000")
    try connection.run("INSERT INTO change (date) VALUES (0)")
    var generators = (Generator(seed: 1), Generator(seed: 1))
    var own = 0.0
    var theirs = 0.0
    for block in 0..<40 {
      let numbers = block * 1000..<(block + 1) * 1000
      let first = numbers.map { generators.0.record($0) }
      let second = numbers.map { generators.1.record($0) }
      own += try Measure.seconds { try library.insertRows(first) }
      theirs += try Measure.seconds {
        try connection.transaction(isWriting: true, wrap: { $0 }) { () throws(DatabaseError) in
          for record in second {
            let (sql, values) = PhotoLibrary.insertion(record)
            try connection.run(sql, values)
          }
        }
      }
    }
    measure.add(
      "rows of assets, relative to SQLite alone", theirs / own, "×", limit: 0.5, isRate: true)
    measure.add("rows of assets", 40_000 / own, "per second", limit: nil)
  }

  private func fill() throws {
    var generator = Generator(seed: 2)
    var next = 40_000
    while next < count {
      let end = min(next + 20_000, count)
      try library.insertRows((next..<end).map { generator.record($0) })
      next = end
    }
  }

  private func measureOpening(_ measure: inout Measure) throws {
    try measure.milliseconds("open the library", limit: 10) { _ = try PhotoLibrary(at: url) }
  }

  private func measureFetches(_ measure: inout Measure) throws {
    var newest = FetchOptions<Asset>(sortDescriptors: [
      FetchSort(AssetKey.creationDate, ascending: false)
    ])
    newest.fetchLimit = 100
    try measure.milliseconds("the newest 100 assets, with their objects", limit: 20) {
      let found = try library.fetchAssets(newest)
      precondition(Array(found).count == 100)
    }
    let before = Measure.residentBytes()
    let result = try library.fetchAssets()
    let bytes = Measure.residentBytes() - before
    measure.add("memory of a result of every asset", Double(bytes) / 1e6, "MB", limit: 40)
    try measure.milliseconds("a result of every asset", limit: 150) {
      _ = try library.fetchAssets()
    }
    measure.add("members of that result", Double(result.count), "", limit: nil)
    let start = result.count / 2
    try measure.milliseconds("100 objects in the middle of it", limit: 50, rounds: 1) {
      _ = try result.objects(at: start..<start + 100)
    }
  }

  private func measureSorts(_ measure: inout Measure) throws {
    for key in [
      "creationDate", "modificationDate", "localIdentifier", "mediaType", "mediaSubtypes",
      "duration", "pixelWidth", "pixelHeight", "favorite", "hidden", "burstIdentifier",
    ] {
      for ascending in [true, false] {
        let options = FetchOptions<Asset>(sortDescriptors: [
          try FetchSort(key: key, ascending: ascending)
        ])
        var least = Double.infinity
        var making = Double.infinity
        for _ in 0..<3 {
          var result: FetchResult<Asset>?
          making = min(making, try Measure.seconds { result = try library.fetchAssets(options) })
          guard let result else { continue }
          least = min(least, try Measure.seconds { _ = try result.objects(at: 0..<100) })
        }
        let name = "\(key) \(ascending ? "up" : "down")"
        measure.add("first page by \(name)", least * 1000, "ms", limit: 50)
        measure.add("  the result itself", making * 1000, "ms", limit: nil)
      }
    }
  }

  private func measurePredicates(_ measure: inout Measure) throws {
    let day = 1_100_000_000
    for (text, limit) in [
      ("favorite == YES", 50.0), ("mediaType == 2", 50),
      (
        "creationDate > CAST(\(day), \"NSDate\") AND creationDate < CAST(\(day + 900_000), \"NSDate\")",
        50
      ),
      ("burstIdentifier == \"burst-77\"", 50), ("(mediaSubtypes & 8) != 0", 50),
      ("duration > 500", 1000), ("pixelWidth > 4000 AND pixelHeight < 4000", 1000),
      ("hidden == NO AND mediaSubtypes == 0", 1000),
    ] {
      let options = FetchOptions<Asset>(predicate: try FetchPredicate(format: text))
      try measure.milliseconds("where \(text.prefix(48))", limit: limit, rounds: 3) {
        _ = try library.fetchAssets(options)
      }
    }
  }

  private func measureAlbum(_ measure: inout Measure) throws {
    var options = FetchOptions<Asset>()
    options.fetchLimit = 1000
    let first = Array(try library.fetchAssets(options))
    let title = "Album"
    try library.performChangesAndWait { _ = try $0.createAlbum(title: title) }
    guard let album = try library.fetchAssetCollections(with: .album).first else { return }
    try measure.milliseconds("add 1,000 assets to an album", limit: 100, rounds: 1) {
      try library.performChangesAndWait { try $0.change(album, assets: nil).addAssets(first) }
    }
    let all = try library.fetchAssets()
    try library.performChangesAndWait {
      try $0.change(album, assets: nil).addAssets(Array(all.dropLast(1000)))
    }
    let rest = Array(all.suffix(1000))
    try measure.milliseconds("add 1,000 more to the album of all others", limit: 100, rounds: 1) {
      try library.performChangesAndWait { try $0.change(album, assets: nil).addAssets(rest) }
    }
  }
}
