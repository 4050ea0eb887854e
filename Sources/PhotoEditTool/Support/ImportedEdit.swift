// SPDX-License-Identifier: Apache-2.0

/// The third-party edit given by `--import-edit`.
struct ImportedEdit: Sendable {
  let path: String
  private let edit: ThirdPartyEditFile

  init(_ path: String) throws(CommandFailure) {
    self.path = path
    let bytes = try mapFileErrors(FileBytes.reading(path))
    edit = try translating(
      { CommandFailure($0 as EditImportError, input: path) }, ThirdPartyEditFile(bytes))
  }

  /// The failure without `--allow-approximate`, which lists the settings that are used and those
  /// that are not.
  var refusal: CommandFailure {
    let translation = edit.translation(for: .init(size: .init(width: 6000, height: 4000)))
    func list(_ title: String, _ settings: [EditConversion.Setting]) -> String? {
      if settings.isEmpty { return nil }
      let names = settings.prefix(60).map(\.name).joined(separator: ", ")
      return title + " " + names + (settings.count > 60 ? " and \(settings.count - 60) more" : "")
    }
    let lists = [
      list("mapped:", translation.mapped), list("approximated:", translation.approximated),
      list("not used:", translation.unmapped),
    ].compactMap { $0 }
    return .usage(
      "--import-edit: the settings in \(path) can only be approximated"
        + (lists.isEmpty ? "" : "; " + lists.joined(separator: "; ")),
      hint: "use --allow-approximate to accept the approximation")
  }

  /// Returns whether the settings are those of an image: they are stored in it or in its sidecar.
  private func describes(_ input: String) -> Bool {
    let suffix = "." + FileSystem.splitName(path).fileExtension
    return Publishing.isSame(path, input) || Publishing.isSame(path, input + suffix)
      || suffix.lowercased() == ".xmp"
        && Publishing.isSame(path, FileSystem.splitName(input).stem + suffix)
  }

  /// Returns the translation for an image to which a graph has been applied.
  ///
  /// - Parameter original: The input, to whose stored pixels an edit may refer.
  func translation(
    for image: ImageSource, of original: ImageSource, after graph: FilterGraph,
    named input: String,
    _ options: RenderOptions
  ) throws(CommandFailure) -> EditConversion {
    if edit.isAlreadyApplied, input != "-", describes(input) {
      throw CommandFailure(
        .badData, "\(input): the imported settings are already applied to the pixels",
        hint: "pass another image, or another file with --import-edit", code: "alreadyApplied")
    }
    var target = EditConversion.Target(
      size: image.size, orientation: original.metadata.orientation)
    if !graph.isEmpty {
      target.size = try translating(
        { CommandFailure($0 as UnsupportedNode, input: input) },
        graph.resultSize(of: image.size, assets: AssetReader(graph, options).contents()))
    }
    return edit.translation(for: target)
  }
}

extension EditConversion {
  /// Indicates whether the settings may also be in the metadata of the photo.
  var areSettingsOfMetadata: Bool { format == .lightroom }

  /// Prints the settings before a rendering: those that are used as notes, all others as warnings.
  func write(for input: String, to environment: CommandEnvironment) {
    for setting in mapped { environment.note("\(input): mapped \(setting)") }
    for setting in approximated { environment.note("\(input): approximated \(setting)") }
    for setting in unmapped { environment.warn("\(input): not used: \(setting)") }
  }

  /// The report on the settings as JSON.
  var json: JSONValue {
    func list(_ settings: [Setting]) -> JSONValue {
      .array(
        settings.map {
          ["name": .string($0.name), "value": .string($0.value), "note": .string($0.note)]
        })
    }
    return [
      "format": .string(format.rawValue), "mapped": list(mapped),
      "approximated": list(approximated), "unmapped": list(unmapped),
    ]
  }
}
