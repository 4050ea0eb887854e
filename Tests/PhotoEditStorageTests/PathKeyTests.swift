// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage
import PhotoEditTestSupport
import Testing

@Suite("Paths as keys")
struct PathKeyTests {
  @Test func `paths that only look the same are two keys`() {
    let (composed, decomposed) = ("\u{E9}.jpg", "e\u{301}.jpg")
    #expect(composed == decomposed)
    #expect(PathKey(composed) != PathKey(decomposed))
    #expect(Set([PathKey(composed), PathKey(decomposed), PathKey(composed)]).count == 2)
  }
}
