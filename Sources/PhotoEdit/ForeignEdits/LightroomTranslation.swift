// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels

extension LightroomEdit {
  /// The settings as filters, with an account of each.
  ///
  /// The order is fixed, as Lightroom's is: white balance; exposure; contrast, whites and blacks;
  /// highlights and shadows; texture and clarity; the parametric curve and the curves of points;
  /// vibrance and saturation, or gray; tints; noise and sharpening; turn, straightening and crop;
  /// and, on what the crop leaves, vignette and grain.
  ///
  /// Only the geometry means the same here. Lightroom's arithmetic of tones and colours is not
  /// published and begins with raw data: for it stand the nearest filters, in proportion.
  public func translation(for target: ForeignTranslation.Target) -> ForeignTranslation {
    var translator = LightroomTranslator(self, target)
    translator.translateTones()
    translator.translateColors()
    translator.translateDetail()
    translator.translateGeometry()
    translator.translateEffects()
    return translator.finished()
  }
}

/// Takes settings away one after the other; what nobody took is listed in the end.
struct LightroomTranslator {
  typealias Setting = ForeignTranslation.Setting

  let target: ForeignTranslation.Target
  let edit: LightroomEdit
  /// Whether the settings that came in 2012 count, and not those before.
  let isModern: Bool
  /// Whether the picture becomes gray.
  let isGray: Bool
  var result = ForeignTranslation(.lightroom)
  /// What is in the file and has not been taken.
  private var left: [String: LightroomEdit.Value] = [:]

  init(_ edit: LightroomEdit, _ target: ForeignTranslation.Target) {
    self.edit = edit
    self.target = target
    let names = Set(edit.settings.map(\.name))
    let version = edit.processVersion.flatMap { LightroomEdit.Value.text($0).number }
    isModern = version.map { $0 >= 6.5 } ?? !names.isDisjoint(with: LightroomCatalog.modern)
    isGray =
      edit.text("ConvertToGrayscale")?.lowercased() == "true"
      || edit.text("Treatment")?.lowercased() == "black & white"
    for setting in edit.settings {
      guard left[setting.name] == nil else {
        let note = "it is written twice; the first one counts"
        if left[setting.name] != setting.value { refuse(setting.name, setting.value, note) }
        continue
      }
      left[setting.name] = setting.value
    }
    if edit.text("HasSettings")?.lowercased() == "false" {
      refuseAll("HasSettings is False: its program does not use it") { _ in true }
    }
    let dormant = isModern ? LightroomCatalog.legacy : LightroomCatalog.modern
    let named = edit.processVersion.map { "process version " + shortened($0) }
    refuseAll("\(named ?? "its process version") does not use it") { dormant.contains($0) }
    if edit.text("HasCrop")?.lowercased() == "false" {
      refuseAll("HasCrop is False: its program does not use it") {
        ["CropTop", "CropLeft", "CropBottom", "CropRight", "CropAngle"].contains($0)
      }
    }
  }

  // MARK: Taking

  /// Whether a setting is there and does something.
  func isActive(_ name: String) -> Bool {
    guard let value = left[name] else { return false }
    switch LightroomCatalog.entry(name) {
    case .descriptive: return false
    case .translated(let neutral), .missing(let neutral, _):
      return !LightroomCatalog.isNeutral(value, neutral)
    case .detail(let parents, let neutral):
      return parents.contains { isActive($0) } && !LightroomCatalog.isNeutral(value, neutral)
    case nil: return true
    }
  }

  /// The number of a setting that does something, within its range; nil for any other.
  ///
  /// One that is no number is listed.
  mutating func number(_ name: String, in range: ClosedRange<Double>) -> Double? {
    guard isActive(name), let value = left[name] else { return nil }
    guard let number = value.number else {
      left[name] = nil
      refuse(name, value, "it is no number")
      return nil
    }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  /// The number of a setting, whatever it does; its default where there is none.
  func plain(_ name: String, in range: ClosedRange<Double>, default: Double) -> Double {
    guard let number = left[name]?.number else { return `default` }
    return min(max(number, range.lowerBound), range.upperBound)
  }

  func value(_ name: String) -> LightroomEdit.Value? { left[name] }

  /// Takes a setting that does nothing beside others, or that others already say.
  mutating func forget(_ name: String) { left[name] = nil }

  // MARK: Listing

  private mutating func refuse(_ name: String, _ value: LightroomEdit.Value, _ note: String) {
    result.unmapped.append(Setting(name: shortened(name), value: value.summary, note: note))
  }

  /// Lists a setting as not brought over.
  mutating func refuse(_ name: String, _ note: String) {
    if let value = left.removeValue(forKey: name) { refuse(name, value, note) }
  }

  private mutating func refuseAll(_ note: String, where isMeant: (String) -> Bool) {
    for name in left.keys.sorted() where isMeant(name) {
      if isActive(name) { refuse(name, note) } else { left[name] = nil }
    }
  }

  /// Adds a filter that stands for settings; each is listed with the parameters that it became.
  mutating func add(_ filter: any Filter, for settings: [(name: String, parameters: [String])]) {
    let refusal = result.add(filter)
    for (name, parameters) in settings {
      if let refusal {
        refuse(name, refusal)
      } else if let value = left.removeValue(forKey: name) {
        result.approximated.append(
          Setting(name: shortened(name), value: value.summary, note: filter.words(parameters)))
      }
    }
  }

  /// Lists a setting that means the same here.
  mutating func map(_ name: String, _ note: String) {
    if let value = left.removeValue(forKey: name) {
      result.mapped.append(Setting(name: shortened(name), value: value.summary, note: note))
    }
  }

  /// Lists a setting that is taken for what it may not be.
  mutating func approximate(_ name: String, _ note: String) {
    if let value = left.removeValue(forKey: name) {
      result.approximated.append(Setting(name: shortened(name), value: value.summary, note: note))
    }
  }

  /// The result, with everything listed that does something and was not taken.
  mutating func finished() -> ForeignTranslation {
    // Whether a detail does something depends on settings that are still there or were taken.
    for name in left.keys.sorted() {
      guard let value = left[name] else { continue }
      switch LightroomCatalog.entry(name) {
      case .descriptive: continue
      case .translated(let neutral):
        if !LightroomCatalog.isNeutral(value, neutral) { refuse(name, value, "no filter takes it") }
      case .missing(let neutral, let reason):
        if !LightroomCatalog.isNeutral(value, neutral) { refuse(name, value, reason) }
      case .detail(let parents, let neutral):
        if parents.contains(where: wasActive), !LightroomCatalog.isNeutral(value, neutral) {
          refuse(name, value, "no filter has this detail of \(parents.joined(separator: ", "))")
        }
      case nil: refuse(name, value, "this version does not know it")
      }
    }
    if edit.hasUnreadXMP {
      result.unmapped.append(
        Setting(
          name: "extended XMP", value: "more settings",
          note: "settings beyond the first segment are not read"))
    }
    result.unmapped.sort { ($0.name, $0.value) < ($1.name, $1.value) }
    return result
  }

  /// Whether a setting of the file does something, taken or not.
  private func wasActive(_ name: String) -> Bool {
    guard let value = edit.settings.first(where: { $0.name == name })?.value else { return false }
    switch LightroomCatalog.entry(name) {
    case .translated(let neutral), .missing(let neutral, _):
      return !LightroomCatalog.isNeutral(value, neutral)
    case .descriptive, .detail, nil: return false
    }
  }
}
