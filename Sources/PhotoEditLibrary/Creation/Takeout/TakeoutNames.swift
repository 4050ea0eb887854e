// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// The naming rules of Google Takeout for JSON files and edited photos.
///
/// The name of a JSON file follows from the name of its photo, but not the other way around: the
/// part before ".json" is truncated to 46 UTF-16 units, and the number of a duplicate is moved
/// behind it. All names are compared without ".json" and regardless of case and Unicode form.
///
/// - Source: simulot/immich-go:adapters/googlePhotos/matchers.go,
///   TheLastGimbus/GooglePhotosTakeoutHelper:lib/date_extractors/json_extractor.dart,
///   ente/ente#4956.
enum TakeoutNames {
  /// The maximum length of a JSON file's name without ".json" and number, in UTF-16 units.
  static let maximumLength = 46
  /// The text between the photo's name and ".json" in recent exports.
  private static let supplement = "supplemental-metadata"

  // MARK: Names of JSON files

  /// Returns the possible names of a photo's own JSON file, in groups: a group counts only if no
  /// file has a name of an earlier one.
  static func candidates(for photo: String) -> [[String]] {
    let (stem, ending) = FileSystem.splitName(photo)
    let (unnumbered, number) = splitNumber(stem)
    let plain = ending.isEmpty ? "" : "." + ending
    guard !number.isEmpty else {
      return [names(of: stem + plain), names(of: stem)]
    }
    // A file with the same number precedes those whose names are truncated before it.
    func numbered(_ name: String) -> [String] { names(of: name).map { $0 + number } }
    let own = [stem + plain] + supplements(of: stem + plain)
    return [
      own + numbered(unnumbered + plain) + supplements(of: stem + plain).map { $0 + number },
      truncations(of: stem + plain),
      [stem] + supplements(of: stem) + numbered(unnumbered), truncations(of: stem),
      // The JSON of "original_…_P.jpg" also describes "original_…_P(1).jpg" if it has no own one.
      truncations(of: unnumbered + plain),
    ]
  }

  /// Returns the names of a JSON file that contain the complete name of a photo; none if they would
  /// be too long.
  static func completeNames(for photo: String) -> [String] {
    photo.utf16.count > maximumLength ? [] : [photo] + supplements(of: photo)
  }

  /// Returns a name, its supplemented forms and its truncated forms.
  private static func names(of full: String) -> [String] {
    [full] + supplements(of: full) + truncations(of: full)
  }

  private static func supplements(of full: String) -> [String] {
    (0...supplement.count).map { full + "." + supplement.prefix($0) }
  }

  /// Returns the beginnings of a long name to which a JSON file's name may be truncated.
  ///
  /// A truncation in the middle of a character omits the character. Characters that are stored in
  /// decomposed form are counted as one.
  private static func truncations(of full: String) -> [String] {
    guard full.utf16.count > maximumLength else { return [] }
    let shortest = maximumLength - 1
    var lengths: [String.Index] = []
    var units = 0
    var characters = 0
    for index in full.indices {
      if units >= shortest, characters <= maximumLength { lengths.append(index) }
      units += full[index].utf16.count
      characters += 1
    }
    return lengths.map { String(full[..<$0]) }
  }

  /// Returns the name of the photo whose JSON file has a stem, as far as it is not truncated.
  static func describedName(_ stem: String) -> String {
    let name = splitNumber(stem).stem
    let (photo, ending) = FileSystem.splitName(name)
    return supplement.hasPrefix(ending.lowercased()) ? photo : name
  }

  /// Splits "IMG(2)" into "IMG" and "(2)".
  static func splitNumber(_ stem: String) -> (stem: String, number: String) {
    guard stem.hasSuffix(")"), let open = stem.lastIndex(of: "(") else { return (stem, "") }
    let digits = stem[stem.index(after: open)...].dropLast()
    guard !digits.isEmpty, digits.allSatisfy({ $0.isASCII && $0.isNumber }) else {
      return (stem, "")
    }
    return (String(stem[..<open]), String(stem[open...]))
  }

  // MARK: Verification

