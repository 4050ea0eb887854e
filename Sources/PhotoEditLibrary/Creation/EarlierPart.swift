// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// An asset that is only one file of a photo or video, because that file was imported before the
/// others: a RAW file, a rendering, or a copy of the video in a motion photo.
struct EarlierPart {
  let known: ExistingAsset
  /// The type that the file has in the asset.
  let type: AssetResourceType
  private let digest: SHA256Digest

  /// The other files of the asset, which stay: those of an edit of the RAW file.
  private let kept: Set<AssetResourceType>

  /// Finds such an asset; nil without one, and for one that was edited here.
  ///
  /// - Parameter find: Returns the asset with an original of these bytes.
  init?(
    of staged: StagedAsset,
    find: (SHA256Digest) throws(LibraryError) -> ExistingAsset?
  ) throws(LibraryError) {
    let others = staged.resources.filter { resource in
      !ResourceCombination.originals.contains(resource.type)
        && ![.sidecar, .adjustmentData].contains(resource.type) && !resource.isExtracted
    }
    let embedded = staged.resource(.photo)?.embeddedMovie
    for digest in others.map(\.digest) + [embedded].compactMap(\.self) {
      guard let known = try find(digest),
        let type = [.photo, .video].first(where: { known.resources[$0]?.digest == digest.bytes })
      else { continue }
      let isRaw = staged.resource(.alternatePhoto)?.digest == digest
      guard known.isLone(type) || isRaw && Self.canKeepEdit(of: known, with: staged) else {
        continue
      }
      (self.known, self.type, self.digest) = (known, type, digest)
      kept = Set(known.resources.keys).subtracting([type, .sidecar])
      return
    }
    return nil
  }

  /// Returns whether the edit of a RAW file, made by another program, can be that of the photo.
  private static func canKeepEdit(of known: ExistingAsset, with staged: StagedAsset) -> Bool {
    let edit = known.resources.filter { ![.photo, .sidecar].contains($0.key) }
    let types = Set(edit.keys)
    return !known.isTrashed && !known.hasHistory && types.isSubset(of: ResourceCombination.edit)
      && ResourceCombination.isStorable(types.union(staged.resources.map(\.type)))
      && staged.digests.allSatisfy {
        edit[$0.key].map(\.digest) ?? $0.value.bytes == $0.value.bytes
      }
  }

  /// Returns the outcomes of the files of the whole photo or video.
  func outcomes(_ staged: StagedAsset) -> [AssetResourceType: AssetCompletion.Outcome] {
    var outcomes = staged.digests.mapValues { digest -> AssetCompletion.Outcome in
      digest == self.digest ? .present : .added
    }
    for type in kept where outcomes[type] != nil { outcomes[type] = .present }
    if let sidecar = staged.resource(.sidecar), let stored = known.resources[.sidecar] {
      outcomes[.sidecar] =
        stored.digest == sidecar.digest.bytes
        ? .present
        : sidecar.sidecar?.provenance == .description
          ? .superseded : .keptOut("a different version is already in the library")
    }
    return outcomes
  }

  /// Returns the files that stay as examined; nil if one cannot be read.
  func keptResources(in layout: LibraryLayout) -> [StagedResource]? {
    let files = kept.compactMap { known.resources[$0] }
    let resources = files.compactMap { ResourceStager.stored($0, in: layout) }
    return resources.count == files.count ? resources : nil
  }

  /// Returns the file of the asset as examined; nil if it cannot be read.
  func resource(in staged: StagedAsset, _ layout: LibraryLayout) -> StagedResource? {
    if let same = staged.resources.first(where: { $0.digest == digest }) {
      return same.retyped(type)
    }
    guard let file = known.resources[type] else { return nil }
    return ResourceStager.stored(file, in: layout)
  }
}

extension ResourceStager {
  /// Examines a file of a library; nil for an unreadable or changed one, which is reported by the
  /// library check.
  static func stored(_ file: ResourceRecord, in layout: LibraryLayout) -> StagedResource? {
    let source = ResourceSource(
      type: file.type, origin: .file(layout.path(file.file)),
      options: AssetResourceCreationOptions(originalFilename: file.filename))
    guard let resource = try? stage(source, to: nil), resource.digest.bytes == file.digest else {
      return nil
    }
    return resource
  }
}
