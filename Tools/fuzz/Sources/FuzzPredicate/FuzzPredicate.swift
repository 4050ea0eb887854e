// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzSupport
import PhotoEditLibrary

/// Parses a predicate, and words of a search; the description of a predicate must parse as the same
/// one, and the database must return the same results as evaluation in memory.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let text = String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  for arguments in [[], [1], ["a"], [1, 2]] as [[FetchArgument]] {
    guard let predicate = try? FetchPredicate<Asset>(format: text, arguments) else { continue }
    guard let again = try? FetchPredicate<Asset>(format: predicate.description) else {
      preconditionFailure("a description cannot be parsed: \(predicate)")
    }
    precondition(again == predicate, "a description parses differently: \(predicate)")
    compare(predicate)
  }
  let words = text.split(separator: " ").prefix(8).map { String($0) }
  if let predicate = try? FetchPredicate<Asset>(search: words) { compare(predicate) }
  if let predicate = try? FetchPredicate<AssetCollection>(format: text) {
    precondition((try? FetchPredicate(format: predicate.description)) == predicate, "an album's")
  }
  return 0
}

/// Compares the results of the database with evaluation in memory.
private func compare(_ predicate: FetchPredicate<Asset>) {
  guard let found = try? library.fetchAssets(FetchOptions(predicate: predicate)) else {
    preconditionFailure("a parsed predicate cannot be executed: \(predicate)")
  }
  let expected = all.filter { predicate.evaluate(with: $0) }
  precondition(Array(found) == expected, "database and memory differ: \(predicate)")
}

/// A library with a few different assets.
private let library: PhotoLibrary = {
  do {
    let library = try PhotoLibrary.create(at: Scratch.folder.appending(path: "library"))
    try library.performChangesAndWait { changes in
      for (number, name) in ["photo-64.jpg", "jpeg-gray.jpg", "jpeg-17x1.jpg"].enumerated() {
        let asset = try changes.createAsset()
        try asset.addResource(.photo, data: Array(Scratch.image(name)))
        try asset.setFavorite(number == 1)
        try asset.setCreationDate(number == 2 ? nil : Date(timeIntervalSince1970: 1e9))
        try asset.setTitle(["a", "É%_", nil][number])
      }
    }
    return library
  } catch {
    fatalError("\(error)")
  }
}()

private let all: [Asset] = (try? library.fetchAssets()).map { Array($0) } ?? []
