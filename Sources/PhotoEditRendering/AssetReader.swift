// SPDX-License-Identifier: Apache-2.0
import PhotoEditCodecs
package import PhotoEditFilters
package import PhotoEditPixels
import PhotoEditStorage

/// Finds the files that a graph needs and reads their contents.
package struct AssetReader {
  private let graph: FilterGraph
  private let options: RenderOptions

  package init(_ graph: FilterGraph, _ options: RenderOptions) {
    self.graph = graph
    self.options = options
  }

  /// Returns the contents of every attachment named by an active node.
  ///
  /// - Throws: `UnsupportedNode` for the node whose attachment is missing or damaged.
  package func contents() throws(UnsupportedNode) -> [String: AttachmentContent] {
    var contents: [String: AttachmentContent] = [:]
    var limits = options.limits
    for node in graph.needed where node.isEnabled {
      for (name, kind) in try node.assets where contents[name] == nil {
        do throws(AttachmentError) {
          let content = try content(of: name, kind, limits)
          // All of them stay in memory while the image is rendered.
          limits.maximumMemoryBytes -= content.byteCount
          contents[name] = content
        } catch {
          throw UnsupportedNode(node: node.id, .asset(error))
        }
      }
    }
    return contents
  }

  private func content(
    of name: String, _ kind: AttachmentKind, _ limits: ImageLimits
  ) throws(AttachmentError) -> AttachmentContent {
    guard let asset = graph.assets[name] else {
      throw graph.hasMalformedAsset(name) ? .malformed(name) : .unknown(name)
    }
    if let known = options.attachments?[asset.digest, kind] { return known }
    guard let bytes = asset.data ?? options.assetFiles(asset.digest) else {
      throw .missing(name, asset.digest)
    }
    guard bytes.count == asset.byteCount,
      asset.data != nil || SHA256Digest(of: bytes) == asset.digest
    else { throw .changed(name, asset.digest) }
    let content = try Self.content(of: bytes, named: name, as: kind, limits: limits)
    options.attachments?[asset.digest, kind] = content
    return content
  }

  /// Returns the contents of a file.
  ///
  /// - Parameters:
  ///   - name: The name of the file in messages.
  ///   - limits: The memory limits for its pixels.
  package static func content(
    of bytes: [UInt8], named name: String, as kind: AttachmentKind,
    limits: ImageLimits = ImageLimits()
  ) throws(AttachmentError) -> AttachmentContent {
    switch kind {
    case .lookupTable, .lookupCube: try table(bytes, name, kind)
    case .haldImage: try hald(bytes, name, limits)
    case .image: .image(try image(bytes, name, limits))
    case .font: .font(try font(bytes, name))
    }
  }

  private static func font(
    _ bytes: [UInt8], _ name: String
  ) throws(AttachmentError) -> FontFile {
    do throws(FontFile.Refusal) {
      return try FontFile(bytes)
    } catch {
      switch error {
      case .libraryMissing(let reason):
        throw .libraryMissing(packages: FontLibraries.packages, reason: reason)
      case .unreadable(let reason): throw .unreadable(name, reason)
      }
    }
  }

  private static func table(
    _ bytes: [UInt8], _ name: String, _ kind: AttachmentKind
  ) throws(AttachmentError) -> AttachmentContent {
    let file: CubeFile
    do throws(LUTFileError) {
      file = try CubeFile(bytes)
    } catch {
      throw .unreadable(name, "\(error)")
    }
    switch (kind, file.table, file.cube) {
    case (.lookupTable, let table?, nil): return .table(table)
    case (.lookupTable, _, _):
      throw .unreadable(name, "file contains a 3D table (LUT_3D_SIZE); use 'lut3d'")
    case (_, let table, let cube?): return .cube(cube, after: table)
    default: throw .unreadable(name, "file contains a 1D table (LUT_1D_SIZE); use 'lut1d'")
    }
  }

  private static func hald(
    _ bytes: [UInt8], _ name: String, _ limits: ImageLimits
  ) throws(AttachmentError) -> AttachmentContent {
    let image = try image(bytes, name, limits) { size throws(LUTFileError) in
      guard ColorLUT3D.haldLevel(width: size.width, height: size.height) != nil else {
        throw .hald(width: size.width, height: size.height)
      }
    }
    let size = image.storedSize
    let count = image.layout.channels.count
    var samples: [Float] = []
    samples.reserveCapacity(size.pixelCount * 3)
    for pixel in 0..<size.pixelCount {
      for channel in 0..<3 {
        // A gray image is a table of gray values.
        samples.append(image.sample(pixel * count + (count >= 3 ? channel : 0)))
      }
    }
    do throws(LUTFileError) {
      return .cube(try ColorLUT3D(haldWidth: size.width, height: size.height, samples: samples))
    } catch {
      throw .unreadable(name, "\(error)")
    }
  }

  /// Decodes an image file.
  ///
  /// - Parameter check: Rejects a size before memory is allocated for its pixels.
  private static func image(
    _ bytes: [UInt8], _ name: String, _ limits: ImageLimits,
    _ check: (PixelSize) throws(LUTFileError) -> Void = { _ in }
  ) throws(AttachmentError) -> AttachmentImage {
    let file = FileBytes(bytes)
    let opened: ImageSource
    do throws(RenderError) {
      opened = try ImageSource(
        file, limits: ImageLimits(maximumPixels: AttachmentImage.maximumPixels))
    } catch {
      throw .unreadable(name, "\(error)")
    }
    do throws(LUTFileError) {
      try check(opened.header.size)
    } catch {
      throw .unreadable(name, "\(error)")
    }
    do throws(CodecError) {
      let image = try ImageDecoders.decode(file, options: DecoderOptions(limits: limits))
      return AttachmentImage(
        size: image.size, orientation: opened.metadata.orientation, layout: image.layout,
        bytes: image.bytes, meaning: opened.meaning)
    } catch {
      throw .unreadable(name, "\(error)")
    }
  }
}

