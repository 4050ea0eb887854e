// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Bounds of an import")
struct BoundsTests: ImportSuite {
  let library: TestLibrary
  let source: TemporaryFolder

  init() throws {
    library = try TestLibrary()
    source = try TemporaryFolder()
  }

  // MARK: Files without content

  /// More than a file may have of holes, and little enough for a disk if it is copied by mistake.
  private static let hole = 5 << 28

  /// Writes bytes followed by a hole.
  private func writeSparse(_ head: [UInt8], _ name: String, byteCount: Int = hole) throws {
    try write(head, name)
    try #require(truncate(source.path(name), byteCount) == 0)
  }

  /// A video whose last box claims all bytes up to a size.
  private static func movie(claiming byteCount: Int) -> [UInt8] {
    let whole = MovieFile().bytes
    let size = UInt64(byteCount - whole.count)
    let length = (0..<8).map { UInt8(truncatingIfNeeded: size >> UInt64(56 - 8 * $0)) }
    return whole + [0, 0, 0, 1] + Array("mdat".utf8) + length
  }

  @Test(arguments: [
    "zeros.jpg", "zeros.mov", "zeros.aae", "zeros.xmp", "zeros.csv", "zeros.json", "zeros",
    "photo.jpg", "photo.png", "photo.tif", "raw.cr2", "padded.mov", "full.mov", "video.avi",
    "video.mkv", "movie.jpg",
  ])
  func `a file that is a hole is refused before anything is copied`(_ name: String) throws {
    let photo = try ImageFile().jpeg(1)
    let head: [UInt8] =
      switch name {
      case "photo.jpg": photo
      case "photo.png": [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      case "photo.tif": [0x4D, 0x4D, 0, 42, 0, 0, 0, 8]
      case "raw.cr2": [0x49, 0x49, 42, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0]
      case "padded.mov": MovieFile().bytes
      case "full.mov", "movie.jpg": Self.movie(claiming: Self.hole)
      case "video.avi": Array("RIFF\0\0\0\0AVI LIST".utf8)
      case "video.mkv": [0x1A, 0x45, 0xDF, 0xA3, 0x80]
      default: []
      }
    try write(photo, "other.jpg")
    try writeSparse(head, name)
    let forecast = run { $0.isDryRun = true }
    let report = run()
    #expect(outcomes(report) == outcomes(forecast))
    #expect(lines(report)[name]?.reason == lines(forecast)[name]?.reason)
    #expect(outcomes(report)["other.jpg"] == .imported && report.assetCount == 1)
    let line = try #require(lines(report)[name])
    #expect([.refused, .skipped].contains(line.outcome) && line.reason?.isEmpty == false)
    #expect(try library.storedFiles().count == 1)
    // Of a terabyte, not even that much is read.
    try #require(truncate(source.path(name), 1 << 40) == 0)
    #expect(outcomes(run { $0.isDryRun = true })[name] == line.outcome)
  }

  @Test func `a damaged photo with a hole is kept`() throws {
    let photo = try TestImages.bytes("photo-1024.jpg")
    try writeSparse(Array(photo.prefix(20_000)), "half.jpg", byteCount: 4 << 20)
    let report = run()
    // The zeros of a small hole are codes of gray blocks, which a decoder does not report.
    #expect(outcomes(report) == ["half.jpg": .imported])
  }

  // MARK: Photos that cannot be decoded

  /// The offset of the frame header of a JPEG.
  private static func frame(of bytes: [UInt8]) throws -> Int {
    try #require(
      bytes.indices.dropLast(20).first {
        bytes[$0] == 0xFF && [0xC0, 0xC2].contains(bytes[$0 + 1])
      }
    )
  }

  /// A photo whose chroma samples are three times as wide as those of its brightness can be, which
  /// no decoder here supports.
  private static func undecodable(_ seed: Int) throws -> [UInt8] {
    var bytes = try ImageFile().jpeg(seed)
    let frame = try frame(of: bytes)
    bytes[frame + 11] = 0x31
    bytes[frame + 14] = 0x21
    return bytes
  }

  @Test(arguments: [(30_000, 20_000), (65_501, 16), (65_535, 65_535)])
  func `an image over the limits of decoding is kept`(width: Int, height: Int) throws {
    var bytes = try ImageFile().jpeg()
    let frame = try Self.frame(of: bytes)
    bytes.replaceSubrange(
      (frame + 5)..<(frame + 9), with: ImageFile.big(height, 2) + ImageFile.big(width, 2))
    try write(bytes, "large.jpg")
    let report = run()
    #expect(outcomes(report) == ["large.jpg": .imported])
    let reason = try #require(lines(report)["large.jpg"]?.reason)
    #expect(reason.contains("(maximum: ") && reason.contains("imported unchanged"))
    #expect(try storedDigests() == [SHA256Digest(of: bytes)])
    let asset = try #require(try library.assets().first)
    // libjpeg states no larger side.
    #expect(width > 65_500 || (asset.pixelWidth == width && asset.pixelHeight == height))
    #expect(try library.check().isSound)
  }

