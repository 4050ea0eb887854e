// SPDX-License-Identifier: Apache-2.0
import PhotoEdit
import PhotoEditTestSupport
import Testing

/// Compares the journal with all states in one list and the position of the current one.
@Suite("Edit journal", .seeded)
struct EditJournalTests {
  private struct Model {
    var states = [0]
    var current = 0

    mutating func append(_ state: Int) {
      states = states[...current] + [state]
      current += 1
    }

    /// Goes to a state by its number, if there is one.
    mutating func go(to number: Int) -> Int? {
      guard states.indices.contains(number) else { return nil }
      current = number
      return states[number]
    }

    mutating func trim(to depth: Int) {
      let surplus = max(0, current - max(0, depth))
      states.removeFirst(surplus)
      current -= surplus
    }
  }

  @Test(arguments: 0..<SeededNumbers.cases(200))
  func `any changes and steps keep the states of one list`(seed: Int) {
    var random = SeededNumbers(seed)
    var (journal, model) = (EditJournal<Int>(), Model())
    var current = 0
    for change in 1...100 {
      switch random.below(8) {
      case 0...2:
        journal.append(current)
        model.append(change)
        current = change
      case 3:
        // A revert is a change to a state that there was already.
        journal.append(current)
        model.append(0)
        current = 0
      case 4:
        let depth = random.below(9) - 1
        journal.trim(to: depth)
        model.trim(to: depth)
      case 5:
        let number = random.below(model.states.count)
        let step: EditStep = number < model.current ? .undo : .redo
        #expect(journal.numbers(step).contains(number))
        guard number != model.current else { break }
        let next = journal.move(step, abs(number - model.current), from: current)
        #expect(next != nil && next == model.go(to: number))
        current = next ?? current
      default:
        let (step, steps): (EditStep, Int) = (random.below(2) == 0 ? .undo : .redo, random.below(5))
        let distance = max(1, steps)
        let (before, expected) = (journal, journal[step, steps])
        let next = journal.move(step, steps, from: current)
        #expect(
          next == model.go(to: step == .undo ? model.current - distance : model.current + distance))
        #expect(next == expected)
        if next == nil { #expect(journal == before) }
        current = next ?? current
      }
      #expect(journal.history(around: current) == model.states)
      #expect(journal.undo.count == model.current && current == model.states[model.current])
      #expect(journal.states.count == model.states.count - 1)
      #expect(journal.numbers(.undo) == 0...model.current)
      #expect(journal.numbers(.redo) == model.current...model.states.count - 1)
    }
  }

  @Test func `a state is replaced where steps find it, and nowhere else`() {
    let journal = EditJournal(undo: [1, 2, 3], redo: [6, 5])
    var changed = journal
    changed[.undo, 2] = 20
    changed[.redo, 2] = 60
    changed[.redo, 3] = 70
    changed[.undo, 1] = nil
    #expect(changed == EditJournal(undo: [1, 20, 3], redo: [60, 5]))
    #expect(changed[.undo, 0] == 3 && changed[.redo, .min] == 5 && changed[.undo, .max] == nil)
  }
}
