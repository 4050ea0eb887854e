// SPDX-License-Identifier: Apache-2.0
import PhotoEditPixels

/// The contents of an HEIF file besides its image: EXIF, XMP, a profile, and items that JPEG cannot
/// store.
///
/// - Source: ISO/IEC 23008-12:2022, annex A; ISO 21496-1:2025, annex C (gain maps in HEIF).
struct HEIFMetadata {
  private(set) var container = ContainerMetadata()
  /// The rotations and mirrors of the primary image, combined.
  private(set) var orientation = Orientation.up

  private let structure: HEIFStructure
  private let limits: ImageLimits

  init(_ structure: HEIFStructure, limits: ImageLimits) {
    (self.structure, self.limits) = (structure, limits)
  }

  /// Reads everything; damage is reported as a loss.
  mutating func read() throws(MetadataError) {
    guard let primary = structure.item(structure.primary) else { return }
    readProperties(primary)
    describeColor()
    // Only the first item of each kind is read, even if damaged: any number of items could overlap.
    let items = described(primary)
    if let exif = items.first(where: { $0.type == "Exif" }) { try readExif(exif) }
    let packet = items.first { $0.type == "mime" && $0.contentType == "application/rdf+xml" }
    if let packet { try readPacket(packet) }
    if structure.isAppleGainMap { container.xmp = XMPPacket.appleGainMap(from: container.xmp) }
    container.gainMap = structure.gainMapDescription
    reportLostAuxiliaries(primary)
    reportLostImages(primary)
    reportLostBoxes()
  }

  /// Returns the items that describe the image; also those for which the file does not specify an
  /// image.
  private func described(_ primary: HEIFItem) -> [HEIFItem] {
    let kinds: Set<FourCC> = ["Exif", "mime"]
    let describing = Set(structure.references.filter { $0.type == "cdsc" }.map(\.from))
    let own = Set(structure.sources(of: primary.identifier, "cdsc").map(\.identifier))
    return structure.items.filter {
      kinds.contains($0.type)
        && (own.contains($0.identifier) || !describing.contains($0.identifier))
    }
  }

  private mutating func readProperties(_ primary: HEIFItem) {
    for property in primary.properties {
      switch property {
      case .rotation(let steps):
        orientation = orientation.followed(by: Orientation(clockwiseRotations: -steps))
      case .mirror(let isLeftRight):
        orientation = orientation.followed(by: isLeftRight ? .upMirrored : .downMirrored)
      default: continue
      }
    }
  }

  /// Reads the profile, or creates one from color information in boxes or the coded picture.
  ///
  /// Images without color information are treated as sRGB, and so is BT.709, which is intended for
  /// the same screens; other readers do the same.
  private mutating func describeColor() {
    if let own = structure.item(structure.primary)?.profile {
      container.icc = Array(structure.bytes[own])
      return
    }
    guard let image = try? HEIFPrimaryImage(structure, limits: limits) else { return }
    if let profile = image.profile {
      container.icc = Array(structure.bytes[profile])
      return
    }
    guard let color = image.color else { return }
    if let range = image.dynamicRange {
      container.findings.reportLoss(.dynamicRange, range.loss)
      if !image.isMonochrome { container.icc = ICCProfile.displayP3?.bytes }
      return
    }
    let isNear = [1, 2].contains(color.primaries)
    let curve = try? TransferFunction(codePoint: color.transfer, primariesCode: 1)
    if isNear || image.isMonochrome, curve == .sRGB { return }
    if !image.isMonochrome,
      let profile = try? ICCProfile.matrix(
        primariesCode: color.primaries, transferCode: color.transfer)
    {
      container.icc = profile.bytes
      return
    }
    container.findings.reportLoss(
      .colorTags,
      "The image has primaries \(color.primaries) and transfer \(color.transfer) of H.273, "
        + "for which no profile is available.")
  }

  private mutating func content(_ item: HEIFItem, _ name: String) throws(MetadataError) -> [UInt8]?
  {
    let content: [UInt8]?
    do throws(BoxError) {
      content = try structure.content(of: item, limit: limits.maximumMetadataBytes)
    } catch {
      container.findings.reportLoss(
        .damagedMetadata, "The \(name) data is damaged: \(error.message).")
      return nil
    }
    guard let content else { throw .tooManyBytes(limit: limits.maximumMetadataBytes) }
    return content
  }

  private mutating func readExif(_ item: HEIFItem) throws(MetadataError) {
    guard let bytes = try content(item, "EXIF") else { return }
    guard let offset = bytes.unsigned32(at: 0), offset < bytes.count - 4 else {
      container.findings.reportLoss(.exif, "The EXIF data is damaged: its start is out of range.")
      return
    }
    container.exif = Array(bytes[(4 + offset)...])
  }

  private mutating func readPacket(_ item: HEIFItem) throws(MetadataError) {
    guard let bytes = try content(item, "XMP") else { return }
    guard item.contentEncoding == "deflate" else {
      if item.contentEncoding.isEmpty {
        container.xmp = bytes
      } else {
        container.findings.reportLoss(.xmp, "The XMP packet has an unknown compression.")
      }
      return
    }
    // Deflate reaches 1 : 1032 on zeros; no packet comes near 1 : 100.
    let limit = min(max(1 << 20, 100 * bytes.count), limits.maximumMetadataBytes)
    let unfolded = bytes.withUnsafeBytes { bytes -> [UInt8]? in
      try? Zlib.inflate(bytes, limit: limit)
    }
    container.xmp = unfolded
    if unfolded == nil {
      container.findings.reportLoss(
        .damagedMetadata, "The XMP packet is damaged: decompression failed.")
    }
  }

