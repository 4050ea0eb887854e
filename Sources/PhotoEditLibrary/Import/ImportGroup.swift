// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// Files of one folder that may belong together by name; their content is decisive.
struct ImportGroup: Sendable, Hashable {
  /// The still or video that represents the asset.
  var original: ImportScan.File
  var alternate: ImportScan.File?
  /// The video of a Live Photo, if the content identifiers match.
  var movie: ImportScan.File?
  var record: ImportScan.File?
  var editedStill: ImportScan.File?
  var editedMovie: ImportScan.File?
  var baseStill: ImportScan.File?
  var baseMovie: ImportScan.File?
  /// XMP or JSON with additional metadata of the original.
  var packet: ImportScan.File?
  /// Indicates whether the XMP also describes other originals, so that it is not moved.
  var sharesPacket = false
  /// The name that the original had before another program truncated it.
  var originalName: String?
  /// The format identifier of an edit without adjustment data whose program is known.
  var editor: String?
  /// The properties according to the library that contains the files.
  var stated: StatedProperties?
  /// The burst according to the names of the photos in its folder.
  var burst: NamedBurst?

  /// The files as a camera wrote them.
  var originals: [ImportScan.File] { [original, alternate, movie].compactMap(\.self) }

  private var members: [ImportScan.File] {
    originals
      + [record, editedStill, editedMovie, baseStill, baseMovie, packet].compactMap(\.self)
  }

  /// The files to import.
  var files: [ImportScan.File] { members.filter { $0.stored == nil } }

  /// The files of the library.
  var storedFiles: [ImportScan.File] { members.filter { $0.stored != nil } }

  /// The path of the file that represents the others in reports.
  var path: String { (original.stored == nil ? original : files.first ?? original).path }

  /// Indicates whether it may be a copy of a motion photo's video, which is never QuickTime.
  var mayBeCopy: Bool { original.kind == .movie && !original.isNamedQuickTime }

  /// The group with its raw file as the original, if it has one and no edit.
  var showingRaw: ImportGroup {
    let edit = [record, editedStill, editedMovie, baseStill, baseMovie]
    guard let raw = alternate, raw.kind == .raw, movie == nil, edit.allSatisfy({ $0 == nil }) else {
      return self
    }
    var group = self
    (group.original, group.alternate) = (raw, original)
    // The name that was truncated is that of the JPEG.
    group.originalName = nil
    return group
  }

  /// Returns the group with the selected files only, or a group for each of them if the original is
  /// not among them; descriptions stay.
  func selecting(_ selection: Set<PathKey>) -> [ImportGroup] {
    func selected(_ file: ImportScan.File?) -> ImportScan.File? {
      file.flatMap { $0.stored != nil || selection.contains($0.key) ? $0 : nil }
    }
    var part = self
    for member in [
      \ImportGroup.alternate, \.movie, \.record, \.editedStill, \.editedMovie, \.baseStill,
      \.baseMovie,
    ] { part[keyPath: member] = selected(part[keyPath: member]) }
    if original.stored != nil || selection.contains(original.key) { return [part] }
    return part.files.filter { ![original, record, packet].contains($0) }.map {
      var group = ImportGroup(original: $0)
      (group.packet, group.sharesPacket, group.stated) = (packet, true, stated)
      return group
    }
  }
}
