// SPDX-License-Identifier: Apache-2.0
import CommandLineKit
import Filters
import PhotoEditMovies
import Rendering

/// Says what the program is made of and what it reads.
struct VersionCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "version", "Shows the versions of the program and its libraries, and what it reads.",
    discussion: """
      The engine's version changes with the pixels of renderings, the edit format's with what is \
      stored. Libraries for movies are named and not loaded.
      """,
    examples: [CommandExample("version --json", "one object, for reports of problems")],
    writesJSON: true)

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    let copied = Components.copiedMovies.map(\.rawValue)
    let remuxed = Components.remuxedMovies.map(\.rawValue)
    if environment.wantsJSON {
      let versions = Components.versions.map { ($0.name, JSONValue.string($0.version)) }
      return try environment.write([
        "name": "photoedit", "version": .string(Program.version),
        "components": .object(Dictionary(versions) { first, _ in first }),
        "kernels": .object([
          "chosen": .string(RowKernels.chosen), "available": .texts(RowKernels.available),
        ]),
        "pictures": .texts(Components.pictureFormats),
        "movies": .object([
          "copied": .texts(copied), "remuxed": .texts(remuxed),
          "library": .string(MoviePassThrough.libraryName),
        ]),
      ])
    }
    environment.print("photoedit \(Program.version)")
    for component in Components.versions {
      environment.print("  \(component.name) \(component.version)")
    }
    environment.print("kernels: \(RowKernels.chosen)")
    environment.print("pictures: " + Components.pictureFormats.joined(separator: ", "))
    environment.print(
      "movies: \(copied.joined(separator: ", ")); "
        + "\(remuxed.joined(separator: ", ")) with \(MoviePassThrough.libraryName)")
  }
}
