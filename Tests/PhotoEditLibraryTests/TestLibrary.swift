// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

/// An empty library in a temporary folder, with a clock that advances one second per read.
final class TestLibrary: Sendable {
  let folder: TemporaryFolder
  let library: PhotoLibrary

  init(
    journalDepth: Int = 20, placeIndex: PlaceIndex? = nil, client: String? = nil
  ) throws {
    folder = try TemporaryFolder()
    let time = LockedValue(1_000_000.0)
    var configuration = PhotoLibrary.Configuration()
    configuration.journalDepth = journalDepth
    if let client { configuration.client = client }
    configuration.placeIndex = { placeIndex }
    configuration.clock = {
      time.withLock { time in
        time += 1
        return Date(timeIntervalSince1970: time)
      }
    }
    library = try PhotoLibrary.create(
      at: URL(filePath: folder.path + "/library"), configuration: configuration)
  }

  /// Adds an asset row without files.
  func addAsset(_ change: (inout PhotoProperties) -> Void = { _ in }) throws -> Asset {
    var record = PhotoProperties(
      originalFilename: "a.jpg", addedAt: library.configuration.clock())
    change(&record)
    let identifier = try library.insertRows([record])[0]
    guard let asset = try asset(identifier) else { throw LibraryError.noObject(identifier) }
    return asset
  }

  func asset(_ identifier: String) throws -> Asset? {
    guard let identifier = LocalIdentifier(identifier) else { return nil }
    return try library.read { database throws(LibraryError) in
      try database.first(
        "SELECT \(Asset.selection) FROM asset WHERE uuid = ? AND state = 0",
        [.blob(identifier.bytes)]
      ) { Asset($0) }
    }
  }
}