  @Test func `a photo that no decoder reads is kept, and is a note of later checks`() throws {
    let bytes = try Self.undecodable(1)
    try write(bytes, "odd.jpg")
    let report = run()
    #expect(outcomes(report) == ["odd.jpg": .imported])
    let reason = try #require(lines(report)["odd.jpg"]?.reason)
    #expect(reason.contains("imported unchanged"))
    #expect(run { $0.isDryRun = true }.count(.duplicate) == 1)
    let check = try library.check()
    #expect(check.isSound && check.findings.count == 1)
    let kinds: Set<LibraryIssue.Kind> = [.knownDamage, .undecodableFile]
    #expect(check.findings.allSatisfy { kinds.contains($0.kind) && !$0.isError })
    var backup = LibraryBackup()
    backup.isVerifiedDeeply = true
    backup.sharesFiles = false
    let copy = try backup.run(of: library.library, to: source.url("backup"))
    #expect(copy.isSound && copy.findings.map(\.kind) == check.findings.map(\.kind))
    // Other bytes are an error, whether or not they could be decoded before.
    let asset = try #require(try library.assets().first)
    let file = try #require(try library.files(of: asset)[.photo])
    var changed = bytes
    changed[changed.count / 2] ^= 1
    try Data(changed).write(to: URL(filePath: file))
    let later = try library.check()
    #expect(!later.isSound && later.findings.map(\.kind) == [.changedFile])
  }

  // MARK: Databases and tables of other programs

  private static let root = "Photos Library.photoslibrary/"

  /// Writes a library of Apple Photos with photos and SQL statements of an attacker.
  private func writePhotos(_ sql: String, count: Int = 1) throws -> String {
    for number in 0..<count {
      try write(try ImageFile().jpeg(number + 1), Self.root + "originals/0/A\(number).jpeg")
    }
    try write([1], Self.root + "database/placeholder")
    let path = source.path(Self.root + "database/Photos.sqlite")
    try FileSystem.remove(path)
    let connection = try Connection(path, .create)
    try connection.execute(
      "CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZUUID TEXT, ZDIRECTORY TEXT, ZFILENAME TEXT)")
    for number in 0..<count {
      try connection.run(
        "INSERT INTO ZASSET VALUES (?, ?, '0', ?)",
        [.init(number + 1), .text("A\(number)"), .text("A\(number).jpeg")])
    }
    try connection.execute(sql)
    return source.path(String(Self.root.dropLast()))
  }

  /// Statements that make a table and fill it with equal rows.
  private static func table(_ name: String, _ columns: String, rows: Int, _ row: String) -> String {
    """
    CREATE TABLE \(name) (\(columns));
    WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < \(rows))
      INSERT INTO \(name) SELECT \(row) FROM n;
    """
  }

  private static func keywords(rows: Int) -> String {
    table(
      "ZADDITIONALASSETATTRIBUTES", "Z_PK INT, ZASSET INT, ZTITLE TEXT", rows: rows, "1, 1, 't'")
      + table("Z_1KEYWORDS", "Z_1ASSETATTRIBUTES INT, Z_2KEYWORDS INT", rows: rows, "1, 1")
      + table("ZKEYWORD", "Z_PK INT, ZTITLE TEXT", rows: rows, "1, 'k'")
  }

  @Test func `tables with equal keys are not multiplied with each other`() throws {
    // A join of the three has eight billion rows.
    let folder = try writePhotos(Self.keywords(rows: 2000))
    var limits = ReadingLimits()
    limits.kilosteps = 200
    let database = try PhotosDatabase(library: OpenFolder(folder), limits: limits)
    #expect(database.omissions == [] && database.items.map(\.keywords) == [["k"]])
    #expect(database.items.map(\.title) == ["t"])
    #expect(run().count(.refused) == 0)
    #expect(try library.assets().map(\.keywords) == [["k"]])
  }

