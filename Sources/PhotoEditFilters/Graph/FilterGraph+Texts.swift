// SPDX-License-Identifier: Apache-2.0
package import PhotoEditStorage

extension FilterGraph {
  /// The fields of the texts that are not filled in.
  package var openFields: Set<TextField> {
    Set(texts.filter { $0.text.filled.isEmpty }.flatMap { $0.template.fields })
  }

  /// Fills in the fields of texts that are not filled in.
  ///
  /// - Returns: The fields without a value, in the order of their declaration.
  @discardableResult
  package mutating func fillTexts(_ values: [TextField: String]) -> [TextField] {
    var missing: Set<TextField> = []
    for (index, text, template) in texts where text.filled.isEmpty && !template.fields.isEmpty {
      missing.formUnion(template.fields.filter { values[$0]?.isEmpty ?? true })
      var filled = text
      filled.filled = template.filled(values)
      nodes[index].content = NodeContent(filled)
    }
    return TextField.allCases.filter(missing.contains)
  }

  /// Forgets what the fields of texts were filled in with, because it belongs to another photo.
  package mutating func emptyTexts() {
    for (index, text, _) in texts where !text.filled.isEmpty {
      var empty = text
      empty.filled = ""
      nodes[index].content = NodeContent(empty)
    }
  }

  /// Attaches fonts to texts that have none, or not all characters, from those that are installed.
  ///
  /// - Parameters:
  ///   - values: The values of the fields that are not filled in.
  ///   - files: Returns an attachment that the graph does not embed.
  /// - Returns: The new attachments that the graph does not embed.
  /// - Throws: `UnsupportedNode` if a font, a character or a library is missing.
  package mutating func attachFonts(
    _ values: [TextField: String], files: (SHA256Digest) -> [UInt8]?
  ) throws(UnsupportedNode) -> [[UInt8]] {
    var added: [[UInt8]] = []
    for (index, text, template) in texts where nodes[index].isEnabled {
      let shown = text.filled.isEmpty ? template.filled(values) : text.filled
      let attachment = assets[text.asset]
      let own = attachment.flatMap { $0.data ?? files($0.digest) }
      // A file that is missing is reported when it is needed.
      if !text.asset.isEmpty, own == nil { continue }
      let isOther = !text.font.isEmpty && !isNamed(text.asset, for: text.font)
      if let own, !isOther, (try? FontFile(own))?.isComplete(for: shown) ?? true { continue }
      guard own != nil || !text.text.isEmpty else { continue }
      let (node, font) = (nodes[index].id, text.font)
      let bytes = try translating({ UnsupportedNode(node: node, $0, font: font) }) {
        () throws(InstalledFonts.Refusal) in
        try Self.font(for: shown, of: text, own: isOther ? nil : own)
      }
      if let attachment, attachment.digest == SHA256Digest(of: bytes) { continue }
      let new = GraphAttachment(bytes, mediaType: AttachmentKind.font.mediaType)
      if new.data == nil { added.append(bytes) }
      var changed = text
      changed.asset = try translating(
        { UnsupportedNode(node: node, .unsupported("\($0 as GraphEditError)")) },
        addAsset(new, named: font.isEmpty ? text.asset : font))
      nodes[index].content = NodeContent(changed)
    }
    return added
  }

  private static func font(
    for shown: String, of text: Text, own: [UInt8]?
  ) throws(InstalledFonts.Refusal) -> [UInt8] {
    if text.font.isEmpty {
      return try InstalledFonts.file(for: shown, named: "sans-serif", after: own)
    }
    do throws(InstalledFonts.Refusal) {
      return try InstalledFonts.file(for: shown, named: text.font)
    } catch {
      // An edit from another machine keeps its font, and gets what that lacks.
      guard let own, case .notInstalled = error else { throw error }
      return try InstalledFonts.file(for: shown, named: "sans-serif", after: own)
    }
  }

  /// Returns whether an attachment has the name that `addAsset` gives to a font.
  private func isNamed(_ asset: String, for font: String) -> Bool {
    let name = Self.assetName(font)
    return asset == name
      || asset.hasPrefix(name + "-") && asset.dropFirst(name.count + 1).allSatisfy(\.isNumber)
  }

  /// The texts of nodes that this version can render.
  private var texts: [(index: Int, text: Text, template: TextTemplate)] {
    nodes.indices.compactMap { index in
      guard nodes[index].filter == Text.schema.name,
        let text = try? nodes[index].resolved() as? Text,
        let template = try? TextTemplate(text.text)
      else { return nil }
      return (index, text, template)
    }
  }
}

extension UnsupportedNode {
  /// Creates the reason why a text has no font.
  fileprivate init(node: String, _ refusal: InstalledFonts.Refusal, font: String) {
    let filter = Text.schema.name
    let reason: Reason =
      switch refusal {
      case .libraryMissing(let reason):
        .asset(.libraryMissing(packages: FontLibraries.packages, reason: reason))
      case .notInstalled(let nearest):
        .parameter(
          .invalidValue(
            filter: filter, parameter: "font", value: "'\(font)'",
            allowed: "an installed font" + (nearest.map { " such as '\($0)'" } ?? "")
              + "; for a font file, file=PATH in place of font"))
      case .noGlyph(let character):
        .parameter(
          .conflict(
            filter: filter,
            reason: "no installed font has the character '\(character)' ("
              + character.unicodeScalars.map { "U+" + Self.hexadecimal($0.value) }
              .joined(separator: " ") + "); install one that has it"))
      case .unusable(let reason): .parameter(.conflict(filter: filter, reason: reason))
      }
    self.init(node: node, reason)
  }

  private static func hexadecimal(_ value: UInt32) -> String {
    let digits = String(value, radix: 16, uppercase: true)
    return String(repeating: "0", count: max(0, 4 - digits.count)) + digits
  }
}
