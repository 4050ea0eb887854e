// SPDX-License-Identifier: Apache-2.0
import FoundationEssentials

/// A command that prints the completion script for a shell.
struct CompletionsCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "completions", "Print the completion script for a shell.",
    discussion: """
      The script completes commands, options and their values, filters with their parameters, \
      album titles and asset prefixes. Load it in the startup file of the shell: \
      'source <(photoedit completions bash)' in .bashrc, the same with zsh in .zshrc (after \
      compinit), or 'photoedit completions fish | source' in config.fish. The Debian package \
      installs the scripts for all users.
      """,
    examples: [
      CommandExample("completions bash", "print the script for bash")
    ],
    arguments: [.positional("SHELL", \.shell, "Shell.")])

  var shell = CompletionShell.bash

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    environment.output.write(Program.description.completionScript(for: shell))
  }
}

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

/// The completion of `NAME:KEY=VALUE,KEY=VALUE`.
enum FilterCompletion {
  static var names: [Completion.Candidate] {
    (FilterCatalog.descriptions + FilterCatalog.movieOperations.map { $0.description })
      .map { .init($0.name, $0.summary) }
  }

  static func completion(of word: String) -> Completion {
    guard let colon = word.firstIndex(of: ":") else {
      // Parameters may follow after ":".
      return Completion(names, isPartial: true)
    }
    let name = String(word[..<colon])
    guard let filter = try? FilterCatalog.filter(named: name).description else {
      return Completion()
    }
    let start = word.lastIndex(of: ",") ?? colon
    let lead = String(word[...start])
    let part = word[word.index(after: start)...]
    if let equals = part.firstIndex(of: "=") {
      return values(of: String(part[..<equals]), filter).prefixed(by: lead + part[...equals])
    }
    let used = Set(
      lead.dropFirst(name.count + 1).split(separator: ",").map { $0.prefix { $0 != "=" } })
    let keys = parameters(of: filter).filter { !used.contains(Substring($0.text.dropLast())) }
    return Completion(keys, isPartial: true).prefixed(by: lead)
  }

  /// The keys of a filter and of its node, each with "=".
  static func parameters(of filter: FilterDescription) -> [Completion.Candidate] {
    let own = filter.parameters.map { parameter in
      if case .asset = parameter.type { return Completion.Candidate("file=", parameter.summary) }
      return Completion.Candidate(
        parameter.name + "=",
        parameter.summary + " (\(parameter.type.allowed(unit: parameter.unit)))")
    }
    return own + NodeWiring.keys.sorted().map { .init($0 + "=", "option of the node") }
  }

  static func values(of key: String, _ filter: FilterDescription) -> Completion {
    switch key {
    case "file": return Completion(files: .files)
    case "blend": return Completion(BlendMode.allCases.map { .init($0.rawValue) })
    default: break
    }
    switch filter.parameters.first(where: { $0.name == key })?.type {
    case .choice(let names)?: return Completion(names.map { .init($0) })
    case .flag?: return Completion(["true", "false"].map { .init($0) })
    default: return Completion()
    }
  }
}

/// The completion of the filters in a photo's edit, as `adjust` names them.
struct EditCompletion {
  private let graph: FilterGraph

  /// Reads the edit next to a photo; nil without one.
  init?(photo: String) {
    guard let record = try? SidecarStore(path: photo).state().record,
      let graph = record.storedGraph
    else { return nil }
    self.graph = graph
  }

  /// The shortest name of each node: that of its filter if it occurs once, otherwise its ID.
  private var names: [(name: String, node: FilterNode)] {
    let counts = Dictionary(graph.nodes.map { ($0.filter, 1) }, uniquingKeysWith: +)
    return graph.nodes.map { (counts[$0.filter] == 1 ? $0.filter : $0.id, $0) }
  }

  var nodes: Completion {
    Completion(names.map { .init($0.name, $0.node.parametersText) })
  }

  /// The completions of `NODE.KEY=VALUE`.
  func assignments(_ word: String) -> Completion {
    for (name, node) in names where word.hasPrefix(name + ".") {
      let part = word.dropFirst(name.count + 1)
      guard let equals = part.firstIndex(of: "="),
        let filter = try? FilterCatalog.filter(named: node.filter).description
      else { continue }
      return FilterCompletion.values(of: String(part[..<equals]), filter)
        .prefixed(by: name + "." + part[...equals])
    }
    let keys = names.flatMap { name, node -> [Completion.Candidate] in
      let filter = try? FilterCatalog.filter(named: node.filter).description
      guard let filter else { return [] }
      let values = (try? node.resolved())?.values
      return FilterCompletion.parameters(of: filter).map { key in
        let key = String(key.text.dropLast())
        let value = values?[key].map { "now " + $0.argument }
        return .init("\(name).\(key)=", value ?? "")
      }
    }
    return Completion(keys, isPartial: true)
  }
}
