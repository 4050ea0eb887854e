// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditPixels
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Versions of an editing input")
struct InputTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  /// Counts the calls of the closure, and records the progress reported before.
  private final class Requests: Sendable {
    private let asked = LockedValue<[AdjustmentData]>([])
    private let progress = LockedValue<[Double]>([])
    let answer: Bool

    init(answer: Bool) { self.answer = answer }

    var options: EditingInputRequestOptions {
      var options = EditingInputRequestOptions()
      options.canHandleAdjustmentData = { data in
        // No progress is reported before content is read.
        #expect(self.progress.withLock { $0.isEmpty })
        self.asked.withLock { $0.append(data) }
        return self.answer
      }
      options.progressHandler = { share in
        self.progress.withLock { $0.append(share) }
        return true
      }
      return options
    }

    var data: [AdjustmentData] { asked.withLock { $0 } }
    var shares: [Double] { progress.withLock { $0 } }
  }

  @Test(arguments: [true, false])
  func `an unedited photo gives the original without calling the closure`(answer: Bool) async throws
  {
    let requests = Requests(answer: answer)
    let input = try await photo.store.editingInput(requests.options)
    #expect(requests.data.isEmpty)
    #expect(input.version == .original && input.kind == .first)
    #expect(input.adjustmentData == nil)
    #expect(try Data(contentsOf: #require(input.fullSizeImageURL)) == Data(photo.original))
    #expect(input.size.width == 17 && input.size.height == 31 && input.orientation == .up)
    #expect(requests.shares.first == 0 && requests.shares.last == 1)
    #expect(requests.shares == requests.shares.sorted())
  }

  @Test
  func
    `accepting the data gives the base with the data, or the original after edits by one editor`()
    async throws
  {
    try await EditorB.edit(photo.store, "one")
    let requests = Requests(answer: true)
    let input = try await photo.store.editingInput(requests.options)
    #expect(requests.data == [try EditorB.data("one")])
    #expect(input.version == .original && input.kind == .resumed)
    #expect(input.adjustmentData == (try EditorB.data("one")))
    #expect(try Data(contentsOf: #require(input.fullSizeImageURL)) == Data(photo.original))
  }

  @Test func `accepting the data gives the previous rendering after an edit by another editor`()
    async throws
  {
    let first = try await PhotoEditor(photo.store).apply([Sepia(amount: 1)]).state
    try await EditorB.edit(photo.store, "over A")
    let input = try await EditorB.input(photo.store)
    #expect(input.version == .base && input.kind == .resumed)
    #expect(
      SHA256Digest(of: [UInt8](try Data(contentsOf: #require(input.fullSizeImageURL))))
        == first.record?.current)
    #expect(input.adjustmentData == (try EditorB.data("over A")))
  }

  @Test func `rejecting the data gives the current rendering without the data`() async throws {
    try await EditorB.edit(photo.store, "one")
    let requests = Requests(answer: false)
    let input = try await photo.store.editingInput(requests.options)
    #expect(requests.data.count == 1)
    #expect(input.version == .current && input.kind == .notUnderstood)
    #expect(input.adjustmentData == nil)
    let file = try #require(input.fullSizeImageURL)
    #expect(try Data(contentsOf: file) == Data(try EditorB.rendering("one")))
  }

  @Test func `a missing closure rejects the data`() async throws {
    try await EditorB.edit(photo.store, "one")
    let input = try await photo.store.editingInput()
    #expect(input.version == .current && input.adjustmentData == nil)
  }

  @Test func `a missing base is an error that names it, and the current version still opens`()
    async throws
  {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    try await EditorB.edit(photo.store, "over A")
    try FileSystem.remove(photo.path("photo.base.jpg"))
    let error = try await editingError { _ = try await EditorB.input(photo.store) }
    #expect(error?.code == .missingResource)
    #expect(error?.path == photo.path("photo.base.jpg"))
    #expect(try await photo.store.editingInput().version == .current)
  }

  @Test func `an open session keeps its bytes during other commits`() async throws {
    try await EditorB.edit(photo.store, "one")
    let input = try await photo.store.editingInput()
    try await EditorB.edit(photo.store, "two")
    try await photo.store.revert()
    let file = try #require(input.fullSizeImageURL)
    #expect(try Data(contentsOf: file) == Data(try EditorB.rendering("one")))
  }

  @Test func `a rendering modified by another program is not returned`() async throws {
    try await EditorB.edit(photo.store, "one")
    try photo.temporary.write(try EditorB.rendering("other"), to: "photo.edited.jpg")
    let error = try await editingError { _ = try await photo.store.editingInput() }
    #expect(error?.code == .invalidResource)
    #expect(error?.path == photo.path("photo.edited.jpg"))
    #expect(error?.message.contains(SHA256Digest(of: try EditorB.rendering("one")).hex) == true)
  }

  @Test func `a changed original is rejected with both digests`() async throws {
    try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    let other = try TestImages.bytes("jpeg-1x17.jpg")
    try photo.temporary.write(other, to: "photo.jpg")
    let error = try await editingError {
      try await PhotoEditor(photo.store).apply([Sepia(amount: 1)])
    }
    #expect(error?.code == .invalidResource)
    #expect(error?.message.contains(photo.digest.hex) == true)
    #expect(error?.message.contains(SHA256Digest(of: other).hex) == true)
    #expect(error?.hint?.contains("--replace") == true)
  }
}