  /// Returns whether a JSON file with a title can describe a photo.
  ///
  /// The title is not truncated, so it begins with the photo's name up to the truncation. Characters
  /// that are not allowed in file names are replaced by an underscore in the photo's name.
  ///
  /// The title of a photo does not describe a video.
  static func verify(title: String, photo: String) -> Bool {
    guard !title.isEmpty else { return true }
    let (stem, ending) = FileSystem.splitName(photo)
    let text = decoded(title)
    if let own = FileContent.family(ofExtension: ending),
      let stated = FileContent.family(ofExtension: FileSystem.splitName(text).fileExtension),
      own.isMovie != stated.isMovie
    {
      return false
    }
    return [stem, splitNumber(stem).stem].contains { begins(text, with: $0) }
  }

  private static func begins(_ title: String, with stem: String) -> Bool {
    var rest = title.lowercased()[...]
    var units = 0
    for character in stem.lowercased() {
      units += character.utf16.count
      // The name of the photo itself may be shorter by its number.
      if units > maximumLength - 5 { return true }
      guard let next = rest.popFirst(), next == character || character == "_" else { return false }
    }
    return true
  }

  static func matches(title: String, photo: String) -> Bool {
    name(ofTitle: title) == photo.lowercased()
  }

  /// Returns the name of the photo with a title, in lower case.
  static func name(ofTitle title: String) -> String { decoded(title).lowercased() }

  /// Returns the name that a photo had before its export; nil if it was not truncated.
  static func originalName(title: String, photo: String) -> String? {
    let title = decoded(title)
    let (stem, ending) = FileSystem.splitName(photo)
    let (whole, titleEnding) = FileSystem.splitName(title)
    guard whole.utf16.count > splitNumber(stem).stem.utf16.count,
      photo.utf16.count > maximumLength, begins(title, with: stem)
    else { return nil }
    // A title without an extension gets that of the file.
    return titleEnding.lowercased() == ending.lowercased() ? title : title + "." + ending
  }

  /// Replaces the five entities that some exports write instead of characters.
  private static func decoded(_ title: String) -> String {
    guard title.contains("&") else { return title }
    return [("&#39;", "'"), ("&quot;", "\""), ("&lt;", "<"), ("&gt;", ">"), ("&amp;", "&")]
      .reduce(title) { $0.replacing($1.0, with: $1.1) }
  }

  // MARK: Edited photos

  /// The endings of edited photos, by language.
  private static let editedSuffixes = [
    "-edited", "-effects", "-smile", "-mix",  // English
    "-bearbeitet",  // German
    "-modifié",  // French
    "-ha editado", "-editado",  // Spanish, Portuguese
    "-editat",  // Catalan
    "-modificato",  // Italian
    "-bewerkt",  // Dutch
    "-edytowane",  // Polish
    "-redigerad", "-redigeret", "-redigert",  // Swedish, Danish, Norwegian
    "-muokattu",  // Finnish
    "-upraveno", "-upravené",  // Czech, Slovak
    "-отредактировано", "-редактировано", "-изменено",  // Russian
    "-編集済み",  // Japanese
    "-已编辑", "-已編輯", "-编辑", "-已修改",  // Chinese
    "-편집됨", "-수정됨",  // Korean
    "-düzenlendi",  // Turkish
    "-تم التعديل",  // Arabic
    "-संपादित",  // Hindi
    "-đã chỉnh sửa",  // Vietnamese
    "-แก้ไขแล้ว",  // Thai
    "-diedit",  // Indonesian
  ]
  /// The minimum length of a truncated ending, with its hyphen.
  private static let shortestSuffix = 4

  /// Returns the stem of the original of an edited photo; nil for any other name.
  static func originalStem(ofEdited photo: String) -> String? {
    let (stem, number) = splitNumber(FileSystem.splitName(photo).stem)
    guard let hyphen = stem.lastIndex(of: "-"), hyphen > stem.startIndex else { return nil }
    let suffix = stem[hyphen...].lowercased()
    let isEdited = editedSuffixes.contains {
      $0 == suffix || (suffix.count >= shortestSuffix && $0.hasPrefix(suffix))
    }
    return isEdited ? String(stem[..<hyphen]) + number : nil
  }
}
