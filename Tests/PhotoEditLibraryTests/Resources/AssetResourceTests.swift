// SPDX-License-Identifier: Apache-2.0
import Dispatch
import FoundationEssentials
import PhotoEdit
import PhotoEditPlatform
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary
@testable import PhotoEditSQLite

@Suite("Asset resources")
struct AssetResourceTests {
  private let folder: TestLibrary
  private var library: PhotoLibrary { folder.library }
  private var manager: AssetResourceManager { AssetResourceManager(library) }

  init() throws { folder = try TestLibrary() }

  /// The recorded results of a finished request.
  private struct Delivery: Sendable {
    var bytes = Data()
    var pieces = 0
    var progress: [Double] = []
    var ends: [LibraryError?] = []
    var piecesAfterEnd = 0
  }

  /// Waits for the end of a request, and briefly for calls that must not follow.
  private func deliver(
    _ resource: AssetResource, onPiece: @escaping @Sendable (AssetResourceDataRequestID?) -> Void
  ) -> Delivery {
    let state = LockedValue(Delivery())
    let id = LockedValue<AssetResourceDataRequestID?>(nil)
    let ended = DispatchSemaphore(value: 0)
    var options = AssetResourceRequestOptions()
    options.progressHandler = { share in state.withLock { $0.progress.append(share) } }
    // The request identifier is known before the first piece is processed.
    let begun = DispatchSemaphore(value: 0)
    let given = manager.requestData(for: resource, options: options) { piece in
      begun.wait()
      begun.signal()
      state.withLock { state in
        state.bytes += piece
        state.pieces += 1
        if !state.ends.isEmpty { state.piecesAfterEnd += 1 }
      }
      onPiece(id.withLock { $0 })
    } completionHandler: { error in
      state.withLock { $0.ends.append(error) }
      ended.signal()
    }
    id.withLock { $0 = given }
    begun.signal()
    #expect(ended.wait(timeout: .now() + TestWait.seconds) == .success)
    usleep(20_000)
    return state.withLock { $0 }
  }

  private func resource(_ asset: Asset, _ type: AssetResourceType) throws -> AssetResource {
    try #require(try library.assetResources(for: asset).first { $0.type == type })
  }

