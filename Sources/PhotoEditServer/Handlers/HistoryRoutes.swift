// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditFilters

extension WebService {
  /// The states of an edit, and the changes of it as a whole.
  var historyRoutes: [Route] {
    [
      Route("GET", "/api/assets/{asset}/history") { request throws(Problem) in
        let store = try self.source.store(of: request["asset"])
        let state = try editing(store.state())
        return .json(StateHistory(state).json, eTag: state.revision)
      },
      Route("POST", "/api/assets/{asset}/revert", writes: true) { request throws(Problem) in
        _ = try request.members([], isOptional: true)
        return try self.change(.revert, 1, request)
      },
      Route("POST", "/api/assets/{asset}/undo", writes: true) { request throws(Problem) in
        try self.change(.undo, self.steps(request), request)
      },
      Route("POST", "/api/assets/{asset}/redo", writes: true) { request throws(Problem) in
        try self.change(.redo, self.steps(request), request)
      },
    ]
  }

  private func steps(_ request: Request) throws(Problem) -> Int {
    try request.members(["steps"], isOptional: true).number("steps", in: 1...1000) ?? 1
  }

  private func change(
    _ change: EditChange, _ steps: Int, _ request: Request
  ) throws(Problem) -> HTTPResponse {
    let asset = request["asset"]
    let store = try source.store(of: asset)
    let revision = try request.expectedRevision
    var state = try editing(store.state())
    guard state.revision == revision else { throw .stale(state) }
    let available =
      switch change {
      case .undo: state.undoable.count
      case .redo: state.redoable.count
      default: 1
      }
    guard steps <= available else {
      throw Problem(.notEditable, "only \(available) steps are available")
    }
    do throws(EditingError) {
      state = try store.perform(change, steps: steps, expecting: revision)
    } catch {
      guard error.code == .operationInterrupted else { throw Problem(error) }
      throw .stale(try editing(store.state()))
    }
    try edits.refresh(asset: asset)
    return .json(StateHistory(state).current, eTag: state.revision)
  }
}
