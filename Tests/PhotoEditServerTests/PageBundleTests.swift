// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import PhotoEditServer

@Suite("Bundles of the page's modules")
struct PageBundleTests {
  private static let sources = [
    "js/dom.js": "export const el = 1;\nexport async function load() {}\n",
    "js/editor/editor.js": """
    // The editor.
    import {
      el,
      load as read,
    } from '../dom.js';
    import { draft } from './draft.js';
    export class Editor {}
    const later = () => import('./later.js');

    """,
    "js/editor/draft.js": "export function draft() {}\n",
    "js/editor/later.js":
      "import { draft } from './draft.js';\nimport { el as e } from '../dom.js';\n",
    "js/grid/grid.js": "import { el } from '../dom.js';\nexport const grid = el;\n",
  ]

  private static let modules = sources.reduce(into: [String: PageModule]()) { modules, source in
    modules[source.key] = PageModule(source.value, path: source.key)
  }

  private let bundles = PageBundles(
    screens: ["js/editor/editor.js", "js/grid/grid.js"]
  ) { modules[$0] }
  private var texts: [String: String] { bundles.texts }

  @Test func `a bundle has the modules common to all screens, and each screen has one`() {
    #expect(
      texts["js/bundle-common.js"] == """
        let dom$el, dom$load;
        {
        const el = 1;
        async function load() {}
        dom$el = el;
        dom$load = load;
        }
        export { dom$el, dom$load };

        """)
    #expect(
      texts["js/bundle-editor.js"] == """
        import { dom$el, dom$load } from './bundle-common.js';
        let editor_draft$draft, editor_editor$Editor;
        {
        function draft() {}
        editor_draft$draft = draft;
        }
        {
        const el = dom$el, read = dom$load, draft = editor_draft$draft;
        // The editor.





        class Editor {}
        const later = () => import('./editor/later.js');
        editor_editor$Editor = Editor;
        }
        export { editor_draft$draft, editor_editor$Editor };

        """)
    #expect(
      texts["js/bundle-grid.js"]?.contains("const grid = el;\ngrid_grid$grid = grid;") == true)
  }

  @Test func `a module of a bundle exports what the bundle has`() {
    #expect(
      texts["js/dom.js"]
        == "export { dom$el as el, dom$load as load } from './bundle-common.js';\n")
    #expect(
      texts["js/editor/draft.js"]
        == "export { editor_draft$draft as draft } from '../bundle-editor.js';\n")
  }

  @Test func `other modules import from bundles, on the same lines`() throws {
    let later = try #require(Self.modules["js/editor/later.js"])
    #expect(
      bundles.text(of: later) == """
        import { editor_draft$draft as draft } from '../bundle-editor.js';
        import { dom$el as e } from '../bundle-common.js';

        """)
  }

  @Test func `every import of the page is the export of a file`() throws {
    let files = StaticFiles()
    let paths = files.paths.filter { $0.hasSuffix(".js") }
    let modules = paths.reduce(into: [String: PageModule]()) { modules, path in
      let text = String(decoding: files.bytes(of: path) ?? [], as: UTF8.self)
      modules[path] = PageModule(text, path: path)
    }
    #expect(modules.count > 150)
    for module in modules.values {
      #expect(!module.exports.contains(""), "\(module.path)")
      for item in module.imports {
        let exports = try #require(modules[item.path], "\(module.path): \(item.path)").exports
        #expect(item.names.allSatisfy { exports.contains($0.imported) }, "\(module.path)")
      }
    }
    var finished: Set<String> = []
    /// Fails if a module imports itself through others: a block needs what is before it.
    func visit(_ path: String, from open: [String]) {
      #expect(!open.contains(path), "\(open + [path])")
      guard !open.contains(path), !finished.contains(path) else { return }
      for item in modules[path]?.imports ?? [] { visit(item.path, from: open + [path]) }
      finished.insert(path)
    }
    for path in paths { visit(path, from: []) }
    let scripts = files.scripts(of: "js/grid/timeline.js")
    #expect(scripts.count == 3 && scripts.last == "js/grid/timeline.js")
  }
}
