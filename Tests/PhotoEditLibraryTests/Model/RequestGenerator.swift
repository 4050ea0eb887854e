// SPDX-License-Identifier: Apache-2.0
import PhotoEditTestSupport

@testable import PhotoEditLibrary

/// Generates random requests, most of which are valid.
struct RequestGenerator {
  var random: SeededNumbers
  /// The number of the next object.
  var next = 0
  /// List orders that callers fetched earlier.
  var recordedOrders: [(list: Int, order: [Int])] = []

  private let assetLimit = 60
  private let collectionLimit = 16

  init(seed: Int) { random = SeededNumbers(seed) }

  /// Generates a block of one to eight requests.
  mutating func block(_ model: LibraryModel) -> [ModelRequest] {
    var draft = model
    var block: [ModelRequest] = []
    for _ in 0...random.below(8) {
      let request = request(draft)
      // Most invalid requests are replaced; some stay in the block.
      var copy = draft
      do throws(LibraryModel.Refusal) {
        try request.checkShape()
        try copy.apply(request)
        draft = copy
        block.append(request)
      } catch {
        if random.below(12) == 0 { block.append(request) }
      }
    }
    return block
  }

  mutating func recordOrders(_ model: LibraryModel) {
    guard let list = model.lists.keys.sorted().randomElement(using: &random) else { return }
    recordedOrders.append((list, model.visible(list)))
    if recordedOrders.count > 20 { recordedOrders.removeFirst() }
  }

  private mutating func request(_ model: LibraryModel) -> ModelRequest {
    let alive = model.assets.filter { $0.value.state == 0 }.keys.sorted()
    let trashed = model.assets.filter { $0.value.state == 1 }.keys.sorted()
    let there = model.collections.filter(\.value.itemExists).keys.sorted()
    switch random.below(100) {
    case ..<8 where alive.count < assetLimit: return newAsset(model)
    case ..<11: return .setFavorite(asset(model), random.below(2) == 0)
    case ..<13: return .setHidden(asset(model), random.below(2) == 0)
    case ..<16:
      return .setAssetTitle(asset(model), [nil, "a", "b"][random.below(3)])
    case ..<21: return .trash(some(of: alive))
    case ..<26: return .restore(some(of: random.below(9) == 0 ? alive : trashed))
    case ..<29: return .purge(some(of: random.below(15) == 0 ? alive : trashed))
    case ..<35 where there.count < collectionLimit:
      next += 1
      let isFolder = random.below(3) == 0
      let edits = (0..<random.below(3)).map { _ in edit(model, [], isFolder) }
      return .create(next, isFolder: isFolder, title: title(), edits)
    case ..<38: return .rename(collection(model), title())
    case ..<40: return .deleteCollections((0...random.below(2)).map { _ in collection(model) })
    case 99: return .fail
    default: return edits(model)
    }
  }

  private mutating func title() -> String { ["", "one", "two", "drei"][random.below(4)] }

  private mutating func newAsset(_ model: LibraryModel) -> ModelRequest {
    next += 1
    var state = LibraryModel.AssetState()
    if random.below(3) == 0 {
      let burst = random.below(6)
      state.burst = burst
      state.represents = !model.assets.values.contains { $0.burst == burst }
      state.picks = BurstSelection(rawValue: random.below(4))
    }
    return .addAsset(next, state)
  }

  private mutating func asset(_ model: LibraryModel) -> Int {
    model.assets.keys.sorted().randomElement(using: &random) ?? 0
  }

  private mutating func collection(_ model: LibraryModel) -> Int {
    let there = model.collections.filter { $0.value.itemExists || random.below(20) == 0 }
    return there.keys.sorted().randomElement(using: &random) ?? 0
  }

  private mutating func some(of all: [Int]) -> [Int] {
    (0...random.below(3)).compactMap { _ in all.randomElement(using: &random) }
  }

  /// Generates several changes of one list, sometimes based on an outdated order.
  private mutating func edits(_ model: LibraryModel) -> ModelRequest {
    var list = random.below(6) == 0 ? LibraryModel.top : collection(model)
    var seen: [Int]?
    if random.below(3) == 0, let old = recordedOrders.randomElement(using: &random) {
      (list, seen) = old
    }
    let isFolder = list == LibraryModel.top || model.collections[list]?.isFolder == true
    var order = seen ?? model.visible(list)
    var edits: [ModelEdit] = []
    for _ in 0...random.below(4) {
      let edit = edit(model, order, isFolder)
      edits.append(edit)
      // This approximation keeps most later indexes in range.
      switch edit {
      case .append(let new), .insert(let new, _): order += new
      case .remove(let old): order.removeAll { old.contains($0) }
      case .removeAt(let old): order.removeLast(min(order.count, old.count))
      case .replace, .move: break
      }
    }
    return .edit(list, seen: seen, edits)
  }

  private mutating func edit(
    _ model: LibraryModel, _ order: [Int], _ isFolder: Bool
  ) -> ModelEdit {
    let all =
      isFolder
      ? model.collections.filter(\.value.itemExists).keys.sorted()
      : model.assets.filter { $0.value.state == 0 }.keys.sorted()
    let absent = all.filter { !order.contains($0) }
    switch random.below(6) {
    case 0: return .append(some(of: all))
    case 1:
      let objects = Array(Set(some(of: random.below(15) == 0 ? all : absent))).sorted()
      let indexes = indexes(objects.count, below: order.count + objects.count)
      return .insert(objects, at: indexes)
    case 2: return .remove(some(of: random.below(4) == 0 ? all : order))
    case 3: return .removeAt(indexes(1 + random.below(2), below: order.count))
    case 4:
      let objects = Array(Set(some(of: random.below(15) == 0 ? all : absent))).sorted()
      return .replace(at: indexes(objects.count, below: order.count), with: objects)
    default:
      let chosen = indexes(1 + random.below(3), below: order.count)
      return .move(chosen, to: random.below(order.count - chosen.count + 1))
    }
  }

  /// Generates ascending indexes, sometimes invalid ones.
  private mutating func indexes(_ count: Int, below limit: Int) -> [Int] {
    switch random.below(60) {
    case 0: return (0..<count).map { _ in random.below(limit + 2) - 1 }
    default: return Array((0..<max(limit, count)).shuffled(using: &random).prefix(count)).sorted()
    }
  }
}
