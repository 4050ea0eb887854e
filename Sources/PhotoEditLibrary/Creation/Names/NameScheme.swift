// SPDX-License-Identifier: Apache-2.0
import PhotoEditStorage

/// A rule by which a camera, a program or a system names files, with examples.
///
/// - Source: simulot/immich-go:internal/filenames, deckerst/aves#562, deckerst/aves#598,
///   deckerst/aves#1675, simulot/immich-go#94, simulot/immich-go#345, RhetTbull/osxphotos#1508,
///   photoprism/photoprism#1028, photoprism/photoprism#2241, bpatrik/pigallery2#1099.
struct NameScheme: Sendable {
  enum Role: Sendable {
    /// A photo of a burst; the others have the same identity. The name may mark the cover.
    case burst
    /// The image, the RAW file or the video of one shot; the others have the same identity.
    case shot
    /// A version that a program rendered; the identity is the stem of the original.
    case edited(editor: String)
    /// A small copy that a camera writes for previews, of the video with the same identity whose
    /// stem has this form.
    case reduced(of: NamePattern)
    /// A copy that a program keeps while it changes or downloads the file with this identity.
    case backup
    /// A file or folder that a system or a program keeps among the files of the user.
    case system
  }

  let role: Role
  /// The cameras and programs with these names.
  let origin: String
  /// The form of names, without their extension for bursts, shots and edited versions.
  let pattern: NamePattern
  let examples: [String]

  private init(_ role: Role, _ origin: String, _ pattern: String, _ examples: String...) {
    (self.role, self.origin, self.pattern) = (role, origin, NamePattern(pattern))
    self.examples = examples
  }

  /// Creates the rule for names without variable parts.
  private init(_ origin: String, system name: String) {
    (role, self.origin, pattern, examples) = (.system, origin, NamePattern(name), [name])
  }

  static let all: [NameScheme] = bursts + shots + edited + reduced + backups + system

  // MARK: Rows

  private static let bursts: [NameScheme] = [
    NameScheme(
      .burst, "Nexus, Pixel", "{5}%_{5}_<BURST{14-17}>[_COVER]",
      "00015IMG_00015_BURST20171111030039_COVER.jpg",
      "00100lPORTRAIT_00100_BURST20200618061508398.jpg"),
    NameScheme(
      .burst, "Pixel", "<PXL_{8}_{9}>.PORTRAIT-{2}.*",
      "PXL_20220405_090123740.PORTRAIT-01.COVER.jpg",
      "PXL_20220405_090123740.PORTRAIT-02.ORIGINAL.jpg"),
    NameScheme(
      .burst, "Pixel", "<PXL_{8}_{9}>.LONG_EXPOSURE-{2}.*",
      "PXL_20230809_203449253.LONG_EXPOSURE-01.COVER.jpg",
      "PXL_20230809_203449253.LONG_EXPOSURE-02.ORIGINA.jpg"),
    NameScheme(
      .burst, "Pixel", "<PXL_{8}_{9}>.MOTION-{2}.*",
      "PXL_20230330_184138390.MOTION-01.COVER.jpg",
      "PXL_20230330_184138390.MOTION-02.ORIGINAL.jpg"),
    NameScheme(
      .burst, "Samsung", "<{8}_{6}>_{3}", "20231207_101605_001.jpg", "20231207_101605_031.jpg"),
    NameScheme(
      .burst, "Samsung", "<{8}_{6}>_Burst{2-3}", "20140712_153011_Burst01.jpg"),
    NameScheme(
      .burst, "Sony", "DSC_{4-5}_<BURST{17}>[_COVER]",
      "DSC_0001_BURST20230709220904977.JPG", "DSC_0052_BURST20230709220904977_COVER.JPG"),
    NameScheme(
      .burst, "Sony", "DSCPDC_{4-5}_<BURST{17}>[_COVER]",
      "DSCPDC_0003_BURST20180619163426901_COVER.JPG"),
    NameScheme(
      .burst, "Motorola, Fairphone", "<IMG_{8}_{9}>_BURST{3}[_COVER]",
      "IMG_20250616_163308479_BURST000_COVER.jpg", "IMG_20250616_163308479_BURST001.jpg"),
    NameScheme(
      .burst, "Motorola", "<IMG_{8}_{9}>_BURST{3}_COVER_TOP",
      "IMG_20190101_100007123_BURST000_COVER_TOP.jpg"),
    NameScheme(
      .burst, "Huawei, Honor, OnePlus", "<IMG_{8}_{6}>_BURST{3}[_COVER]",
      "IMG_20231014_183246_BURST001_COVER.jpg", "IMG_20231014_183246_BURST002.jpg"),
    NameScheme(
      .burst, "Xiaomi", "<IMG_{8}_{6}>_BURST{1-2}", "IMG_20180409_102543_BURST1.jpg",
      "IMG_20180409_102543_BURST12.jpg"),
    NameScheme(
      .burst, "Xiaomi", "<IMG_{8}_{6}>_TIMEBURST{1-3}", "IMG_20250609_135308_TIMEBURST3.jpg"),
    NameScheme(
      .burst, "OPPO, realme", "<IMG{14}>_BURST{1-3}[_COVER]", "IMG20200101040533_BURST1.jpg"),
  ]

