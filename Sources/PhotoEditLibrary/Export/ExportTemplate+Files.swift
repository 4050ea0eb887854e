// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
import PhotoEditStorage

extension ExportTemplate {
  /// The fields that a photo outside a library has.
  private static let fieldsOfFiles: Set<Field> = [
    .year, .month, .day, .time, .original, .name, .fileExtension, .title, .camera, .country, .city,
    .keyword, .number,
  ]

  /// The name of the first field that only assets of a library have; nil without one.
  package var fieldOfLibrary: String? {
    fields.subtracting(Self.fieldsOfFiles).map(\.rawValue).min()
  }

  /// Indicates whether paths depend on the metadata of a photo.
  package var needsMetadata: Bool {
    !fields.isSubset(of: [.original, .name, .fileExtension, .number])
  }

  /// Returns the path for a photo outside a library, without extension.
  ///
  /// - Parameters:
  ///   - name: The file name.
  ///   - number: The number of the photo in the command.
  ///   - summary: The metadata, if `needsMetadata`.
  package func path(ofPhoto name: String, number: Int, _ summary: MetadataSummary) -> String {
    let (stem, ending) = FileSystem.splitName(name)
    let digits = Array((summary.dateTimeOriginal ?? "").filter(\.isNumber))
    func part(_ start: Int, _ count: Int) -> [String] {
      digits.count >= start + count ? [String(digits[start..<start + count])] : []
    }
    return paths { field in
      switch field {
      case .year: part(0, 4)
      case .month: part(4, 2)
      case .day: part(6, 2)
      case .time: part(8, 6)
      case .original: [name]
      case .name: [stem]
      case .fileExtension: [ending]
      case .title: [summary.title ?? ""]
      case .camera: [summary.model ?? ""]
      case .country: [summary.country ?? ""]
      case .city: [summary.city ?? ""]
      case .keyword: Array(summary.keywords.prefix(1))
      case .number: ["\(number)"]
      case .album, .albumPath, .identifier: []
      }
    }.first ?? "_"
  }
}
