// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCodecs
import PhotoEditMovieFiles
import PhotoEditSQLite
import PhotoEditStorage

/// The metadata of assets that a version without keywords and camera data imported.
extension LibraryRebuild {
  /// Reads what is missing from the originals and their XMP; values that were set since are kept.
  func completeMetadata() throws(LibraryError) {
    let rows = try database.integers(
      """
      SELECT id FROM asset WHERE fileSize IS NULL AND state < 2
        AND EXISTS (SELECT 1 FROM resource WHERE asset = id AND type IN (1, 2, 3))
      """)
    var count = 0
    for row in rows {
      let resources = try database.resources(of: row)
      guard let original = resources.original else { continue }
      var record = PhotoProperties(originalFilename: "", addedAt: Date(timeIntervalSince1970: 0))
      // The metadata of an original that cannot be read now is completed by a later repair.
      guard read(original, into: &record) else { continue }
      apply(resources, to: &record)
      try complete(row, record, size: original.size)
      count += 1
    }
    if count > 0 {
      outcome.actions.append(
        "metadata was read from \(count) \(count == 1 ? "original" : "originals")")
    }
  }

  func stated(by original: ResourceRecord, _ resources: [ResourceRecord]) -> PhotoProperties {
    var record = PhotoProperties(originalFilename: "", addedAt: Date(timeIntervalSince1970: 0))
    _ = read(original, into: &record)
    apply(resources, to: &record)
    return record
  }

  private func apply(_ resources: [ResourceRecord], to record: inout PhotoProperties) {
    if let metadata = try? layout.sidecar(in: resources) {
      record.adopt(metadata, offset: record.utcOffset)
    }
  }

  /// Reads the metadata of an original; returns false if it cannot be read.
  private func read(_ original: ResourceRecord, into record: inout PhotoProperties) -> Bool {
    if original.type == .photo {
      guard let bytes = try? layout.read(original.file),
        let image = try? ImageProperties.reading(bytes)
      else { return false }
      record.apply(image)
    } else {
      guard let path = try? layout.path(of: original.file),
        let movie = try? VideoProperties.reading(path, acceptsMissingEnd: true)
      else { return false }
      record.apply(movie)
    }
    return true
  }

  private func complete(
    _ row: Int64, _ record: PhotoProperties, size: Int
  ) throws(LibraryError) {
    var record = record
    _ = record.shorten()
    record.fileSize = size
    try commit.touchAsset(row)
    guard var known = try database.properties(of: row) else { throw .lostRow(row) }
    let missing = PhotoProperties.catalog.filter { property in
      property.columns.allSatisfy { LibrarySchema.searchColumnNames.contains($0) }
        && property.adopt(record, from: .supplement, into: &known)
    }
    try database.store(missing, of: known, row: row)
  }
}

extension [ResourceRecord] {
  var original: ResourceRecord? { first { [.photo, .video, .audio].contains($0.type) } }
}