  private static let shots: [NameScheme] = [
    NameScheme(
      .shot, "Pixel", "<PXL_{8}_{9}>.RAW-{2}[.MP][.COVER]",
      "PXL_20250126_164931991.RAW-01.COVER.jpg", "PXL_20231207_032108788.RAW-01.MP.COVER.jpg",
      "PXL_20260825_185123355.RAW-01.MP.jpg", "PXL_20260825_112736406.RAW-01.jpg"),
    NameScheme(
      .shot, "Pixel", "<PXL_{8}_{9}>.RAW-{2}.ORIGINAL",
      "PXL_20250126_164931991.RAW-02.ORIGINAL.dng"),
    NameScheme(
      .shot, "Pixel", "<PXL_{8}_{9}>.MP", "PXL_20230205_164128403.MP.jpg"),
  ]

  private static let edited: [NameScheme] = [
    NameScheme(
      .edited(editor: "com.apple.photo"), "osxphotos, PhotoSync", "<*>_edited",
      "IMG_4601_edited.jpeg"),
    NameScheme(
      .edited(editor: TakeoutFile.editor), "Google Photos", "<*>-edited", "IMG_1087-edited.jpg"),
    NameScheme(
      .edited(editor: "com.adobe.lightroom"), "Lightroom", "<*>-Edit[-{1-2}]", "DSC_0001-Edit.tif",
      "DSC_0001-Edit-2.tif"),
  ]

  /// The editors by the beginning of what they write as the software of a file: their renderings may
  /// be named like those of other programs.
  private static let programs = [
    ("darktable", "org.darktable"), ("rawtherapee", "com.rawtherapee"), ("gimp", "org.gimp"),
    ("digikam", "org.kde.digikam"), ("adobe photoshop lightroom", "com.adobe.lightroom"),
    ("capture one", "com.captureone"), ("dxo", "com.dxo"),
  ]

  /// Returns the editor that states itself as the software of a file; nil if it is not known.
  static func editor(ofSoftware software: String?) -> String? {
    let name = software?.lowercased() ?? ""
    return programs.first { name.hasPrefix($0.0) }?.1
  }

  private static let reduced: [NameScheme] = [
    NameScheme(.reduced(of: NamePattern("G%<{6}>")), "GoPro", "GL<{6}>.LRV", "GL010001.LRV"),
    NameScheme(
      .reduced(of: NamePattern("<*>")), "GoPro", "<*>.LRV", "GOPR0001.LRV", "GS010135.LRV"),
    NameScheme(
      .reduced(of: NamePattern("<*>")), "GoPro, Canon", "<*>.THM", "GH010001.THM", "MVI_0042.THM"),
    NameScheme(
      .reduced(of: NamePattern("<*>")), "DJI", "<*>.LRF", "DJI_20230815142533_0007_D.LRF"),
    NameScheme(
      .reduced(of: NamePattern("VID_<{8}_{6}>_{2}_<{3}>")), "Insta360",
      "LRV_<{8}_{6}>_{2}_<{3}>.*", "LRV_20230815_142533_01_007.lrv",
      "LRV_20230815_142533_11_007.insv"),
  ]

  private static let backups: [NameScheme] = [
    NameScheme(.backup, "ExifTool", "<*>_original", "IMG_3.JPG_original"),
    NameScheme(.backup, "ExifTool", "<*>_exiftool_tmp", "IMG_3.JPG_exiftool_tmp"),
    NameScheme(.backup, "GIMP, KDE", "<*>~", "IMG_3.JPG~"),
    NameScheme(.backup, "jhead and others", "<*>.bak", "IMG_3.JPG.bak"),
    NameScheme(.backup, "patch and others", "<*>.orig", "IMG_3.JPG.orig"),
    NameScheme(.backup, "Firefox, KDE", "<*>.part", "IMG_3.JPG.part"),
    NameScheme(.backup, "Chrome", "<*>.crdownload", "IMG_3.JPG.crdownload"),
  ]