extension ImageSource {
  /// The meaning of the decoded sample values when the image is composited over another one.
  fileprivate var meaning: AttachmentImage.Meaning {
    switch color.conversion {
    case .missing(let error): return .unknown("\(error)")
    case .ready:
      do throws(CodecError) {
        guard let converted = try asSRGB() else { return .unknown("its ICC profile is not usable") }
        return .table(asSRGB: converted)
      } catch {
        return .unknown("\(error)")
      }
    case nil:
      let curves = color.transfers.isEmpty ? nil : color.transfers.map(\.curveIntoSRGB)
      return .numbers(workingSpace, curves: curves.map { ChannelCurves($0) })
    }
  }

  /// Returns the pixels as sRGB without black point compensation, or nil if the profile cannot be
  /// used for the conversion.
  private func asSRGB() throws(CodecError) -> AttachmentImage? {
    guard let icc = metadata.icc, let profile = try? ICCProfile(validating: icc),
      let conversion = try? ColorConversion(
        from: profile, header: header, compensatesBlack: false)
    else { return nil }
    var options = DecoderOptions()
    options.deliversCMYK = true
    let image = try ImageDecoders.decode(bytes, options: options)
    guard conversion.accepts(image.layout) else { return nil }
    let size = image.size
    var converted = [UInt8](
      repeating: 0, count: conversion.layout.bytesPerRow(width: size.width) * size.height)
    image.bytes.withUnsafeBytes { source in
      converted.withUnsafeMutableBytes { target in
        guard let from = source.baseAddress, let to = target.baseAddress else { return }
        conversion.convert(size.pixelCount, from: from, into: to)
      }
    }
    return AttachmentImage(
      size: size, orientation: metadata.orientation, layout: conversion.layout, bytes: converted)
  }
}

extension AttachmentContent {
  /// The size in memory, in bytes.
  var byteCount: Int {
    switch self {
    case .table, .cube: 1 << 20
    case .image(let image): image.bytes.count + image.meaning.byteCount
    case .font(let font): font.byteCount
    }
  }
}

extension AttachmentImage {
  /// Returns one sample as a float from 0 to 1.
  fileprivate func sample(_ index: Int) -> Float {
    guard layout.bytesPerSample == 2 else { return Float(bytes[index]) / 255 }
    return bytes.withUnsafeBytes {
      Float($0.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)) / 65_535
    }
  }
}

extension AttachmentImage.Meaning {
  /// The size in bytes of the pixels that are also held in another color space.
  fileprivate var byteCount: Int {
    if case .table(let image) = self { image.bytes.count } else { 0 }
  }
}
