// SPDX-License-Identifier: Apache-2.0
import Foundation
import PhotoEdit
import PhotoEditFoundation
import PhotoEditLibrary
import Testing

@Suite("Errors bridged to Foundation")
struct ErrorTests {
  @Test func `an editing error bridges to NSError with PhotoKit's domain, code and file path`()
    async
  {
    let photo = URL(filePath: "/nowhere/photo.jpg")
    let error = await #expect(throws: EditingError.self) {
      try await SidecarStore(photo: photo).editingInput()
    }
    guard let error else { return }
    let bridged = error as NSError
    #expect(bridged.domain == "PHPhotosErrorDomain" && bridged.code == 3303)
    #expect(bridged.userInfo[NSFilePathErrorKey] as? String == photo.path)
    #expect(error.localizedDescription.contains(photo.path))
  }

  @Test func `a library error bridges to NSError with domain, code and recovery suggestion`() throws
  {
    let error = #expect(throws: LibraryError.self) {
      try PhotoLibrary(at: URL(filePath: "/nowhere/library"))
    }
    guard let error else { return }
    let bridged = error as NSError
    #expect(bridged.domain == EditingError.errorDomain && bridged.code == error.code.rawValue)
    #expect(error.localizedDescription == error.errorDescription)
    #expect(bridged.localizedRecoverySuggestion == error.hint)
  }
}
