// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Clients with limited or no access")
struct LimitedAccessTests {
  private let owner: TestLibrary
  private let source: TemporaryFolder

  init() throws {
    owner = try TestLibrary()
    source = try TemporaryFolder()
  }

  /// The library as opened by a client with an access level.
  private func library(_ level: String) throws -> PhotoLibrary {
    try #"{"schemaVersion": 1, "clients": {"org.example.app": \#(level)}}"#
      .write(toFile: owner.library.layout.policy, atomically: true, encoding: .utf8)
    var configuration = PhotoLibrary.Configuration()
    configuration.client = "org.example.app"
    return try PhotoLibrary(at: owner.library.url, configuration: configuration)
  }

  private func library(limitedTo assets: [Asset]) throws -> PhotoLibrary {
    let names = assets.map { "\"\($0.localIdentifier)\"" }.joined(separator: ", ")
    return try library(#"{"level": "limited", "assets": [\#(names)]}"#)
  }

  private func create(
    _ bytes: [UInt8], _ duplicates: AssetCreationRequest.Duplicates, in library: PhotoLibrary
  ) throws -> AssetCreationOutcome {
    try library.performChangesAndWait { changes in
      let request = try changes.createAsset()
      try request.addResource(.photo, data: bytes)
      try request.setDuplicates(duplicates)
      return request.outcome
    }
  }

  private func run(_ library: PhotoLibrary, isDryRun: Bool) -> ImportReport {
    var options = Importer.Options()
    options.isDryRun = isDryRun
    return Importer(library, options: options).run([source.path])
  }

  @Test(.requirement("limited-access"))
  func `a limited client purges only the assets it can see`() throws {
    let assets = try owner.addAssets(2)
    try owner.library.performChangesAndWait { try $0.delete(assets) }
    let library = try library(limitedTo: [assets[0]])
    #expect(try library.purgeExpired(before: Date(timeIntervalSince1970: 2_000_000)) == 1)
    let left = try owner.library.fetchTrashedAssets()
    #expect(left.map(\.localIdentifier) == [assets[1].localIdentifier])
  }

  @Test(.requirement("limited-access")) func `a limited client can add assets`() throws {
    let library = try library(limitedTo: [])
    #expect(library.authorizationStatus(for: .addOnly) == .authorized)
    let outcome = try create(try ImageFile().jpeg(), .allow, in: library)
    #expect(try owner.asset(try #require(outcome.created)) != nil)
  }

  @Test(.requirement("add-only-access"))
  func `a duplicate is reported only to clients that can see it`() throws {
    let bytes = try ImageFile().jpeg()
    let asset = try owner.create([(.photo, bytes)])
    for library in [try library(#""addOnly""#), try library(limitedTo: [])] {
      let skipped = try create(bytes, .skip, in: library)
      #expect(skipped.created == nil && skipped.existing == nil)
    }
    let library = try library(limitedTo: [asset])
    #expect(try create(bytes, .skip, in: library).existing == asset.localIdentifier)
    #expect(try create(bytes, .report, in: library).existing == asset.localIdentifier)
  }

  @Test(.requirement("add-only-access"), arguments: [true, false])
  func `an import names duplicates only to clients that can see them`(isDryRun: Bool) throws {
    let bytes = try ImageFile().jpeg()
    try source.write(bytes, to: "a.jpg")
    let asset = try owner.create([(.photo, bytes)])
    let blind = run(try library(#""addOnly""#), isDryRun: isDryRun)
    #expect(blind.files.map(\.outcome) == [.duplicate] && blind.files.first?.asset == nil)
    let seeing = run(try library(limitedTo: [asset]), isDryRun: isDryRun)
    #expect(seeing.files.map(\.asset) == [asset.localIdentifier])
  }

  @Test(.requirement("no-access-reads-empty"), arguments: [true, false])
  func `an import without access is rejected before files are compared`(isDryRun: Bool) throws {
    let bytes = try ImageFile().jpeg()
    try source.write(bytes, to: "a.jpg")
    _ = try owner.create([(.photo, bytes)])
    let report = run(try library(#""none""#), isDryRun: isDryRun)
    #expect(report.interruption?.code == .accessRestricted)
    #expect(report.files.map(\.outcome) == [.skipped] && report.assetCount == 0)
  }

  @Test(.requirement("add-only-access"))
  func `an add-only import creates separate assets for a JPEG and its RAW file`() throws {
    try source.write(try ImageFile().jpeg(), to: "DSC_1.JPG")
    try source.write(ImageFile.dng(), to: "DSC_1.dng")
    try source.write(try ImageFile().jpeg(2), to: "b.jpg")
    let report = run(try library(#""addOnly""#), isDryRun: false)
    #expect(report.interruption == nil && report.assetCount == 3)
    #expect(report.count(.refused) == 0 && report.count(.imported) == 3)
  }
}
