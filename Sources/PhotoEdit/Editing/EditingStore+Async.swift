// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Asynchronous sessions; nothing blocks the calling task's thread.
extension EditingStore {
  /// Requests the version to edit.
  ///
  /// For an unedited photo, this is the original. For an edited photo whose adjustment data is
  /// accepted by the options' closure, it is the base with the data; otherwise, the current
  /// rendering without the data.
  ///
  /// - Throws: `EditingError`; `userCancelled` if the task is canceled.
  public func editingInput(
    _ options: EditingInputRequestOptions = EditingInputRequestOptions()
  ) async throws(EditingError) -> EditingInput {
    try await inBackground { cancellation throws(EditingError) in
      try openInput(options, cancellation: cancellation)
    }
  }

  /// Creates the output for the result of a session.
  public func editingOutput(for input: EditingInput) async throws(EditingError) -> EditingOutput {
    try await inBackground { _ throws(EditingError) in try openOutput(for: input) }
  }

  /// Checks an output and makes it the current version atomically.
  ///
  /// - Throws: `EditingError`; the output stays usable, and nothing has changed.
  @discardableResult
  public func commit(_ output: EditingOutput) async throws(EditingError) -> EditState {
    try await inBackground { cancellation throws(EditingError) in
      try performCommit(output, cancellation: cancellation)
    }
  }

  /// Reverts to the original in one step; an unedited photo is unchanged.
  @discardableResult
  public func revert() async throws(EditingError) -> EditState {
    try await change(.revert)
  }

  /// Restores the state before the last changes.
  ///
  /// - Parameter steps: The number of changes, at least 1; all of them are one commit.
  @discardableResult
  public func undo(steps: Int = 1) async throws(EditingError) -> EditState {
    try await change(.undo, steps: steps)
  }

  /// Restores a state that was undone.
  ///
  /// - Parameter steps: The number of changes, at least 1; all of them are one commit.
  @discardableResult
  public func redo(steps: Int = 1) async throws(EditingError) -> EditState {
    try await change(.redo, steps: steps)
  }

  private func change(
    _ change: EditChange, steps: Int = 1
  ) async throws(EditingError) -> EditState {
    try await inBackground { _ throws(EditingError) in
      try perform(change, steps: steps, expecting: try state().revision)
    }
  }
}

/// Runs a blocking body on a thread not used by tasks, unless its task is already canceled.
func inBackground<Value: Sendable>(
  _ body: @escaping @Sendable (Cancellation) throws(EditingError) -> Value
) async throws(EditingError) -> Value {
  if Task.isCancelled { throw .cancelled }
  return try await blocking(Cancellation(), body)
}
