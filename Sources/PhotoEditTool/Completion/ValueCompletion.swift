// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials
import PhotoEditCommandLine
import PhotoEditLibrary

/// The completion of values, by their names in the help.
struct ValueCompletion {
  let request: CompletionRequest
  let environment: CommandEnvironment

  static func completion(
    _ request: CompletionRequest, _ environment: CommandEnvironment
  ) -> Completion {
    Self(request: request, environment: environment).completion
  }

  private var completion: Completion {
    switch request.placeholder {
    case "FILE", "PATH", "A", "B": Completion(files: .files)
    case "DIR", "LIBRARY": Completion(files: .folders)
    case "INPUT":
      Completion(assets, files: request.options["library"] == nil ? .files : .none)
    case "ASSET": Completion(assets)
    case "ALBUM": Completion(titles(.assetCollection))
    case "FOLDER": Completion(titles(.collectionList))
    case "CHILD": Completion(titles(.assetCollection) + titles(.collectionList))
    case "YES|NO": Completion(["yes", "no"].map { .init($0) })
    case "NAME" where request.command == "filters": Completion(FilterCompletion.names)
    case "NAME[:KEY=VALUE,…]": FilterCompletion.completion(of: request.prefix)
    case "NODE", "NODE:POSITION": nodes { $0.nodes }
    case "NODE.KEY=VALUE": nodes { $0.assignments(request.prefix) }
    default: Completion()
    }
  }

  // MARK: Libraries

  private var library: LibraryNameReader? {
    let folder =
      request.options["library"]?.last ?? environment.variable(PhotoLibrary.folderVariable)
    guard var folder, !folder.isEmpty else { return nil }
    // The shell has not expanded the word yet.
    if folder.hasPrefix("~/"), let home = environment.variable("HOME") {
      folder = home + folder.dropFirst()
    }
    return LibraryNameReader(at: URL(filePath: folder))
  }

  private func titles(_ objectClass: ObjectClass) -> [Completion.Candidate] {
    (library?.titles(objectClass) ?? []).map { .init($0) }
  }

  private var assets: [Completion.Candidate] {
    let isInTrash = ["asset restore", "asset purge"].contains(request.command)
    return (library?.assets(startingWith: request.prefix, isInTrash: isInTrash) ?? [])
      .map { .init($0.prefix, $0.summary) }
  }

  // MARK: Edits

  private func nodes(_ candidates: (EditCompletion) -> Completion) -> Completion {
    request.operands.first.flatMap { EditCompletion(photo: $0) }.map(candidates) ?? Completion()
  }
}
