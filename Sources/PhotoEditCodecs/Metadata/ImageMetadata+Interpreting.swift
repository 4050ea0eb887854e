// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

extension ImageMetadata {
  /// Interprets the segments and the data after the image.
  mutating func interpret(
    _ segments: [JPEGSegment], trailer: UnsafeRawBufferPointer, findings: MetadataDiagnostics
  ) {
    self.segments = segments
    var findings = findings
    let sources = MetadataSources(segments)
    let (tiff, packet) = (sources.exif, sources.xmp)
    let count = segments.count { $0.kind == .exif }
    if count > 1 {
      findings.notice("There are \(count) EXIF segments; the first one is used.")
    }
    if count > 0, tiff?.main == nil {
      findings.notice("The EXIF segment is damaged and is ignored.")
    }
    if let packet, !packet.scan.isWellFormed {
      findings.notice("The XMP packet is not well-formed; only its beginning is used.")
    }
    findOrientation(tiff, packet, &findings)
    findProfile(&findings)
    if tiff?.statesAdobeRGB == true { statedColor = .exifAdobeRGB }
    findLosses(packet, trailer, &findings)
    summary = MetadataSummary(sources)
    hasThumbnail = tiff?.hasThumbnail == true
    hasPreviews = tiff.map { !EmbeddedPreview.ranges(in: $0.bytes).isEmpty } ?? false
    makerNoteByteCount =
      tiff.flatMap { tiff in
        tiff.directory(pointedToBy: ExifTag.exifDirectory, in: tiff.main)?
          .entry(ExifTag.makerNote)?.value?.count
      } ?? 0
    notices = findings.notices
    losses = findings.losses
  }

  private mutating func findOrientation(
    _ tiff: TIFFStructure?, _ packet: XMPPacket?, _ findings: inout MetadataDiagnostics
  ) {
    let sources = [
      ("EXIF", tiff?.exifOrientation ?? .absent), ("XMP", packet?.orientation ?? .absent),
    ]
    for (name, found) in sources {
      switch found {
      case .absent: continue
      case .valid(let value): orientation = value
      case .invalid(let value):
        findings.notice(
          "The \(name) orientation is \(value), not 1 to 8; orientation 1 is assumed.")
      }
      return
    }
  }

  private mutating func findProfile(_ findings: inout MetadataDiagnostics) {
    let profileSegments = segments.filter { $0.kind == .icc }
    guard !profileSegments.isEmpty else { return }
    do {
      let profile = try ICCProfile.joining(profileSegments)
      icc = profile.bytes
      iccColorSpace = profile.colorSpace
      iccDescription = profile.description
    } catch {
      findings.notice(error.sentence)
    }
  }

  // MARK: Losses

  private mutating func findLosses(
    _ packet: XMPPacket?, _ trailer: UnsafeRawBufferPointer, _ findings: inout MetadataDiagnostics
  ) {
    findImages(packet, trailer, &findings)
    let boxes = segments.filter { $0.kind == .jumbf }
    if boxes.contains(where: { $0.payload.firstOffset(of: Array("c2pa".utf8)) != nil }) {
      findings.reportContentCredentials()
    } else if !boxes.isEmpty {
      findings.reportLoss(
        .jumbf, "JUMBF boxes in APP11 apply only to the source file and are left out.")
    }
    if describesDepthMap(packet) {
      findings.reportLoss(
        .depthMap, "The depth map or second image in extended XMP is left out.")
    }
  }

  /// Returns whether extended XMP contains an image that may show areas a rendering has cropped
  /// away.
  func describesDepthMap(_ packet: XMPPacket?) -> Bool {
    if packet?.announcesDepthMap == true { return true }
    let names = [XMPNamespace.depthMap, .secondImage].map { Array($0.rawValue.utf8) }
    let extended = segments.filter { $0.kind == .extendedXMP }.map(\.payload)
    // Some writers declare all the namespaces they know; only the property contains an image.
    let containsData = extended.contains { $0.firstOffset(of: Array(":Data".utf8)) != nil }
    return containsData
      && extended.contains { payload in names.contains { payload.firstOffset(of: $0) != nil } }
  }

  private mutating func findImages(
    _ packet: XMPPacket?, _ trailer: UnsafeRawBufferPointer, _ findings: inout MetadataDiagnostics
  ) {
    let indexes = segments.filter { $0.kind == .mpf }
    let count = indexes.compactMap { imageCount(mpf: $0.payload) }.max()
    listedImageCount = count ?? 0
    if !indexes.isEmpty, count != 1 {
      let number = count.map { "\($0)" } ?? "several"
      findings.reportLoss(
        .multipleImages, "The file contains \(number) images (MPF); only the first is kept.")
    }
    let hasGainMap =
      gainMapRange != nil || packet?.announcesGainMap == true
      || segments.contains { $0.kind == .gainMap }
      || ["urn:com:apple:photo:2020:aux:hdrgainmap", XMPNamespace.gainMap.rawValue].contains {
        trailer.firstOffset(of: Array($0.utf8)) != nil
      }
    if hasGainMap {
      findings.reportLoss(.gainMap, "The HDR gain map is left out; the rendering is the SDR image.")
    }
    // The gain map is reported separately.
    if hasGainMapAlone { return }
    let gainMapCount = gainMapRange?.count ?? 0
    guard trailer.contains(where: { $0 != 0 }) else {
      let isFound = findings.losses.contains { $0.kind == .motionPhoto }
      if packet?.announcesMotionPhoto == true, !isFound {
        findings.notice("The XMP packet refers to a motion-photo video that is missing.")
      }
      return
    }
    let isMotionPhoto =
      packet?.announcesMotionPhoto == true || trailer.has(Array("ftyp".utf8), at: 4)
      || trailer.firstOffset(of: Array("MotionPhoto_Data".utf8)) != nil
    if isMotionPhoto {
      findings.reportLoss(
        .motionPhoto,
        "The motion-photo video (\(trailer.count - gainMapCount) bytes) is left out.")
    } else if indexes.isEmpty || !trailer.has([0xFF, 0xD8], at: 0) {
      let isSamsung = trailer.has(Array("SEFT".utf8), at: trailer.count - 4)
      let maker = isSamsung ? " (Samsung's trailer)" : ""
      findings.reportLoss(
        .trailingData,
        "\(trailer.count - gainMapCount) trailing bytes after the image\(maker) are left out."
      )
    }
  }

  /// Returns the number of images that a Multi-Picture index lists; nil if it does not state it.
  private func imageCount(mpf payload: [UInt8]) -> Int? {
    let tiff = TIFFStructure(exif: Array(payload.dropFirst(JPEGSegment.Signature.mpf.count)))
    return tiff.flatMap { t in t.main?.entry(ExifTag.numberOfImages).flatMap { t.integer($0) } }
  }
}
