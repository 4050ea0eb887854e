// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import Rendering

/// What the program is made of, for `version`.
enum Components {
  static var all: [ProgramDescription.Component] {
    [
      .init("engine", "\(Renderer.semanticsVersion)"),
      .init("edit format", "\(FilterGraph.formatIdentifier) \(FilterGraph.formatVersion)"),
    ]
  }
}