  // MARK: Losses

  private static func isDepth(_ type: String) -> Bool {
    type == "urn:mpeg:hevc:2015:auxid:2" || type == "urn:mpeg:avc:2015:auxid:2"
      || type == "urn:mpeg:mpegB:cicp:systems:auxiliary:depth" || type.hasSuffix(":aux:disparity")
      || type.hasSuffix(":aux:depth")
  }

  private mutating func reportLostAuxiliaries(_ primary: HEIFItem) {
    var others: [String] = []
    // Auxiliary images of the tone-mapped image are lost with the gain map.
    let toneMapped = structure.items.filter { $0.type == "tmap" }.map(\.identifier)
    var hasGainMap = !toneMapped.isEmpty
    var hasDepth = false
    var seen: Set<Int> = []
    for item in ([primary.identifier] + toneMapped).flatMap({ structure.sources(of: $0, "auxl") })
    where seen.insert(item.identifier).inserted {
      let type = item.auxiliaryType ?? ""
      if HEIFPrimaryImage.alphaTypes.contains(type) { continue }
      if type == HEIFStructure.appleGainMap {
        hasGainMap = true
      } else if Self.isDepth(type) {
        hasDepth = true
      } else {
        others.append(
          MetadataText.clean(type.split(separator: ":").last.map(String.init) ?? "") ?? "?")
      }
    }
    if hasGainMap {
      container.findings.reportLoss(
        .gainMap, "The HDR gain map is left out; the rendering is the SDR image.")
    }
    if hasDepth {
      container.findings.reportLoss(.depthMap, "The depth map is left out.")
    }
    if !others.isEmpty {
      let names = others.prefix(10).joined(separator: ", ")
      container.findings.reportLoss(
        .auxiliaryImages, "\(others.count) auxiliary images (\(names)) are left out.")
    }
  }

  /// Reports independent images: those that are not tiles, thumbnails or parts of other images.
  private mutating func reportLostImages(_ primary: HEIFItem) {
    var parts: Set<Int> = [primary.identifier]
    for reference in structure.references {
      switch reference.type {
      case "dimg", "base": parts.formUnion(reference.to)
      case "thmb", "auxl": parts.insert(reference.from)
      default: break
      }
    }
    let count = structure.items.count {
      $0.isImage && !$0.isHidden && !parts.contains($0.identifier)
    }
    guard count > 0 else { return }
    container.findings.reportLoss(
      .multipleImages, "The file contains \(count + 1) images; only the primary image is kept.")
  }

  private mutating func reportLostBoxes() {
    if let start = structure.follower {
      container.findings.reportLoss(
        .motionPhoto,
        "The video after the image (\(structure.bytes.count - start) bytes) is left out.")
    }
    let trailer = UnsafeRawBufferPointer(rebasing: structure.bytes[structure.end...])
    if trailer.firstOffset(of: Array("MotionPhoto_Data".utf8)) != nil {
      container.findings.reportLoss(
        .motionPhoto, "The motion-photo video (\(trailer.count) bytes) is left out.")
    }
    for box in structure.boxes {
      let content = UnsafeRawBufferPointer(rebasing: structure.bytes[box.body])
      switch box.type {
      case "moov":
        let count = HEIFTracks(structure.bytes, movie: box.body).frameCount
        let number = count.map { "\($0) frames" } ?? "an unknown number of frames"
        container.findings.reportLoss(
          .frames, "The file contains an image sequence (\(number)); only the still image is kept.")
      case "mpvd":
        container.findings.reportLoss(
          .motionPhoto, "The motion-photo video (\(content.count) bytes) is left out.")
      case "sefd" where content.firstOffset(of: Array("MotionPhoto_Data".utf8)) != nil:
        container.findings.reportLoss(
          .motionPhoto, "The motion-photo video (\(content.count) bytes) is left out.")
      case "jumb": reportManifestLoss(content)
      case "uuid":
        // The C2PA identifier precedes the content.
        let identifier = structure.bytes[
          max(box.start, box.body.lowerBound - 16)..<box.body.lowerBound]
        if identifier.elementsEqual(Self.contentCredentials) {
          container.findings.reportContentCredentials()
        }
      default: break
      }
    }
  }

  private mutating func reportManifestLoss(_ content: UnsafeRawBufferPointer) {
    if content.firstOffset(of: Array("c2pa".utf8)) != nil {
      container.findings.reportContentCredentials()
    } else {
      container.findings.reportLoss(
        .jumbf, "JUMBF boxes apply only to the source file and are left out.")
    }
  }

  /// The identifier of C2PA boxes: d8fec3d6-1b0e-483c-9297-5828877ec481.
  private static let contentCredentials: [UInt8] = [
    0xD8, 0xFE, 0xC3, 0xD6, 0x1B, 0x0E, 0x48, 0x3C, 0x92, 0x97, 0x58, 0x28, 0x87, 0x7E, 0xC4, 0x81,
  ]
}