  @Test(.requirement("asset-resources"))
  func `an edited photo lists its original, rendering and adjustment data`() async throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let source = folder.folder.path("IMG_7.JPG")
    try Data(bytes).write(to: URL(filePath: source))
    let outcome = try folder.create(files: [(.photo, source)])
    let asset = try #require(try outcome.created.flatMap { try folder.asset($0) })
    let before = try library.assetResources(for: asset)
    #expect(before.map(\.type) == [.photo])
    #expect(before.first?.originalFilename == "IMG_7.JPG")
    #expect(before.first?.uniformTypeIdentifier == "public.jpeg")
    #expect(before.first?.size == bytes.count && before.first?.digest == SHA256Digest(of: bytes))
    #expect(try library.assetResource(for: asset) == before.first)
    #expect(try library.assetResource(for: asset, version: .base) == before.first)
    try await EditorB.edit(library, asset, "one")
    let after = try library.assetResources(for: asset)
    #expect(after.map(\.type) == [.photo, .fullSizePhoto, .adjustmentData])
    #expect(after.first == before.first)
    #expect(after.map(\.originalFilename) == ["IMG_7.JPG", "IMG_7.jpg", "Adjustments.plist"])
    #expect(try library.assetResource(for: asset)?.type == .fullSizePhoto)
    #expect(try library.assetResource(for: asset, version: .original)?.type == .photo)
    #expect(try library.assetResource(for: asset, version: .base)?.type == .photo)
  }

  @Test(.requirement("asset-resources"))
  func `still and video of a Live Photo belong to the same version`() async throws {
    let asset = try folder.create([
      (.photo, try ImageFile.live("L", seed: 1)), (.pairedVideo, MovieFile.live("L", seed: 1)),
    ])
    #expect(try library.pairedVideoResource(for: asset)?.type == .pairedVideo)
    try await EditorB.edit(library, asset, "one")
    #expect(try library.assetResource(for: asset)?.type == .fullSizePhoto)
    #expect(try library.pairedVideoResource(for: asset) == nil)
    #expect(try library.pairedVideoResource(for: asset, version: .original)?.type == .pairedVideo)
    #expect(try library.pairedVideoResource(for: asset, version: .base)?.type == .pairedVideo)
  }

  @Test(.requirement("asset-resources"))
  func `a resource is delivered in pieces with progress and completes once`() throws {
    let image = try TestImages.bytes("jpeg-17x31.jpg")
    // Bytes after the end of a JPEG are kept.
    let bytes = image + (0..<600_000).map { UInt8(truncatingIfNeeded: $0 &* 31) }
    let asset = try folder.create([(.photo, bytes)])
    let found = deliver(try resource(asset, .photo)) { _ in }
    #expect(found.ends.count == 1 && found.ends.first.map { $0 == nil } == true)
    #expect(Array(found.bytes) == bytes)
    #expect(found.pieces == 3 && found.piecesAfterEnd == 0)
    #expect(found.progress.first == 0 && found.progress.last == 1)
    #expect(found.progress == found.progress.sorted())
  }

  @Test(.requirement("asset-resources"), arguments: ["shorter", "longer", "other", "gone", "link"])
  func `a file changed since import always fails`(damage: String) throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let asset = try folder.create([(.photo, bytes)])
    let resource = try resource(asset, .photo)
    let path = library.layout.path(resource.file)
    chmod(path, 0o600)
    var changed = bytes
    switch damage {
    case "shorter": changed.removeLast()
    case "longer": changed.append(0)
    case "other": changed[changed.count / 2] ^= 1
    default: break
    }
    try FileManager.default.removeItem(atPath: path)
    if damage == "link" {
      try Data(bytes).write(to: folder.folder.url("elsewhere"))
      symlink(folder.folder.path("elsewhere"), path)
    } else if damage != "gone" {
      try Data(changed).write(to: URL(filePath: path))
    }
    let found = deliver(resource) { _ in }
    let isMissing = damage == "gone" || damage == "link"
    #expect(found.ends.map { $0?.code } == [isMissing ? .missingResource : .invalidResource])
  }

  @Test(.requirement("asset-resources"))
  func `a canceled request completes once with an error`() throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg") + [UInt8](repeating: 7, count: 2 << 20)
    let asset = try folder.create([(.photo, bytes)])
    let manager = manager
    let found = deliver(try resource(asset, .photo)) { id in
      if let id { manager.cancelDataRequest(id) }
    }
    #expect(found.ends.map { $0?.code } == [.userCancelled])
    #expect(found.pieces == 1)
  }

  @Test(.requirement("asset-resources"))
  func `a request survives the removal of its file`() async throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let asset = try folder.create([(.photo, bytes)])
    try await EditorB.edit(library, asset, "one")
    let resource = try resource(asset, .fullSizePhoto)
    var reader = try AssetResourceReader.opening(resource, in: library.reader)
    try library.performChangesAndWait { try $0.change(asset).revertAssetContentToOriginal() }
    var read = Data()
    while let piece = try reader.next() { read += piece }
    #expect(SHA256Digest(of: Array(read)) == resource.digest)
  }

  @Test(.requirement("asset-resources"))
  func `a resource is written only to a new file`() async throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let asset = try folder.create([(.photo, bytes)])
    let resource = try resource(asset, .photo)
    let destination = folder.folder.url("out.jpg")
    try await manager.writeData(for: resource, toFile: destination)
    #expect(try Array(Data(contentsOf: destination)) == bytes)
    await #expect(throws: LibraryError.self) {
      try await manager.writeData(for: resource, toFile: destination)
    }
    // A damaged resource leaves no file.
    let path = library.layout.path(resource.file)
    chmod(path, 0o600)
    try FileManager.default.removeItem(atPath: path)
    try Data([UInt8](repeating: 0, count: bytes.count)).write(to: URL(filePath: path))
    await #expect(throws: LibraryError.self) {
      try await manager.writeData(for: resource, toFile: folder.folder.url("bad.jpg"))
    }
    #expect(try FileSystem.names(in: folder.folder.path).sorted() == ["library", "out.jpg"])
  }

  @Test(.requirement("asset-resources"))
  func `a limited client gets no resources of other assets`() throws {
    let bytes = try TestImages.bytes("jpeg-17x31.jpg")
    let asset = try folder.create([(.photo, bytes)])
    let resource = try resource(asset, .photo)
    let grant = #"{"level": "limited", "assets": []}"#
    try #"{"schemaVersion": 1, "clients": {"org.example.app": \#(grant)}}"#.write(
      toFile: library.layout.policy, atomically: true, encoding: .utf8)
    var configuration = PhotoLibrary.Configuration()
    configuration.client = "org.example.app"
    let limited = try PhotoLibrary(at: library.url, configuration: configuration)
    #expect(try limited.assetResources(for: asset) == [])
    #expect(throws: LibraryError.self) {
      _ = try AssetResourceReader.opening(resource, in: limited.reader)
    }
  }

  @Test(.requirement("asset-resources")) func `an asset in the trash has no resources`() throws {
    let asset = try folder.create([(.photo, try TestImages.bytes("jpeg-17x31.jpg"))])
    try library.performChangesAndWait { try $0.delete([asset]) }
    #expect(try library.assetResources(for: asset) == [])
    #expect(try library.assetResource(for: asset) == nil)
  }
}
