// SPDX-License-Identifier: Apache-2.0
import Codecs
import Filters
import Pixels
import Storage

/// Finds the files that a graph needs, and reads what they hold.
struct AssetReader {
  private let graph: FilterGraph
  private let options: RenderOptions

  init(_ graph: FilterGraph, _ options: RenderOptions) {
    self.graph = graph
    self.options = options
  }

  /// The contents of every asset that a node that counts names.
  ///
  /// - Throws: `GraphObstacle` for the node whose asset is missing or damaged.
  func contents() throws(GraphObstacle) -> [String: AssetContent] {
    var contents: [String: AssetContent] = [:]
    for node in graph.needed where node.isEnabled {
      for (name, kind) in try node.assets where contents[name] == nil {
        do throws(AssetError) {
          contents[name] = try content(of: name, kind)
        } catch {
          throw GraphObstacle(node: node.id, .asset(error))
        }
      }
    }
    return contents
  }

  private func content(of name: String, _ kind: AssetKind) throws(AssetError) -> AssetContent {
    guard let asset = graph.assets[name] else { throw .unknown(name) }
    guard let bytes = asset.data ?? options.assetFiles(asset.digest) else {
      throw .missing(name, asset.digest)
    }
    guard bytes.count == asset.byteCount, asset.data != nil || Digest(of: bytes) == asset.digest
    else { throw .changed(name, asset.digest) }
    switch kind {
    case .lookupTable, .lookupCube:
      return try Self.table(bytes, name, kind)
    case .haldPicture: return try Self.hald(bytes, name)
    case .picture: return .picture(try Self.picture(bytes, name))
    }
  }

  private static func table(
    _ bytes: [UInt8], _ name: String, _ kind: AssetKind
  ) throws(AssetError) -> AssetContent {
    let file: CubeFile
    do throws(GradeError) {
      file = try CubeFile(bytes)
    } catch {
      throw .unreadable(name, "\(error)")
    }
    switch (kind, file.table, file.cube) {
    case (.lookupTable, let table?, nil): return .table(table)
    case (.lookupCube, nil, let cube?): return .cube(cube)
    default: throw .unreadable(name, "it is not \(kind.summary)")
    }
  }

  private static func hald(_ bytes: [UInt8], _ name: String) throws(AssetError) -> AssetContent {
    let picture = try picture(bytes, name)
    let size = picture.storedSize
    let count = picture.layout.channels.count
    var samples: [Float] = []
    samples.reserveCapacity(size.pixelCount * 3)
    for pixel in 0..<size.pixelCount {
      for channel in 0..<3 {
        // A gray picture is a table of grays.
        samples.append(picture.sample(pixel * count + (count >= 3 ? channel : 0)))
      }
    }
    do throws(GradeError) {
      return .cube(try LookupCube(haldWidth: size.width, height: size.height, samples: samples))
    } catch {
      throw .unreadable(name, "\(error)")
    }
  }

  private static func picture(_ bytes: [UInt8], _ name: String) throws(AssetError) -> AssetPicture {
    do throws(RenderError) {
      let file = FileBytes(bytes)
      let picture = try Picture(file, limits: ImageLimits())
      let image = try codec { () throws(CodecError) in try ImageDecoders.decode(file) }
      return AssetPicture(
        size: image.size, orientation: picture.metadata.orientation, layout: image.layout,
        bytes: image.bytes)
    } catch {
      throw .unreadable(name, "\(error)")
    }
  }
}

extension AssetPicture {
  /// One sample as a float, 0 to 1.
  fileprivate func sample(_ index: Int) -> Float {
    guard layout.bytesPerSample == 2 else { return Float(bytes[index]) / 255 }
    return bytes.withUnsafeBytes {
      Float($0.loadUnaligned(fromByteOffset: 2 * index, as: UInt16.self)) / 65_535
    }
  }
}
