// SPDX-License-Identifier: Apache-2.0

/// A command that lists the photos of bursts or selects the ones to show.
struct AssetBurstCommand: Command {
  static let configuration = CommandConfiguration<Self>(
    "asset burst", "List the photos of bursts, or pick the ones to show.",
    discussion: """
      'show' lists all photos of the bursts that contain the assets. 'pick' shows the assets in \
      default lists, and hides the others of their bursts; with --keep-picked, the others are \
      moved to the trash.
      """,
    examples: [
      CommandExample("asset burst show 3F25", "list the photos of a burst"),
      CommandExample(
        "asset burst pick 3F25 7A01 --keep-picked --yes", "keep two photos of a burst"),
    ],
    writesJSON: true,
    arguments: [
      .positional("ACTION", \.action, "What to do with the bursts."),
      .group(\.deletion, DeletionArguments.arguments("ASSET", AssetArguments.help)),
      .flag("keep-picked", \.keepsPicked, "With pick, move the other photos to the trash."),
      .group(\.deletion, [DeletionArguments.confirmation]),
    ])

  enum Action: String, CaseIterable, ArgumentValue {
    case show, pick
  }

  var action = Action.show
  var deletion = DeletionArguments()
  var keepsPicked = false

  func run(in environment: CommandEnvironment) throws(CommandFailure) {
    guard action == .pick || !keepsPicked else {
      throw .usage("--keep-picked requires the action 'pick'")
    }
    let library = try deletion.library.open(environment)
    let assets = try library.assets(named: deletion.names)
    let members = try members(of: assets, in: library)
    if action == .show { return try show(members, environment) }
    let picked = Set(assets.map(\.localIdentifier))
    let others = keepsPicked ? members.filter { !picked.contains($0.localIdentifier) } : []
    guard others.isEmpty || deletion.isConfirmed else {
      throw .usage(
        "this command moves \(counted(others.count, "asset")) to the trash",
        hint: "use --yes to confirm")
    }
    try changing(library) { changes throws(LibraryError) in
      if others.isEmpty {
        try changes.pick(assets)
      } else {
        try changes.pick(assets, deleting: others)
      }
    }
    if environment.wantsJSON {
      return try environment.write([
        "picked": .texts(assets.map(\.localIdentifier)),
        "deleted": .texts(others.map(\.localIdentifier)),
      ])
    }
    environment.note(
      "\(assets.count) picked" + (others.isEmpty ? "" : ", \(others.count) deleted"))
  }

  /// Returns the photos of all bursts that contain the assets.
  private func members(
    of assets: [Asset], in library: PhotoLibrary
  ) throws(CommandFailure) -> [Asset] {
    var seen: Set<String> = []
    var members: [Asset] = []
    for asset in assets {
      guard let burst = asset.burstIdentifier else {
        throw CommandFailure(
          .badData, "\(asset.localIdentifier): is not part of a burst",
          hint: "list bursts with 'photoedit asset list is:burst'",
          code: "requestNotSupportedForAsset")
      }
      guard seen.insert(burst).inserted else { continue }
      members += try inLibrary(
        Array(library.fetchAssets(withBurstIdentifier: burst, options: .complete)))
    }
    return members
  }

  private func show(
    _ members: [Asset], _ environment: CommandEnvironment
  ) throws(CommandFailure) {
    for asset in members {
      if environment.wantsJSON {
        try environment.write(asset.json)
      } else {
        environment.print(asset.line + asset.burstNote)
      }
    }
    if !environment.wantsJSON { environment.note(counted(members.count, "asset")) }
  }
}

extension Asset {
  /// The ways in which a photo was selected from its burst, in parentheses.
  fileprivate var burstNote: String {
    let notes = [
      self.representsBurst ? "shown" : nil,
      self.burstSelectionTypes.contains(.userPick) ? "picked" : nil,
      self.burstSelectionTypes.contains(.autoPick) ? "picked by the camera" : nil,
    ].compactMap { $0 }
    return notes.isEmpty ? "" : "  (" + notes.joined(separator: ", ") + ")"
  }
}
