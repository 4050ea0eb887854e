// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditRendering
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Cancellation")
struct CancellationTests {
  private let photo: PhotoFolder

  init() throws { photo = try PhotoFolder() }

  @Test(arguments: [0.0, 0.9, 1])
  func `a progress handler that returns false ends the request`(share: Double) async throws {
    let files = try photo.inventory()
    var options = EditingInputRequestOptions()
    options.progressHandler = { $0 < share }
    let error = try await editingError { _ = try await photo.store.editingInput(options) }
    #expect(error?.code == .userCancelled)
    #expect(try photo.inventory() == files)
  }

  @Test func `a task canceled before its request gets nothing`() async throws {
    let store = photo.store
    let task = Task {
      while !Task.isCancelled { await Task.yield() }
      return try await editingError { _ = try await store.editingInput() }
    }
    task.cancel()
    #expect(try await task.value?.code == .userCancelled)
  }

  @Test(arguments: [0.0, 0.9, 1])
  func `a task canceled while waiting gets the error`(share: Double) async throws {
    let store = photo.store
    let cancel = LockedValue<(@Sendable () -> Void)?>(nil)
    var options = EditingInputRequestOptions()
    options.progressHandler = {
      if $0 == share { cancel.withLock { $0?() } }
      return true
    }
    let request = options
    let task = Task {
      while cancel.withLock({ $0 == nil }) { await Task.yield() }
      return try await editingError { _ = try await store.editingInput(request) }
    }
    cancel.withLock { $0 = { task.cancel() } }
    #expect(try await task.value?.code == .userCancelled)
  }

  @Test func `canceling an edit during rendering changes nothing`() async throws {
    let files = try photo.inventory()
    var editor = PhotoEditor(photo.store)
    let calls = LockedValue(0)
    editor.options.isCancelled = {
      calls.withLock {
        $0 += 1; return $0 > 3
      }
    }
    let error = try await editingError { [editor] in
      try await editor.apply([GaussianBlur(sigma: 2)])
    }
    #expect(error?.code == .userCancelled)
    #expect(calls.withLock { $0 } > 3)
    #expect(try photo.inventory() == files)
  }

  @Test func `canceling the task of an edit stops its rendering`() async throws {
    let cancel = LockedValue<(@Sendable () -> Void)?>(nil)
    var editor = PhotoEditor(photo.store)
    let calls = LockedValue(0)
    editor.options.isCancelled = {
      if calls.withLock({
        $0 += 1; return $0 == 2
      }) {
        cancel.withLock { $0?() }
      }
      return false
    }
    let task = Task { [editor] in
      while cancel.withLock({ $0 == nil }) { await Task.yield() }
      return try await editingError { try await editor.apply([Sepia(amount: 1)]) }
    }
    cancel.withLock { $0 = { task.cancel() } }
    #expect(try await task.value?.code == .userCancelled)
    #expect(try !photo.store.state().isEdited)
    #expect(try photo.litter() == [])
  }

  @Test func `canceling after completion changes nothing`() async throws {
    let store = photo.store
    let task = Task { try await EditorB.edit(store, "one") }
    let state = try await task.value
    task.cancel()
    #expect(try photo.store.state() == state)
  }
}