  @Test func `a table that exceeds a limit is named, and the rest is imported`() throws {
    let people = Self.table("ZPERSON", "Z_PK INT, ZFULLNAME TEXT", rows: 3, "i, 'n'")
    let folder = try writePhotos(Self.keywords(rows: 1000) + people, count: 2)
    func omissions(_ change: (inout ReadingLimits) -> Void) throws -> [String] {
      var limits = ReadingLimits()
      change(&limits)
      let database = try PhotosDatabase(library: OpenFolder(folder), limits: limits)
      #expect(database.items.count == 2)
      return database.omissions
    }
    #expect(try omissions { _ in } == [])
    let rows = try omissions { $0.rows = 50 }
    #expect(rows.count == 2 && rows[0].contains("ZADDITIONALASSETATTRIBUTES has more than 50 rows"))
    let bytes = try omissions { $0.bytes = 200 }
    #expect(bytes.contains { $0.contains("more than 200 bytes") })
    #expect(try omissions { $0.kilosteps = 2 }.contains { $0.contains("thousand steps") })
    #expect(throws: LibraryError.self) { try omissions { $0.rows = 1 } }
    #expect(try omissions { $0.seconds = -1 }.contains { $0.contains("seconds") })
  }

  @Test func `text that a database only computes is not read`() throws {
    let folder = try writePhotos(
      """
      DROP TABLE ZASSET;
      CREATE TABLE ZASSET (Z_PK INTEGER PRIMARY KEY, ZFILENAME TEXT,
        ZUUID TEXT AS (hex(zeroblob(100000000))));
      INSERT INTO ZASSET (Z_PK, ZFILENAME) VALUES (1, 'A0.jpeg')
      """)
    #expect(throws: LibraryError.self) { try PhotosDatabase(library: OpenFolder(folder)) }
    let other = try writePhotos(
      """
      DROP TABLE ZASSET; CREATE TABLE t (Z_PK, ZUUID, ZFILENAME);
      CREATE VIEW ZASSET AS SELECT * FROM t
      """)
    #expect(throws: LibraryError.self) { try PhotosDatabase(library: OpenFolder(other)) }
  }

  @Test func `a database that is a hole is refused, and the photos are imported`() throws {
    try write(try ImageFile().jpeg(1), Self.root + "originals/0/A0.jpeg")
    for log in [false, true] {
      let name = Self.root + "database/Photos.sqlite"
      try writeSparse(Array("SQLite format 3\0".utf8), log ? name + "-wal" : name)
      let report = run { $0.isDryRun = true }
      #expect(report.assetCount == 1)
      #expect(lines(report)[name]?.reason?.contains("sparse") == true)
      #expect(lines(report)[name]?.outcome == .refused, "the loss is reported")
      if !log {
        try FileSystem.remove(source.path(name))
        _ = try writePhotos("")
      }
    }
  }

  @Test func `a chain of all folders takes no quadratic time or space`() throws {
    let sql = """
      CREATE TABLE ZGENERICALBUM (Z_PK INT, ZKIND INT, ZTITLE TEXT, ZPARENTFOLDER INT);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
        INSERT INTO ZGENERICALBUM SELECT i, 4000, 'f' || i, i - 1 FROM n;
      """
    let scan = try PhotosLibraryScan(
      library: OpenFolder(try writePhotos(sql)), includesTrashed: false)
    #expect(scan.albums.count == 500)
    #expect(scan.albums.map(\.path.count).max() == 64)
  }

  @Test func `comma-separated values have limits of rows, columns and bytes`() throws {
    let header = "imgName,favorite,originalCreationDate\n"
    #expect(ICloudFile.rows(header)?.count == 1)
    #expect(ICloudFile.rows(String(repeating: ",", count: 64)) != nil)
    #expect(ICloudFile.rows(String(repeating: ",", count: 66)) == nil)
    #expect(ICloudFile.rows(String(repeating: "\n", count: 1_000_000))?.isEmpty == true)
    #expect(ICloudFile.rows(String(repeating: "a\n", count: 500_010)) == nil)
    try write(try ImageFile().jpeg(1), "Photos/IMG_1.JPG")
    try write(
      Array((header + String(repeating: ",", count: 100)).utf8), "Photos/Photo Details.csv")
    try writeSparse(Array(header.utf8), "Photos/Photo Details-1.csv", byteCount: 100 << 20)
    try writeSparse(Array("a,b\n".utf8), "Photos/other.csv", byteCount: 100 << 20)
    let report = run()
    let outcomes = outcomes(report)
    #expect(outcomes["Photos/Photo Details.csv"] == .refused)
    #expect(lines(report)["Photos/Photo Details.csv"]?.reason?.contains("64 columns") == true)
    #expect(outcomes["Photos/other.csv"] == .skipped)
    #expect(outcomes["Photos/IMG_1.JPG"] == .imported)
  }
}
