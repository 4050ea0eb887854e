// SPDX-License-Identifier: Apache-2.0
import Testing

@Suite("No private data in repository text")
struct PrivacyTests {
  @Test func `no text contains machine-specific paths or host names`() {
    #expect(Repository.texts.count > 40)
    #expect(Repository.texts.flatMap(PrivacyRules.findings) == [])
  }

  @Test(arguments: [
    ["see ", "/ro", "ot/notes.md"], ["path = \"", "/wo", "rk/main\""], ["", "/ho", "me/me/.cache"],
    ["file://", "/ho", "me/me"], ["pip install from https://py", "pi.org/simple"],
    ["https://files.python", "hosted.org/x"], ["http://10.0.", "0.7:3128"],
    ["https://user:word@mirror.", "internal/simple"], ["FROM gh", "cr.io/x"],
  ])
  func `a machine-specific path or host is reported`(pieces: [String]) {
    let file = TextFile(path: "README.md", text: "# photoedit\n" + pieces.joined())
    #expect(PrivacyRules.findings(in: file).count == 1)
  }

  @Test(arguments: [
    "https://www.rfc-editor.org/rfc/rfc8785", "docs/home/index.md", "/usr/share/color/icc",
    "http://127.0.0.1:8080/", "the work/rest balance", "1.2.3.4", "git clone ssh://example.org/x",
  ])
  func `ordinary paths and addresses are accepted`(text: String) {
    #expect(PrivacyRules.findings(in: TextFile(path: "README.md", text: text)) == [])
  }
}
