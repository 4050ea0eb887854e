// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Sessions for callers with something better to do; nothing blocks the calling task's thread.
extension EditingStore {
  /// Asks for the version to edit.
  ///
  /// Unedited: the original. Edited, and the options' closure says yes to the record: the base
  /// with the data. Otherwise: the current rendering, without the data.
  ///
  /// - Throws: `EditingError`; `userCancelled` when the task is cancelled.
  public func editingInput(
    _ options: EditingInputRequestOptions = EditingInputRequestOptions()
  ) async throws(EditingError) -> EditingInput {
    try await inBackground { cancellation throws(EditingError) in
      try openInput(options, cancellation: cancellation)
    }
  }

  /// Makes the place for the result of a session.
  public func editingOutput(for input: EditingInput) async throws(EditingError) -> EditingOutput {
    try await inBackground { _ throws(EditingError) in try openOutput(for: input) }
  }

  /// Checks an output and makes it the current version, in one step.
  ///
  /// - Throws: `EditingError`; the output stays usable, and nothing has changed.
  @discardableResult
  public func commit(_ output: EditingOutput) async throws(EditingError) -> EditState {
    try await inBackground { cancellation throws(EditingError) in
      try performCommit(output, cancellation: cancellation)
    }
  }

  /// Goes back to the original in one step; a photo that is not edited stays as it is.
  @discardableResult
  public func revert() async throws(EditingError) -> EditState {
    try await change(.revert)
  }

  /// Goes back to the state before the last change.
  @discardableResult
  public func undo() async throws(EditingError) -> EditState {
    try await change(.undo)
  }

  /// Goes forward to the state that was undone last.
  @discardableResult
  public func redo() async throws(EditingError) -> EditState {
    try await change(.redo)
  }

  private func change(_ change: EditChange) async throws(EditingError) -> EditState {
    try await inBackground { _ throws(EditingError) in
      try perform(change, expecting: try state().revision)
    }
  }
}

/// Runs a body that blocks away from the threads of tasks, unless its task was cancelled before.
func inBackground<Value: Sendable>(
  _ body: @escaping @Sendable (Cancellation) throws(EditingError) -> Value
) async throws(EditingError) -> Value {
  if Task.isCancelled { throw .cancelled }
  return try await blocking(Cancellation(), body)
}
