// SPDX-License-Identifier: Apache-2.0

extension [FilterOperation] {
  /// The same operations done in a form of light, starting and ending in encoded light.
  package func inLight(_ light: Light) -> [FilterOperation] {
    switch light {
    case .encoded: self
    case .linear:
      [.curves(.init(.init([.decode])))] + self + [.curves(.init(.init([.encode])))]
    }
  }
}
