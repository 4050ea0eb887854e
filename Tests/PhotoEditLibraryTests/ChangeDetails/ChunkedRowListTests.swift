// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport
import Testing

@testable import PhotoEditLibrary

@Suite("Row lists", .seeded)
struct RowListTests {
  @Test func `editing a list of many chunks matches editing an array`() {
    var random = SeededNumbers(5)
    var array = (0..<9_000).map { Int64($0) }
    var list = ChunkedRowList(array)
    var next: Int64 = 10_000
    for round in 0..<60 {
      let removed = Set((0..<random.below(200)).map { _ in random.below(array.count) }).sorted()
      var inserted: [ChunkedRowList.Insertion] = []
      for index in (0..<random.below(300)).map({ _ in random.below(array.count + 1) }).sorted() {
        inserted.append(ChunkedRowList.Insertion(index: index, row: next))
        next += 1
      }
      list = list.editing(removing: removed, inserting: inserted)
      // From the end, so that earlier indexes stay valid.
      var edited = array
      var removals = removed
      for insertion in inserted.reversed() {
        while let index = removals.last, index >= insertion.index {
          edited.remove(at: removals.removeLast())
        }
        edited.insert(insertion.row, at: insertion.index)
      }
      for index in removals.reversed() { edited.remove(at: index) }
      array = edited
      #expect(Array(list) == array, "round \(round)")
      #expect(
        (0..<50).allSatisfy { _ in
          let index = random.below(array.count)
          return list[index] == array[index]
        })
      let expected = array.shuffled(using: &random).prefix(100)
      let positions = list.indexes(of: expected + [-5, 1 << 60])
      #expect(positions.count == 100 && expected.allSatisfy { array[positions[$0] ?? 0] == $0 })
    }
  }

  @Test func `an emptied list can be filled again`() {
    let empty = ChunkedRowList([1, 2]).editing(removing: [0, 1], inserting: [])
    #expect(empty.isEmpty && Array(empty) == [])
    let filled = empty.editing(
      removing: [], inserting: [.init(index: 0, row: 7), .init(index: 0, row: 8)])
    #expect(Array(filled) == [7, 8])
  }
}
