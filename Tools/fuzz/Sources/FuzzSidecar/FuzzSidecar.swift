// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzSupport
import PhotoEdit

/// Reads the sidecar of a photo, and reverts, undoes and redoes; no photo in any folder may change.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  restore()
  let bytes = Data(bytes: start, count: count)
  Scratch.write(bytes, "in/photo.jpg.aae")
  let store = SidecarStore(photo: URL(filePath: Scratch.path("in/photo.jpg")))
  guard let state = try? store.state() else { return 0 }
  let changes: [EditChange] = [.revert, .undo, .redo]
  _ = try? store.perform(changes[Int(bytes.last ?? 0) % 3], expecting: state.revision)
  _ = try? store.state()
  for name in photos { precondition(read(name) == photo, "a sidecar changed or removed \(name)") }
  return 0
}

private let photo = Scratch.image("photo-64.jpg")
private let photos = ["in/photo.jpg", "in/second.jpg", "other/photo.jpg", "other/photo.edited.jpg"]

private func read(_ name: String) -> Data? {
  try? Data(contentsOf: URL(filePath: Scratch.path(name)))
}

/// Restores the initial state before each input.
private func restore() {
  let files = FileManager.default
  for folder in ["in", "other"] {
    try? files.createDirectory(atPath: Scratch.path(folder), withIntermediateDirectories: true)
  }
  let names = (try? files.contentsOfDirectory(atPath: Scratch.path("in"))) ?? []
  for name in names where !photos.contains("in/\(name)") {
    try? files.removeItem(atPath: Scratch.path("in/\(name)"))
  }
  for name in photos where read(name) != photo { Scratch.write(photo, name) }
  // A file to revert, with the name of a rendering.
  Scratch.write(photo + [0], "in/photo.edited.jpg")
}
