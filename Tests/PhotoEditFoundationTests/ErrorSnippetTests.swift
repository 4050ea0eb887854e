// SPDX-License-Identifier: Apache-2.0
import Foundation
import PhotoEdit
import PhotoEditFoundation
import Testing

/// Holds the code of the documentation catalog, which a housekeeping test compares.
@Suite("Swift snippets in the PhotoEditFoundation documentation")
struct ErrorSnippetTests {
  @Test func `an error is bridged as documented`() {
    let error = EditingError(
      .notEnoughSpace, path: "/a.jpg", "no space", hint: "remove files")
    let bridged = error as NSError
    print(bridged.domain, bridged.code, bridged.localizedDescription)
    #expect(bridged.domain == EditingError.errorDomain && bridged.code == 3305)
    #expect(bridged.localizedRecoverySuggestion == "remove files")
  }
}
