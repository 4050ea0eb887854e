// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditPlatform
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Authorization")
struct AuthorizationTests {
  private let owner: TestLibrary

  init() throws { owner = try TestLibrary() }

  private func policy(_ text: String) throws {
    try text.write(
      toFile: owner.library.layout.policy, atomically: true, encoding: .utf8)
  }

  private func library(
    _ client: String = "org.example.app", provider: (any AuthorizationProvider)? = nil
  ) throws -> PhotoLibrary {
    var configuration = PhotoLibrary.Configuration()
    configuration.client = client
    configuration.authorization = provider
    return try PhotoLibrary(at: owner.library.url, configuration: configuration)
  }

  private func change(_ asset: Asset, in library: PhotoLibrary) throws {
    try library.performChangesAndWait { try $0.change(asset).setFavorite(true) }
  }

  @Test(.requirement("authorization-status")) func `raw values match PhotoKit`() {
    #expect(AuthorizationStatus.allCases.map(\.rawValue) == [0, 1, 2, 3, 4])
    #expect(AccessLevel.allCases.map(\.rawValue) == [1, 2])
  }

  @Test(
    .requirement("authorization-status"),
    arguments: [
      (#""none""#, AuthorizationStatus.restricted, AuthorizationStatus.restricted),
      (#""addOnly""#, .authorized, .restricted), (#""readWrite""#, .authorized, .authorized),
      (#""ask""#, .notDetermined, .notDetermined),
      (#"{"level": "limited", "assets": []}"#, .authorized, .limited),
    ])
  func `each policy level maps to an authorization status`(
    level: String, adding: AuthorizationStatus, reading: AuthorizationStatus
  ) throws {
    try policy(#"{"schemaVersion": 1, "clients": {"org.example.app": \#(level)}}"#)
    let library = try library()
    #expect(library.authorizationStatus(for: .addOnly) == adding)
    #expect(library.authorizationStatus(for: .readWrite) == reading)
    // Other clients are not affected.
    #expect(owner.library.authorizationStatus(for: .readWrite) == .authorized)
  }

  @Test(.requirement("no-access-reads-empty"))
  func `without access, nothing is visible and every change fails`() throws {
    let asset = try owner.addAsset()
    try policy(#"{"schemaVersion": 1, "default": "none"}"#)
    let library = try library()
    #expect(!library.reader.canRead)
    let error = #expect(throws: LibraryError.self) { try change(asset, in: library) }
    #expect(error?.code == .accessRestricted)
  }

  @Test(.requirement("request-authorization-once"))
  func `a decided status is returned, an undecided one is requested once`() async throws {
    actor User: AuthorizationProvider {
      var requests = 0
      func decide(client: String, library: String) async -> AccessGrant {
        requests += 1
        return .readWrite
      }
    }
    try policy(#"{"schemaVersion": 1, "default": "ask"}"#)
    let user = User()
    let library = try library(provider: user)
    #expect(library.authorizationStatus(for: .readWrite) == .notDetermined)
    #expect(await library.requestAuthorization(for: .readWrite) == .authorized)
    #expect(await library.requestAuthorization(for: .addOnly) == .authorized)
    #expect(await user.requests == 1)
    #expect(await (try self.library()).requestAuthorization(for: .readWrite) == .restricted)
  }

  @Test(.requirement("request-authorization-once"))
  func `concurrent authorization requests prompt only once`() async throws {
    actor SlowUser: AuthorizationProvider {
      var requests = 0
      func decide(client: String, library: String) async -> AccessGrant {
        requests += 1
        for _ in 0..<1000 { await Task.yield() }
        return .readWrite
      }
    }
    try policy(#"{"schemaVersion": 1, "default": "ask"}"#)
    let user = SlowUser()
    let library = try library(provider: user)
    let answers = await withTaskGroup(of: AuthorizationStatus.self) { group in
      for _ in 0..<20 {
        group.addTask { await library.requestAuthorization(for: .readWrite) }
      }
      return await group.reduce(into: Set()) { $0.insert($1) }
    }
    #expect(answers == [.authorized])
    #expect(await user.requests == 1)
  }

  @Test(.requirement("late-grant-fills-results"))
  func `a later grant takes effect in an open library`() throws {
    let asset = try owner.addAsset()
    try policy(#"{"schemaVersion": 1, "default": "none"}"#)
    let library = try library()
    #expect(!library.reader.canRead)
    try policy(#"{"schemaVersion": 1, "default": "readWrite" }"#)
    #expect(library.reader.canRead)
    try change(asset, in: library)
    #expect(try owner.asset(asset.localIdentifier)?.isFavorite == true)
  }

  @Test(.requirement("add-only-access"))
  func `an add-only client cannot change existing assets`() throws {
    let asset = try owner.addAsset()
    try policy(#"{"schemaVersion": 1, "clients": {"org.example.app": "addOnly"}}"#)
    let library = try library()
    #expect(!library.reader.canRead)
    let error = #expect(throws: LibraryError.self) { try change(asset, in: library) }
    #expect(error?.code == .accessRestricted)
    let jpeg = try TestImages.bytes("inputs/photo-64.jpg")
    try library.performChangesAndWait { changes in
      try changes.createAsset().addResource(.photo, data: jpeg)
    }
    #expect(try owner.library.statistics().assets == 2)
    let raw = #expect(throws: LibraryError.self) {
      try library.performChangesAndWait { changes in
        let request = try changes.createAsset()
        try request.addResource(.photo, data: jpeg)
        try request.addResource(.alternatePhoto, data: jpeg)
      }
    }
    #expect(raw?.code == .changeNotSupported)
  }

  @Test(.requirement("limited-access"))
  func `a limited client sees only the selected assets`() throws {
    let asset = try owner.addAsset()
    try policy(
      """
      {"schemaVersion": 1, "clients": {"org.example.app":
        {"level": "limited", "assets": ["\(asset.localIdentifier)"]}}}
      """)
    let other = try owner.addAsset()
    let library = try library()
    #expect(library.reader.visibleAssets == [asset.localIdentifier])
    try change(asset, in: library)
    let error = #expect(throws: LibraryError.self) { try change(other, in: library) }
    #expect(error?.code == .identifierNotFound)
  }

  @Test(arguments: [
    "", "{}", "[1]", #"{"schemaVersion": 2}"#, #"{"schemaVersion": 1, "default": "all"}"#,
    #"{"schemaVersion": 1, "clients": {"a": {"level": "limited"}}}"#,
    #"{"schemaVersion": 1, "clients": {"a": {"level": "limited", "assets": ["x"]}}}"#,
    #"{"schemaVersion": 1, "clinets": {}}"#,
  ])
  func `an invalid policy allows nothing`(text: String) throws {
    let asset = try owner.addAsset()
    try policy(text)
    let library = try library()
    #expect(!library.reader.canRead)
    let error = #expect(throws: LibraryError.self) { try change(asset, in: library) }
    #expect(error?.path == library.layout.policy)
  }
}
