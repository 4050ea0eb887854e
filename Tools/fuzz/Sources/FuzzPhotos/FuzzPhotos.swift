// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import FuzzSupport
import Glibc

@testable import PhotoEditLibrary
@testable import PhotoEditStorage

/// Reads the database of an Apple Photos library, and the properties of its items.
@_cdecl("LLVMFuzzerTestOneInput")
public func fuzz(_ start: UnsafePointer<UInt8>, _ count: Int) -> CInt {
  // The folder is created when it is first used.
  let library = folder
  Scratch.write(Data(UnsafeBufferPointer(start: start, count: count)), "database/Photos.sqlite")
  guard let database = try? PhotosDatabase(library: library) else { return 0 }
  for item in database.items { _ = StatedProperties(item) }
  return 0
}

private let folder: OpenFolder = {
  // The reader copies the database to the folder of temporary files.
  setenv("TMPDIR", Scratch.folder.path, 1)
  do {
    try FileManager.default.createDirectory(
      at: Scratch.folder.appending(path: "database"), withIntermediateDirectories: true)
    return try OpenFolder(Scratch.folder.path)
  } catch {
    fatalError("\(error)")
  }
}()
