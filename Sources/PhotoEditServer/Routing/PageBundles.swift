// SPDX-License-Identifier: Apache-2.0

/// The modules that a browser needs first, together in a few files: each request costs it some
/// milliseconds, as much as reading a hundred modules.
///
/// A bundle has a block for each of its modules, in the order of their evaluation. What a module
/// exports is a variable of the bundle, named by module and name; every other module imports these.
/// The path of a bundled module returns its exports as well, so that there is one instance of it.
struct PageBundles: Sendable {
  /// The texts of bundles and of bundled modules by their paths.
  private(set) var texts: [String: String] = [:]
  /// The bundles by the paths of their modules.
  private var bundles: [String: String] = [:]
  private static let common = "js/bundle-common.js"

  /// Bundles modules.
  ///
  /// - Parameters:
  ///   - screens: The modules with which screens begin: what all of them import is the first bundle,
  ///     and each has one of its own.
  ///   - load: Returns a module by its path.
  init(screens: [String], load: (String) -> PageModule?) {
    var known: [String: PageModule] = [:]
    /// Adds a module after what it imports, in the order of evaluation.
    func add(_ path: String, to order: inout [PageModule]) {
      guard !order.contains(where: { $0.path == path }),
        let module = known[path] ?? load(path)
      else { return }
      known[path] = module
      for item in module.imports { add(item.path, to: &order) }
      order.append(module)
    }
    let orders = screens.map { screen in
      var order: [PageModule] = []
      add(screen, to: &order)
      return order
    }
    func isShared(_ module: PageModule) -> Bool {
      orders.allSatisfy { $0.contains { $0.path == module.path } }
    }
    var contents: [(path: String, modules: [PageModule])] = [
      (Self.common, (orders.first ?? []).filter(isShared))
    ]
    for (screen, order) in zip(screens, orders) {
      let name = screen.split(separator: "/").last ?? ""
      contents.append(("js/bundle-\(name)", order.filter { !isShared($0) }))
    }
    for (path, modules) in contents { for module in modules { bundles[module.path] = path } }
    for (path, modules) in contents {
      texts[path] = text(of: modules, path)
      for module in modules { texts[module.path] = module.exports(from: path) }
    }
  }

  /// Returns the text of a module that is in no bundle, with its imports from bundles.
  func text(of module: PageModule) -> String { module.importing(from: bundles) }

  /// Returns the paths of what a browser loads to evaluate the module of a screen.
  func files(of screen: String) -> [String] {
    [Self.common, bundles[screen], screen].compactMap(\.self)
  }

  private func text(of modules: [PageModule], _ path: String) -> String {
    let names = modules.flatMap(\.variables)
    let others = modules.flatMap(\.imports).filter { bundles[$0.path] != path }
      .flatMap { item in item.names.map { PageModule.variable($0.imported, of: item.path) } }
    var text = ""
    if !others.isEmpty {
      let list = Set(others).sorted().joined(separator: ", ")
      text += "import { \(list) } from './\(Self.common.dropFirst("js/".count))';\n"
    }
    text += "let \(names.joined(separator: ", "));\n"
    text += modules.map(\.block).joined()
    return text + "export { \(names.joined(separator: ", ")) };\n"
  }
}
