// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import PhotoEditTestSupport

@testable import PhotoEditLibrary

/// A suite that imports files from a folder into a library.
protocol ImportSuite {
  var library: TestLibrary { get }
  var source: TemporaryFolder { get }
}

extension ImportSuite {
  /// Writes a file into the source folder.
  func write(_ bytes: [UInt8], _ name: String) throws {
    let folder = FileSystem.folder(of: source.path(name))
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    try source.write(bytes, to: name)
  }

  func run(
    _ paths: [String]? = nil, _ change: (inout Importer.Options) -> Void = { _ in }
  ) -> ImportReport {
    var options = Importer.Options()
    change(&options)
    return Importer(library.library, options: options).run(paths ?? [source.path])
  }

  /// Imports a subfolder of the source folder.
  func run(
    folder: String, _ change: (inout Importer.Options) -> Void = { _ in }
  ) -> ImportReport {
    run([source.path(folder)], change)
  }

  /// The reported files by path relative to the source folder.
  func lines(_ report: ImportReport) -> [String: ImportedFile] {
    Dictionary(
      report.files.map { (String($0.path.dropFirst(source.path.count + 1)), $0) }
    ) { first, _ in first }
  }

  /// The outcomes by path relative to the source folder.
  func outcomes(_ report: ImportReport) -> [String: ImportedFile.Outcome] {
    lines(report).mapValues(\.outcome)
  }

  func types(_ asset: Asset) throws -> Set<AssetResourceType> {
    Set(try library.files(of: asset).keys)
  }

  /// The digests of all stored files.
  func storedDigests() throws -> Set<SHA256Digest> {
    Set(
      try library.storedFiles().map { try digest(library.library.layout.root + "/" + $0) })
  }
}
