// SPDX-License-Identifier: Apache-2.0

extension AppleEdit {
  /// Translates crop, straightening, and rotation to filters; all other adjustments are listed as
  /// unmapped.
  ///
  /// Apple does not publish its geometry. Assumed are: a crop in pixels of the stored image,
  /// measured from its top left corner, in a frame that straightening rotates clockwise; and an
  /// orientation that replaces the stored orientation of the image.
  public func translation(for target: EditConversion.Target) -> EditConversion {
    var result = EditConversion(.apple)
    guard case .adjustments(let record) = contents else {
      let what = contents == .opaque ? "private format of its program" : "not a geometry adjustment"
      result.unmapped.append(
        .init(name: formatIdentifier, value: "\(data.count) bytes", note: what))
      return result
    }
    var geometry = AppleGeometry(record, target)
    // If there are several of one kind, the last enabled one applies.
    var last: [String: Int] = [:]
    for (index, adjustment) in record.adjustments.enumerated() where adjustment.isEnabled {
      last[adjustment.identifier] = index
    }
    for (index, adjustment) in record.adjustments.enumerated() {
      let value = shortened(adjustment.settingsText)
      func refuse(_ reason: String) {
        result.unmapped.append(.init(name: adjustment.identifier, value: value, note: reason))
      }
      if !adjustment.isEnabled {
        refuse("disabled")
      } else if !["Crop", "Orientation"].contains(adjustment.identifier) {
        refuse("its rendering is not published by Apple")
      } else if last[adjustment.identifier] != index {
        refuse("replaced by a later adjustment")
      } else if let reason = geometry.read(adjustment) {
        refuse(reason)
      }
    }
    geometry.write(to: &result)
    return result
  }
}

/// The geometry of Apple's adjustments, collected and then written as filters in a fixed order.
private struct AppleGeometry {
  private let record: AppleAdjustments
  private let target: EditConversion.Target
  /// The orientation of the stored pixels that the adjustments refer to.
  private let stored: Orientation
  private var rotation: Orientation?
  /// The crop in pixels of the image as displayed before the rotation.
  private var crop: RotatedCrop?
  private var settings: [EditConversion.Setting] = []
  private var unsupported: [EditConversion.Setting] = []

  init(_ record: AppleAdjustments, _ target: EditConversion.Target) {
    self.record = record
    self.target = target
    stored = record.masterOrientation ?? target.orientation
  }

  /// Reads one adjustment; returns the reason if that is not possible.
  mutating func read(_ adjustment: AppleAdjustment) -> String? {
    adjustment.identifier == "Crop"
      ? readCrop(adjustment.settings) : readOrientation(adjustment.settings)
  }

  private mutating func readOrientation(_ values: [String: JSONValue]) -> String? {
    guard let value = values["value"]?.integerValue, let requested = Orientation(rawValue: value)
    else { return "not an orientation from 1 to 8" }
    rotation = stored.inverse.followed(by: requested)
    settings.append(
      .init(
        name: "Orientation", value: "\(value)",
        note: "interpreted as replacing the stored orientation \(stored.rawValue)"))
    return nil
  }

  private mutating func readCrop(_ values: [String: JSONValue]) -> String? {
    let names = ["xOrigin", "yOrigin", "width", "height"]
    let numbers = names.compactMap { values[$0]?.numberValue }
    let angle = values["straightenAngle"]?.numberValue ?? 0
    guard abs(angle) <= 45 else { return "straightenAngle is more than 45 degrees" }
    guard numbers.count == 4 || numbers.isEmpty else { return "incomplete rectangle" }
    for name in ["pitch", "yaw"] {
      guard let value = values[name]?.numberValue, value != 0 else { continue }
      unsupported.append(
        .init(name: "Crop." + name, value: "\(value)", note: "perspective is not supported"))
    }
    let frame = stored.swapsAxes ? target.size.transposed : target.size
    var rectangle = RotatedCrop(
      left: 0, top: 0, right: Double(frame.width), bottom: Double(frame.height), angle: angle)
    if numbers.count == 4 {
      guard let found = fitting(numbers, frame) else {
        return "the rectangle does not fit the recorded or actual image size"
      }
      (rectangle.left, rectangle.top) = (found.left, found.top)
      (rectangle.right, rectangle.bottom) = (found.right, found.bottom)
      settings.append(
        .init(
          name: "Crop", value: numbers.map(jsonNumber).joined(separator: ", "),
          note: "measured from the top left corner of the stored image (not specified by Apple)"))
    }
    if angle != 0 {
      settings.append(
        .init(
          name: "Crop.straightenAngle", value: jsonNumber(angle),
          note: "interpreted as clockwise about the center (not specified by Apple)"))
    }
    crop = rectangle.applying(stored, to: frame)
    return nil
  }

  /// Returns the rectangle in pixels of the target, based on the recorded size or the target's own.
  private func fitting(_ numbers: [Double], _ frame: PixelSize) -> RotatedCrop? {
    let (x, y, width, height) = (numbers[0], numbers[1], numbers[2], numbers[3])
    guard numbers.allSatisfy({ abs($0) < 1e6 }), width >= 1, height >= 1 else { return nil }
    var sizes = [frame]
    if let orientedSize = record.masterSize {
      let master = stored.swapsAxes ? orientedSize.transposed : orientedSize
      let (a, b) = (
        Double(master.width) * Double(frame.height), Double(master.height) * Double(frame.width)
      )
      // A copy may have another size, but has the same aspect ratio except for rounding.
      if abs(a - b) <= 0.02 * max(a, b) { sizes.insert(master, at: 0) }
    }
    for size in sizes {
      let (w, h) = (Double(size.width), Double(size.height))
      guard x >= -1, y >= -1, x + width <= w + 1, y + height <= h + 1 else { continue }
      let (sx, sy) = (Double(frame.width) / w, Double(frame.height) / h)
      return RotatedCrop(
        left: max(0, x) * sx, top: max(0, y) * sy, right: min(w, x + width) * sx,
        bottom: min(h, y + height) * sy)
    }
    return nil
  }

  /// Appends the filters to the existing ones: straighten, crop, rotate.
  func write(to result: inout EditConversion) {
    result.unmapped += unsupported
    var settings = settings
    var filters: [any Filter] = []
    if let crop {
      guard let cropFilters = crop.filters(for: target.size) else {
        result.unmapped += settings.map {
          .init(name: $0.name, value: $0.value, note: "the crop would be empty")
        }
        return
      }
      filters = cropFilters.all
      for index in settings.indices
      where cropFilters.includesEmptyCorners && settings[index].name != "Orientation" {
        settings[index].note += "; white outside the image"
      }
    }
    if let rotation, rotation != .up { filters.append(Orient(rotation)) }
    for filter in filters {
      guard let reason = result.add(filter) else { continue }
      result.unmapped += settings.map { .init(name: $0.name, value: $0.value, note: reason) }
      result.graph = FilterGraph()
      return
    }
    result.approximated += settings
  }
}
