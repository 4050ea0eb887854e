// SPDX-License-Identifier: Apache-2.0
import PhotoEditSQLite
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Commands on a library of an older version", .runsPrograms)
struct LibraryMigrationTests {
  @Test func `a read-only command reports that it migrated the database`() throws {
    let library = try ToolLibrary()
    let folder = library.folder.path(library.name)
    do {
      let connection = try Connection(folder + "/library.db", .readWrite)
      let columns = [
        "keywords", "rating", "label", "people", "place", "camera", "lens", "iso", "fNumber",
        "focalLength", "fileSize", "utcOffset", "regions", "userFields", "exposureTime",
      ]
      try connection.execute("ALTER TABLE asset DROP COLUMN day")
      for (table, column) in ["asset", "assetHistory"].flatMap({ t in columns.map { (t, $0) } }) {
        try connection.execute("ALTER TABLE \(table) DROP COLUMN \(column)")
      }
      try connection.execute(
        """
        DROP TABLE asset_text; DROP TABLE asset_day; DROP TABLE asset_keyword; DROP TABLE keyword;
        DELETE FROM migration WHERE id > 3;
        PRAGMA user_version = 3
        """)
    }
    let checked = try library.run("library", "check")
    #expect(checked.exitCode == 0 && checked.output.contains("olderDatabase"))
    #expect(!FileSystem.itemExists(folder + "/backups"))
    let listed = try library.run("asset", "list")
    #expect(listed.exitCode == 0)
    #expect(listed.errors.contains("from version 3 to version "))
    let backups = try FileSystem.names(in: folder + "/backups")
    #expect(backups.count == 1 && listed.errors.contains(backups.first ?? "?"))
    let again = try library.run("asset", "list")
    #expect(again.exitCode == 0 && !again.errors.contains("version"))
  }
}
