// SPDX-License-Identifier: Apache-2.0

/// A step through the states of an edit.
package enum EditStep: Hashable, Sendable {
  /// A step to the state before the last change.
  case undo
  /// A step to the state that was undone last.
  case redo

  /// Returns the error of a photo without a state for the step.
  package func unavailable(for photo: String) -> EditingError {
    self == .undo ? .nothingToUndo(photo) : .nothingToRedo(photo)
  }
}

/// The states before and after the current one, which is kept elsewhere.
package struct EditJournal<State> {
  /// Earlier states, the latest last.
  package private(set) var undo: [State]
  /// Undone states, the next one last.
  package private(set) var redo: [State]

  package init(undo: [State] = [], redo: [State] = []) {
    self.undo = undo
    self.redo = redo
  }

  /// The states that undo and redo can restore.
  package var states: [State] { undo + redo }

  /// Returns all states from the oldest to the latest, of which the current one has the number
  /// `undo.count`.
  package func history(around current: State) -> [State] { undo + [current] + redo.reversed() }

  /// Returns the numbers in the history of the current state and of those that a step leads to.
  package func numbers(_ step: EditStep) -> ClosedRange<Int> {
    step == .undo ? 0...undo.count : undo.count...undo.count + redo.count
  }

  /// The state that steps in one direction lead to; nil if there are fewer states.
  ///
  /// - Parameter steps: The number of steps; less than 1 counts as 1.
  package subscript(step: EditStep, steps: Int) -> State? {
    get { index(step, steps).map { self[keyPath: Self.stack(step)][$0] } }
    set {
      guard let newValue, let index = index(step, steps) else { return }
      self[keyPath: Self.stack(step)][index] = newValue
    }
  }

  /// Adds the state that a new one follows; what was undone can no longer be redone.
  package mutating func append(_ superseded: State) {
    undo.append(superseded)
    redo = []
  }

  /// Removes the state that steps lead to, and adds the current one and those that are passed in
  /// the opposite direction.
  ///
  /// - Returns: The removed state; nil if there are fewer states, in which case nothing changes.
  @discardableResult
  package mutating func move(_ step: EditStep, _ steps: Int, from current: State) -> State? {
    guard let index = index(step, steps) else { return nil }
    let passed = self[keyPath: Self.stack(step)][index...]
    self[keyPath: Self.stack(step)].removeSubrange(index...)
    self[keyPath: Self.stack(step == .undo ? .redo : .undo)] +=
      [current] + passed.dropFirst().reversed()
    return passed.first
  }

  /// Removes the oldest states that exceed the number of changes that can be undone.
  package mutating func trim(to depth: Int) {
    undo.removeFirst(max(0, undo.count - max(0, depth)))
  }

  private func index(_ step: EditStep, _ steps: Int) -> Int? {
    let count = self[keyPath: Self.stack(step)].count
    return steps <= count && count > 0 ? count - max(1, steps) : nil
  }

  private static func stack(_ step: EditStep) -> WritableKeyPath<Self, [State]> {
    step == .undo ? \.undo : \.redo
  }
}

extension EditJournal: Equatable where State: Equatable {}
extension EditJournal: Hashable where State: Hashable {}
extension EditJournal: Sendable where State: Sendable {}