  private static let system: [NameScheme] =
    ["@eaDir", "#recycle", "#snapshot", "SYNOINDEX_MEDIA_INFO"].map {
      NameScheme("Synology", system: $0)
    }
    + ["@Recycle", "@Recently-Snapshot", "@Transcode", "@__thumb"].map {
      NameScheme("QNAP", system: $0)
    }
    + [
      "$RECYCLE.BIN", "RECYCLER", "RECYCLED", "System Volume Information", "Thumbs.db",
      "desktop.ini",
    ].map { NameScheme("Windows", system: $0) }
    + ["__MACOSX", "Network Trash Folder", "Temporary Items", "TheVolumeSettingsFolder"].map {
      NameScheme("macOS", system: $0)
    }
    + [
      NameScheme(.system, "Synology", "SYNOFILE_THUMB_*", "SYNOFILE_THUMB_M.jpg"),
      NameScheme("Linux", system: "lost+found"),
      NameScheme("ReadyNAS", system: "Recycle Bin"),
      NameScheme("Buffalo", system: "trashbox"),
      NameScheme("TerraMaster, Samba", system: "_recycle"),
      NameScheme("Nextcloud, ownCloud", system: "files_trashbin"),
      NameScheme("Nextcloud, ownCloud", system: "files_versions"),
      NameScheme(.system, "Nextcloud", "appdata_*", "appdata_oc8f2k1q9x"),
      NameScheme(
        .system, "Lightroom", "*.lrdata", "Lightroom Catalog Previews.lrdata",
        "Lightroom Catalog Smart Previews.lrdata"),
      NameScheme(.system, "Lightroom", "*.lrcat-data", "Lightroom Catalog.lrcat-data"),
      NameScheme(.system, "Capture One", "*.cot", "IMG_0001.CR3.cot"),
      NameScheme(.system, "Capture One", "*.cop", "IMG_0001.CR3.cop"),
      NameScheme(.system, "Capture One", "*.cof", "IMG_0001.CR3.cof"),
      NameScheme("Adobe Bridge", system: "Adobe Bridge Cache"),
      NameScheme("iTunes", system: "iPod Photo Cache"),
    ]

  // MARK: Lookup

  private static func identity(of name: String, in rows: [NameScheme]) -> String? {
    rows.lazy.compactMap { $0.pattern.identity(of: name) }.first
  }

  /// Returns the identity of the burst of a photo, by its stem; nil for any other name.
  static func burst(_ stem: String) -> String? { identity(of: stem, in: bursts) }

  /// Returns the stem without what distinguishes the files of one shot.
  static func shot(_ stem: String) -> String { identity(of: stem, in: shots) ?? stem }

  /// Returns the same for the name of a file, in lower case.
  static func shot(ofFile name: String) -> String {
    shot(FileSystem.splitName(name).stem).lowercased()
  }

  /// Returns the stem of the original of an edited version, and the program, by its stem.
  static func edited(_ stem: String) -> (original: String, editor: String)? {
    for row in edited {
      guard case .edited(let editor) = row.role, let original = row.pattern.identity(of: stem)
      else { continue }
      return (original, editor)
    }
    return nil
  }

  /// The forms of names, with an identity, of the videos of which a file may be a small copy.
  static func reduced(_ name: String) -> [(form: Int, identity: String)] {
    reduced.enumerated().compactMap { form, row in
      row.pattern.identity(of: name).map { (form, $0.lowercased()) }
    }
  }

  /// The videos of a folder, for finding those of which other files are small copies.
  struct VideoIndex {
    /// The names by identity, for each row.
    private let videos: [[String: String]]

    init(_ names: [String]) {
      videos = NameScheme.reduced.map { row in
        guard case .reduced(let form) = row.role else { return [:] }
        let found = names.compactMap { name in
          form.identity(of: FileSystem.splitName(name).stem).map { ($0.lowercased(), name) }
        }
        return Dictionary(found) { first, _ in first }
      }
    }

    func video(of copy: [(form: Int, identity: String)]) -> String? {
      copy.lazy.compactMap { videos[$0.form][$0.identity] }.first
    }
  }

  /// Returns the name of the file of which a file is a copy that a program keeps, by its name.
  static func backup(_ name: String) -> String? { identity(of: name, in: backups) }

  private static let sonyCopies = [NamePattern("<*>S{2}"), NamePattern("<*>T{2}")]

  /// Returns why a file in a folder of small copies is not imported; nil if its video is missing.
  ///
  /// - Parameter clips: The stems of the videos, in lower case.
  static func reason(_ name: String, copyOf clips: Set<String>) -> String? {
    guard !clips.isEmpty else { return nil }
    let stem = FileSystem.splitName(name).stem
    let video = sonyCopies.lazy.compactMap { $0.identity(of: stem) }.first
    return video.flatMap { clips.contains($0.lowercased()) ? $0 : nil }.map {
      "a preview that the camera made of \($0)"
    }
  }

  /// Returns whether a file or folder belongs to a system or another program.
  static func isOfSystem(_ name: String) -> Bool { identity(of: name, in: system) != nil }
}
