// SPDX-License-Identifier: Apache-2.0
import CPhotoEditJPEG
public import PhotoEditPixels

/// One color plane of a JPEG and its sampling.
public struct JPEGComponent: Hashable, Sendable {
  /// The identifier used in scans, 0 to 255.
  public let id: Int
  /// Horizontal sampling factor: blocks across per MCU, 1 to 4.
  public let horizontalSampling: Int
  /// Vertical sampling factor: blocks down per MCU, 1 to 4.
  public let verticalSampling: Int
  /// The index of its quantization table in the file, 0 to 3.
  public let tableIndex: Int
}

/// The structure of a JPEG: size, components, tables and coding process.
public struct JPEGFrame: Hashable, Sendable {
  /// The stored size.
  public let size: PixelSize
  /// The color planes, luma first.
  public let components: [JPEGComponent]
  /// The quantization table of each component, in the same order.
  ///
  /// If a file defines a table after its first scan, the table of the first component is used here.
  public let tables: [QuantizationTable]
  /// Indicates whether the image is stored in several progressive scans.
  public let isProgressive: Bool
  /// Indicates whether the entropy coding is arithmetic instead of Huffman.
  public let isArithmetic: Bool
  /// Indicates whether all components are in one Huffman-coded scan, so that entropy decoding and
  /// reconstruction can run on different threads.
  package let usesSplitDecoding: Bool
  /// MCUs between two restart markers; 0 without markers.
  public let restartInterval: Int
  /// The color model of the components.
  public let color: SourceColor
  /// Indicates whether Adobe's marker is present.
  public let hasAdobeMarker: Bool
  /// The unit of JFIF's pixel density: 0 for an aspect ratio, 1 per inch, 2 per centimeter.
  public let densityUnit: Int?
  /// The horizontal density in JFIF.
  public let densityX: Int?
  /// The vertical density in JFIF.
  public let densityY: Int?

  /// Creates a frame from its parts.
  package init(
    size: PixelSize, components: [JPEGComponent], tables: [QuantizationTable],
    isProgressive: Bool = false, isArithmetic: Bool = false, hasSeveralScans: Bool = false,
    restartInterval: Int = 0,
    color: SourceColor, hasAdobeMarker: Bool = false,
    density: (unit: Int, x: Int, y: Int)? = nil
  ) {
    (self.size, self.components, self.tables) = (size, components, tables)
    (self.isProgressive, self.isArithmetic) = (isProgressive, isArithmetic)
    usesSplitDecoding = !isArithmetic && !hasSeveralScans
    (self.restartInterval, self.color) = (restartInterval, color)
    self.hasAdobeMarker = hasAdobeMarker
    densityUnit = density?.unit
    densityX = density?.x
    densityY = density?.y
  }

  /// The pixel size of one MCU: 8×8 for gray, up to 32×32 with subsampled chroma.
  public var mcuSize: PixelSize {
    guard components.count > 1 else { return PixelSize(width: 8, height: 8) }
    return PixelSize(width: 8 * largestSampling.h, height: 8 * largestSampling.v)
  }

  /// The number of MCUs in a row.
  package var mcuColumns: Int { (size.width + mcuSize.width - 1) / mcuSize.width }

  /// The largest sampling factors of all components.
  package var largestSampling: (h: Int, v: Int) {
    var (h, v) = (1, 1)
    for component in components {
      h = max(h, component.horizontalSampling)
      v = max(v, component.verticalSampling)
    }
    return (h, v)
  }

  /// Returns the number of blocks of a component that contain pixels, without those that only pad
  /// MCUs.
  private func blockCount(_ component: JPEGComponent) -> Int {
    let (h, v) = largestSampling
    let width = (size.width * component.horizontalSampling + h - 1) / h
    let height = (size.height * component.verticalSampling + v - 1) / v
    return ((width + 7) / 8) * ((height + 7) / 8)
  }

  /// The minimum number of bytes of a complete image with this frame; 0 if unknown.
  ///
  /// The first scan with a component has a Huffman code for each of its blocks, and every code has
  /// at least one bit. Arithmetic codes may be shorter.
  var fewestBytes: Int {
    isArithmetic ? 0 : components.reduce(0) { $0 + blockCount($1) } / 8
  }

  /// Bytes of all coefficients, including the blocks that only pad MCUs.
  package var coefficientBytes: Int {
    let mcu = mcuSize
    let count =
      ((size.width + mcu.width - 1) / mcu.width) * ((size.height + mcu.height - 1) / mcu.height)
    let blocks = components.reduce(0) {
      $0 + (components.count == 1 ? 1 : $1.horizontalSampling * $1.verticalSampling)
    }
    return count * blocks * 64 * MemoryLayout<Int16>.stride
  }

  /// Indicates whether all components can be written as one scan that decoders support.
  ///
  /// An MCU has at most ten blocks, and libjpeg does not support fractional sampling ratios, such
  /// as two samples for three of another component. Files with one component per scan may break the
  /// first rule.
  var fitsOneScan: Bool {
    let (h, v) = largestSampling
    return components.reduce(0) { $0 + $1.horizontalSampling * $1.verticalSampling } <= 10
      && components.allSatisfy {
        h.isMultiple(of: $0.horizontalSampling) && v.isMultiple(of: $0.verticalSampling)
      }
  }

  /// The quality, 1 to 100, at which the IJG scale gives a luma table with the closest sum.
  public var estimatedQuality: Int { tables.first?.estimatedQuality ?? 100 }

  /// Creates the frame from libjpeg's structures.
  init(_ handle: JPEGHandle, info: pe_jpeg_info, size: PixelSize) throws(CodecError) {
    var components: [JPEGComponent] = []
    var tables: [QuantizationTable] = []
    for index in 0..<info.component_count {
      let c = pe_jpeg_component_at(handle.pointer, index)
      components.append(
        JPEGComponent(
          id: Int(c.id), horizontalSampling: Int(c.horizontal), verticalSampling: Int(c.vertical),
          tableIndex: Int(c.table_index)))
      var values = [UInt16](repeating: 1, count: 64)
      if pe_jpeg_copy_table(handle.pointer, index, &values) == 0, let first = tables.first {
        tables.append(first)
      } else {
        tables.append(QuantizationTable(values))
      }
    }
    let hasDensity = info.has_jfif != 0
    self.init(
      size: size, components: components, tables: tables, isProgressive: info.is_progressive != 0,
      isArithmetic: info.is_arithmetic != 0, hasSeveralScans: info.has_several_scans != 0,
      restartInterval: Int(info.restart_interval),
      color: try SourceColor(info.color), hasAdobeMarker: info.has_adobe != 0,
      density: hasDensity
        ? (Int(info.density_unit), Int(info.density_x), Int(info.density_y)) : nil)
  }
}

extension SourceColor {
  fileprivate init(_ color: pe_jpeg_color) throws(CodecError) {
    switch color {
    case .PE_JPEG_COLOR_GRAY: self = .gray
    case .PE_JPEG_COLOR_RGB: self = .rgb
    case .PE_JPEG_COLOR_YCBCR: self = .ycbcr
    case .PE_JPEG_COLOR_CMYK: self = .cmyk
    case .PE_JPEG_COLOR_YCCK: self = .ycck
    case .PE_JPEG_COLOR_OTHER: throw .unsupported("a JPEG with an unknown color space")
    }
  }
}
