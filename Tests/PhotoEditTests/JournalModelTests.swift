// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEdit
import PhotoEditFilters
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

/// Compares random editing with a model in memory; 20 seeds of 100 operations.
@Suite("Random editing", .seeded)
struct JournalModelTests {
  /// A state of the model.
  private struct State: Equatable {
    var isA = false
    var base: SHA256Digest?
    var current: SHA256Digest?
    var location: String?
    var data: AdjustmentData?
  }

  private static let paths = [nil, nil, nil, "copy.jpg", "away/photo.jpg"]

  private struct Model {
    var state = State()
    var undo: [State] = []
    var redo: [State] = []
    var depth: Int
    /// The contents of each path that ever had a rendering.
    var files: [String: SHA256Digest] = [:]

    /// Contents discarded by the last change; they may remain after a crash.
    var leftovers: [SHA256Digest] = []

    var known: Set<SHA256Digest> {
      Set((undo + redo + [state]).compactMap(\.current)).union(leftovers)
    }

    /// The path of the next rendering; nil if an unknown file is in the way.
    func target(_ expected: String?, of location: String?, knowing digest: SHA256Digest? = nil)
      -> String?
    {
      let known = digest.map { self.known.union([$0]) } ?? known
      var target = expected ?? location ?? "photo.edited.jpg"
      // A file in another folder is replaced only when it is named again.
      if expected == nil, target.contains("/") {
        guard files[target].map({ !known.contains($0) }) ?? true else { return nil }
        target = "photo.edited.jpg"
      }
      if let file = files[target], !known.contains(file) { return nil }
      return target
    }

    mutating func edit(_ next: State) {
      var former = state
      // The date in a rendering is not a change of the edit.
      if next.isA { former.current = next.current }
      if next != former || state.current == nil {
        undo.append(state)
        redo = []
      }
      take(next)
      trim()
    }

    mutating func take(_ next: State) {
      leftovers = [
        next.current == nil ? state.current : nil, next.base == nil ? state.base : nil,
      ].compactMap { $0 }
      if next.current == nil, let location = state.location, !location.contains("/") {
        files[location] = nil
      }
      if let location = next.location { files[location] = next.current }
      state = next
    }

    mutating func trim() { if undo.count > depth { undo.removeFirst(undo.count - depth) } }
  }

  @Test(.serialized, arguments: 0..<SeededNumbers.cases(20))
  func `a store behaves like the model`(seed: Int) async throws {
    var random = SeededNumbers(seed)
    let photo = try PhotoFolder("jpeg-17x1.jpg")
    try FileManager.default.createDirectory(
      atPath: photo.path("away"), withIntermediateDirectories: false)
    var model = Model(depth: seed.isMultiple(of: 5) ? 20 : 4)
    for step in 0..<100 {
      let comment: Comment = "seed \(seed), step \(step)"
      let expected = Self.paths.randomElement(using: &random) ?? nil
      let store = photo.store(rendering: expected, depth: model.depth)
      let editing = model.target(expected, of: model.state.location)
      switch Int.random(in: 0..<10, using: &random) {
      case 0...2:
        let filter = Exposure(ev: Double(step % 7) / 8 + 0.125)
        var editor = PhotoEditor(store)
        editor.date = Date(timeIntervalSince1970: Double(1_600_000_000 + step))
        let outcome = try await attempt(editing) { [editor] in try await editor.apply([filter]) }
        guard let outcome else { break }
        model.edit(
          State(
            isA: true,
            base: model.state.isA || model.state.current == nil
              ? model.state.base : model.state.current,
            current: try photo.digest(try #require(editing)), location: editing,
            data: outcome.state.record?.adjustment))
      case 3:
        var editor = PhotoEditor(store)
        editor.date = Date(timeIntervalSince1970: Double(1_700_000_000 + step))
        let outcome = try await attempt(editing) { [editor] in
          try editor.begin(.base).commit(FilterGraph().appending([Invert(amount: 1)]))
        }
        guard let outcome else { break }
        model.edit(
          State(
            isA: true, base: model.state.base, current: try photo.digest(try #require(editing)),
            location: editing, data: outcome.state.record?.adjustment))
      case 4...5:
        let text = "\(seed) \(step % 30)"
        guard try await attempt(editing, { try await EditorB.edit(store, text) }) != nil
        else { break }
        model.edit(
          State(
            base: model.state.isA ? model.state.current : model.state.base,
            current: SHA256Digest(of: try EditorB.rendering(text)), location: editing,
            data: try EditorB.data(text)))
      case 6:
        try await photo.store(depth: model.depth).revert()
        if model.state.current != nil { model.edit(State()) }
      case 7...8:
        let steps = Int.random(in: 1...3, using: &random)
        let next = model.undo.dropLast(steps - 1).last
        let target = model.target(nil, of: next?.location, knowing: next?.current)
        let isPossible = next != nil && (next?.current == nil || target != nil)
        guard
          try await attempt(
            isPossible ? "" : nil,
            {
              try await photo.store(depth: model.depth).undo(steps: steps)
            }) != nil, var next
        else { break }
        if next.current != nil { next.location = target }
        model.redo += [model.state] + model.undo.suffix(steps).dropFirst().reversed()
        model.undo.removeLast(steps)
        model.take(next)
      default:
        let steps = Int.random(in: 1...3, using: &random)
        let next = model.redo.dropLast(steps - 1).last
        let target = model.target(nil, of: next?.location, knowing: next?.current)
        let isPossible = next != nil && (next?.current == nil || target != nil)
        guard
          try await attempt(
            isPossible ? "" : nil,
            {
              try await photo.store(depth: model.depth).redo(steps: steps)
            }) != nil, var next
        else { break }
        if next.current != nil { next.location = target }
        model.undo += [model.state] + model.redo.suffix(steps).dropFirst().reversed()
        model.redo.removeLast(steps)
        model.take(next)
        model.trim()
      }
      try compare(photo, model, comment)
    }
  }

  /// Runs an operation that must succeed when a path is given, and be rejected otherwise.
  private func attempt<Result>(
    _ location: String?, _ body: () async throws -> Result
  ) async throws -> Result? {
    do {
      let result = try await body()
      #expect(location != nil)
      return result
    } catch let error as EditingError {
      #expect(location == nil, "\(error)")
      #expect(error.code == .changeNotSupported)
      return nil
    }
  }

  private func compare(_ photo: PhotoFolder, _ model: Model, _ comment: Comment) throws {
    let state = try photo.store(depth: model.depth).state()
    #expect(state.record?.current == model.state.current, comment)
    #expect(state.record?.base == model.state.base, comment)
    #expect(state.record?.adjustment == model.state.data, comment)
    #expect(state.undoable.map { $0?.current } == model.undo.map(\.current), comment)
    #expect(state.redoable.map { $0?.current } == model.redo.map(\.current), comment)
    for (location, digest) in model.files {
      #expect(photo.exists(location), "\(comment): \(location)")
      if photo.exists(location) {
        #expect(try photo.digest(location) == digest, "\(comment): \(location)")
      }
    }
    if model.state.location == nil { #expect(state.current.path == photo.photo, comment) }
    #expect(photo.exists("photo.base.jpg") == (model.state.base != nil), comment)
    if let base = model.state.base { #expect(try photo.digest("photo.base.jpg") == base, comment) }
    #expect(try photo.bytes("photo.jpg") == photo.original, comment)
    // The last session may outlive the call that used it.
    #expect(try photo.litter().filter { !$0.contains("staging") } == [], comment)
  }
}
