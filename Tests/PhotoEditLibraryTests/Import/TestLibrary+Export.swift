// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport

@testable import PhotoEditLibrary

extension TestLibrary {
  /// Exports assets to a folder.
  func export(
    _ assets: [Asset], to target: TemporaryFolder, _ version: Exporter.Version = .current,
    overwrites: Bool = true, joinsMotionPhotos: Bool = true, embedsMetadata: Bool = true
  ) throws -> [Exporter.File] {
    var exporter = Exporter(
      library, to: URL(filePath: target.path), version: version, overwrites: overwrites,
      joinsMotionPhotos: joinsMotionPhotos)
    exporter.embedsMetadata = embedsMetadata
    return try assets.flatMap { try exporter.export($0) }
  }
}
