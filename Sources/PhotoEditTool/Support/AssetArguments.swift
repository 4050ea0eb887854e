// SPDX-License-Identifier: Apache-2.0
import PhotoEditCommandLine
import PhotoEditLibrary

/// The assets that a command works on, and their library.
struct AssetArguments: Sendable {
  var names: [String] = []
  var library = LibraryArguments()

  /// The description of the assets in the help.
  static let help = "Asset identifiers or unique prefixes."

  static func arguments(isRequired: Bool = true) -> [Argument<Self>] {
    [
      .positional("ASSET", \.names, isRequired: isRequired, help),
      .group(\.library, LibraryArguments.arguments),
    ]
  }

  /// Opens the library and finds the assets.
  func find(
    _ environment: CommandEnvironment
  ) throws(CommandFailure) -> (library: PhotoLibrary, assets: [Asset]) {
    let library = try library.open(environment)
    return (library, try library.assets(named: names))
  }
}
