// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditStorage
import Testing

@testable import PhotoEditLibrary

@Suite("Library availability")
struct AvailabilityTests {
  private final class Observer: PhotoLibraryAvailabilityObserver {
    let reported = LockedValue<[LibraryError.Code?]>([])

    func photoLibraryDidBecomeUnavailable(_ library: PhotoLibrary) {
      reported.change { $0.append(library.unavailabilityReason?.code) }
    }
  }

  @Test func `registered observers are notified once, released and unregistered ones never`() throws
  {
    let folder = try TestLibrary()
    let (stays, departing) = (Observer(), Observer())
    for observer in [stays, stays, departing] { try folder.library.register(observer) }
    try folder.library.register(Observer())
    folder.library.unregister(departing)
    try FileManager.default.moveItem(
      at: folder.library.url, to: folder.library.url.appendingPathExtension("away"))
    let codes = stays.reported.wait { $0.isEmpty ? nil : $0 }
    #expect(codes == [.libraryVolumeOffline])
    #expect(throws: LibraryError.self) { try folder.library.register(departing) }
    #expect(departing.reported.withLock { $0 }.isEmpty)
  }
}
