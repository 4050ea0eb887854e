// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditServer

@Suite("The files of the page as they are sent")
struct PageSourceTests {
  private func stripped(_ source: String, _ path: String = "a.js") -> String {
    String(decoding: PageSource.stripped(Array(source.utf8), of: path), as: UTF8.self)
  }

  @Test func `comments and indentation are left out, and lines keep their numbers`() {
    let source = """
      // A comment.
      /**
       * @param {string} a
       */
      function f(a) {
        return a; // the end
        /* one */ f(/* two */ 1);
      }

      """
    #expect(stripped(source) == "\n\n\n\nfunction f(a) {\nreturn a;\nf(  1);\n}\n")
  }

  @Test func `strings, templates and regular expressions stay as they are`() {
    let lines = [
      "const a = 'it\\'s // no comment', b = \"/* none */\";",
      "const c = `  // ${d ? `/* ${e({ f: '}' })} */` : '//'}  `;",
      "const g = /[/*]\\/\\/['\"]/.test(h), i = j / k / l, m = n++ / 2;",
      "return /\\/\\*/.exec(o) ?? (p) / q;",
      "case /'/:", "x.replace(/[`\"]/g, '');",
    ]
    for line in lines { #expect(stripped(line) == line) }
    let template = "`a\n    b // c\n  ${ d }\n  /* e */`"
    #expect(stripped("  f(\(template));  // g\n") == "f(\(template));\n")
  }

  @Test func `words around a comment stay apart`() {
    #expect(stripped("return/* a */b") == "return b")
    #expect(stripped("return /* a\nb */ c") == "return\nc")
    #expect(stripped("a/* b") == "a ")
    #expect(stripped("'a") == "'a")
    #expect(stripped("`a${b") == "`a${b")
    #expect(stripped("a = /b") == "a = /b")
  }

  @Test func `a style sheet has no line comments, and other files stay as they are`() {
    let sheet = "/* A. */\na {\n  background: url(//b); /* c */\n  content: \"/* d */\";\n}\n"
    #expect(
      stripped(sheet, "a.css")
        == "\na {\nbackground: url(//b);\ncontent: \"/* d */\";\n}\n")
    #expect(stripped("<!-- // a -->  \n", "a.html") == "<!-- // a -->  \n")
  }

  @Test func `every module of the page keeps its lines and loses its comments`() throws {
    let files = StaticFiles()
    let paths = files.paths.filter { $0.hasSuffix(".js") }
    #expect(paths.count > 150)
    for path in paths {
      let source = try #require(files.bytes(of: path))
      let sent = PageSource.stripped(source, of: path)
      let newline = UInt8(ascii: "\n")
      #expect(source.count { $0 == newline } == sent.count { $0 == newline }, "\(path)")
      #expect(!String(decoding: sent, as: UTF8.self).contains("SPDX"), "\(path)")
    }
  }
}
