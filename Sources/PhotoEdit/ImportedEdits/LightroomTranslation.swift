// SPDX-License-Identifier: Apache-2.0

extension LightroomEdit {
  /// Translates the settings to filters, with a report on each.
  ///
  /// The order is fixed, as in Lightroom: white balance; exposure; contrast, whites, and blacks;
  /// highlights and shadows; texture and clarity; the parametric curve and the point curves;
  /// vibrance and saturation, or gray; tints; noise reduction and sharpening; rotation,
  /// straightening, and crop; and, on the cropped image, vignette and grain.
  ///
  /// Only the geometry has an exact equivalent. Lightroom's algorithms for tone and color are not
  /// published and start from raw data; they are approximated by the nearest filters, in
  /// proportion.
  public func translation(for target: EditConversion.Target) -> EditConversion {
    var translator = LightroomConverter(self, target)
    translator.translateTones()
    translator.translateColors()
    translator.translateDetail()
    translator.translateGeometry()
    translator.translateEffects()
    return translator.finished()
  }
}

/// Translates settings one at a time; those that no filter uses are listed at the end.
struct LightroomConverter {
  typealias Setting = EditConversion.Setting

  let target: EditConversion.Target
  let edit: LightroomEdit
  /// Indicates whether the settings introduced in 2012 apply instead of the older ones.
  let isModern: Bool
  /// Indicates whether the image is converted to grayscale.
  let isGray: Bool
  var result = EditConversion(.lightroom)
  /// The settings of the file that have not been used yet.
  private var remaining: [String: LightroomEdit.Value] = [:]

  init(_ edit: LightroomEdit, _ target: EditConversion.Target) {
    self.edit = edit
    self.target = target
    let names = Set(edit.settings.map(\.name))
    let version = edit.processVersion.flatMap { LightroomEdit.Value.text($0).number }
    isModern = version.map { $0 >= 6.5 } ?? !names.isDisjoint(with: LightroomCatalog.modern)
    isGray =
      edit.text("ConvertToGrayscale")?.lowercased() == "true"
      || edit.text("Treatment")?.lowercased() == "black & white"
    for setting in edit.settings {
      guard remaining[setting.name] == nil else {
        let note = "duplicate setting; the first one is used"
        if remaining[setting.name] != setting.value { refuse(setting.name, setting.value, note) }
        continue
      }
      remaining[setting.name] = setting.value
    }
    if edit.text("HasSettings")?.lowercased() == "false" {
      refuseAll("ignored by Lightroom because HasSettings is False") { _ in true }
    }
    let dormant = isModern ? LightroomCatalog.legacy : LightroomCatalog.modern
    let named = edit.processVersion.map { "process version " + shortened($0) }
    refuseAll("not used by \(named ?? "the process version")") { dormant.contains($0) }
    if edit.text("HasCrop")?.lowercased() == "false" {
      refuseAll("ignored by Lightroom because HasCrop is False") {
        ["CropTop", "CropLeft", "CropBottom", "CropRight", "CropAngle"].contains($0)
      }
    }
  }

  // MARK: Reading settings

  /// Returns whether a setting exists and has an effect.
  func isActive(_ name: String) -> Bool {
    guard let value = remaining[name] else { return false }
    switch LightroomCatalog.entry(name) {
    case .descriptive: return false
    case .translated(let identity), .missing(let identity, _):
      return !LightroomCatalog.isIdentity(value, identity)
    case .detail(let parents, let identity):
      return parents.contains { isActive($0) } && !LightroomCatalog.isIdentity(value, identity)
    case nil: return true
    }
  }

  /// Returns the number of a setting that has an effect, clamped to its range; nil for any other.
  ///
  /// A value that is not a number is listed.
  mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard isActive(name), let value = remaining[name] else { return nil }
    guard let number = value.number else {
      remaining[name] = nil
      refuse(name, value, "not a number")
      return nil
    }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// Returns the number of a setting regardless of its effect, or the default if it has no number.
  func plain(_ name: String, in range: ClosedRange<Double>, default: Double) -> Double {
    guard let number = remaining[name]?.number else { return `default` }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  func value(_ name: String) -> LightroomEdit.Value? { remaining[name] }

  /// Removes a setting that has no effect in combination with others or duplicates them.
  mutating func discard(_ name: String) { remaining[name] = nil }

  // MARK: Listing

  private mutating func refuse(_ name: String, _ value: LightroomEdit.Value, _ note: String) {
    result.unmapped.append(Setting(name: shortened(name), value: value.summary, note: note))
  }

  /// Lists a setting as unmapped.
  mutating func refuse(_ name: String, _ note: String) {
    if let value = remaining.removeValue(forKey: name) { refuse(name, value, note) }
  }

  private mutating func refuseAll(_ note: String, where isMeant: (String) -> Bool) {
    for name in remaining.keys.sorted() where isMeant(name) {
      if isActive(name) { refuse(name, note) } else { remaining[name] = nil }
    }
  }

  /// Adds a filter that represents settings and lists each with its parameters.
  mutating func add(_ filter: any Filter, for settings: [(name: String, parameters: [String])]) {
    let refusal = result.add(filter)
    for (name, parameters) in settings {
      if let refusal {
        refuse(name, refusal)
      } else if let value = remaining.removeValue(forKey: name) {
        result.approximated.append(
          Setting(
            name: shortened(name), value: value.summary, note: filter.argumentText(parameters)))
      }
    }
  }

  /// Lists a setting that has an exact equivalent.
  mutating func map(_ name: String, _ note: String) {
    if let value = remaining.removeValue(forKey: name) {
      result.mapped.append(Setting(name: shortened(name), value: value.summary, note: note))
    }
  }

  /// Returns the result, with all settings listed that have an effect and were not used.
  mutating func finished() -> EditConversion {
    // The effect of a detail setting depends on settings that remain or were used.
    for name in remaining.keys.sorted() {
      guard let value = remaining[name] else { continue }
      switch LightroomCatalog.entry(name) {
      case .descriptive: continue
      case .translated(let identity):
        if !LightroomCatalog.isIdentity(value, identity) {
          refuse(name, value, "no equivalent filter")
        }
      case .missing(let identity, let reason):
        if !LightroomCatalog.isIdentity(value, identity) { refuse(name, value, reason) }
      case .detail(let parents, let identity):
        if parents.contains(where: wasActive), !LightroomCatalog.isIdentity(value, identity) {
          refuse(name, value, "no filter has this detail of \(parents.joined(separator: ", "))")
        }
      case nil: refuse(name, value, "unknown setting")
      }
    }
    if edit.hasUnreadXMP {
      result.unmapped.append(
        Setting(
          name: "extended XMP", value: "more settings",
          note: "settings after the first segment are not read"))
    }
    result.unmapped.sort { ($0.name, $0.value) < ($1.name, $1.value) }
    return result
  }

  /// Returns whether a setting of the file has an effect, used or not.
  private func wasActive(_ name: String) -> Bool {
    guard let value = edit.settings.first(where: { $0.name == name })?.value else { return false }
    switch LightroomCatalog.entry(name) {
    case .translated(let identity), .missing(let identity, _):
      return !LightroomCatalog.isIdentity(value, identity)
    case .descriptive, .detail, nil: return false
    }
  }
}
