// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzSupport
import PhotoEditLibrary
import PhotoEditStorage

/// Parses a change token as text, as bytes, and as bytes with a corrected checksum; it must survive
/// a round trip, and a library must respond with changes or an error.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  let bytes = Array(UnsafeBufferPointer(start: start, count: count))
  check(try? PersistentChangeToken(String(decoding: bytes, as: UTF8.self)))
  check(try? PersistentChangeToken(bytes: bytes))
  let checksum = SHA256Digest(of: bytes).bytes.prefix(6)
  check(try? PersistentChangeToken(bytes: bytes + checksum))
  // The library's identifier, which the fuzzer cannot guess.
  guard let name = try? library.currentChangeToken.bytes.prefix(17) else { return 0 }
  let own = name + bytes.prefix(16)
  check(try? PersistentChangeToken(bytes: own + SHA256Digest(of: Array(own)).bytes.prefix(6)))
  return 0
}

private func check(_ token: PersistentChangeToken?) {
  guard let token else { return }
  precondition(
    (try? PersistentChangeToken(bytes: token.bytes)) == token, "bytes parse differently")
  precondition((try? PersistentChangeToken(token.description)) == token, "text parses differently")
  guard let changes = try? library.fetchPersistentChanges(since: token) else { return }
  var count = 0
  for _ in changes { count += 1 }
  precondition(count <= 2, "more changes than there are: \(count)")
}

/// A library with two commits.
private let library: PhotoLibrary = {
  do {
    let library = try PhotoLibrary.create(at: Scratch.folder.appending(path: "library"))
    for title in ["a", "b"] {
      try library.performChangesAndWait { _ = try $0.createAlbum(title: title) }
    }
    return library
  } catch {
    fatalError("\(error)")
  }
}()
