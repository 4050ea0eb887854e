// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// The properties of a rendered JPEG that its metadata depends on.
public struct RenderedImageProperties: Hashable, Sendable {
  /// A date and the UTC offset with which it is written.
  public struct ModificationDate: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    public var secondsSince1970: Int
    /// Seconds by which the local clock is ahead of UTC.
    public var utcOffset: Int

    /// Creates a date.
    public init(secondsSince1970: Int, utcOffset: Int) {
      (self.secondsSince1970, self.utcOffset) = (secondsSince1970, utcOffset)
    }
  }

  /// The color space of the samples.
  public enum Colors: Hashable, Sendable {
    /// The color space of the source: of its profile if that is kept, otherwise of its tags.
    case ofSource
    /// The samples were converted to sRGB.
    case sRGB
    /// The samples were converted to another color space.
    case other
  }

  /// Width and height of the rendering, with the orientation applied.
  public var size: PixelSize
  /// Indicates whether the rendering has one component.
  public var isGray: Bool
  /// The modification date; nil leaves all dates unchanged.
  public var modificationDate: ModificationDate?
  /// The rendering program, as written to the Software tag.
  public var software: String
  /// Indicates whether the source's profile still applies to the samples of the rendering.
  ///
  /// False if a CMYK source was converted or the color space was changed.
  public var keepsColorProfile: Bool
  /// The color space of the rendering; determines ColorSpace and the interoperability index.
  public var colors: Colors
  /// The chroma subsampling of the encoder; nil if the source's chroma was not changed.
  public var sampling: ChromaSampling?
  /// A thumbnail of the rendering; nil if the rendering gets none.
  public var thumbnail: Thumbnail?
  /// Sixteen bytes that differ between renderings; nil leaves the identifiers in XMP unchanged.
  ///
  /// Additional bytes are ignored; fewer are treated as nil.
  public var instance: [UInt8]?
  /// The map from points of the stored image to the rendering; nil if the map is not affine.
  public var geometry: RenderingGeometry?
  /// Width and height of the stored image that `geometry` maps from; nil if unknown.
  public var storedSize: PixelSize?
  /// The metadata to be removed so that the rendering can be shared.
  public var strip: MetadataRemoval
  /// Indicates whether the copyright notice and the creator are kept even if `strip` is `all`.
  public var keepsCopyright = false

  /// Indicates whether the settings of another program in the metadata are applied to the pixels.
  public var includesSettings = false

  /// The relation of the rendering to a gain map.
  public var gainMap: GainMapRole = .none

  /// The relation of a rendering to a gain map.
  public enum GainMapRole: Hashable, Sendable {
    /// None: a gain map of the source is left out.
    case none
    /// The rendering is followed by a gain map of the given size.
    case carriesGainMap(byteCount: Int)
    /// The rendering is a gain map.
    case isGainMap
  }

  /// A profile that replaces the source's; nil if that is kept or absent.
  package var profile: ICCProfile?

  /// Creates the properties of a rendering.
  public init(
    size: PixelSize, isGray: Bool = false, modificationDate: ModificationDate? = nil,
    software: String = "photoedit 0.1", keepsColorProfile: Bool = true,
    colors: Colors = .ofSource, sampling: ChromaSampling? = nil, thumbnail: Thumbnail? = nil,
    instance: [UInt8]? = nil, geometry: RenderingGeometry? = .identity,
    strip: MetadataRemoval = []
  ) {
    (self.size, self.isGray, self.modificationDate) = (size, isGray, modificationDate)
    (self.software, self.keepsColorProfile, self.colors) = (software, keepsColorProfile, colors)
    (self.sampling, self.thumbnail, self.instance) = (sampling, thumbnail, instance)
    (self.geometry, self.strip) = (geometry, strip)
  }

  /// A thumbnail of a rendering, as 8-bit gray or RGB without gaps between rows.
  public struct Thumbnail: Hashable, Sendable {
    /// The longest side allowed for a thumbnail in EXIF.
    ///
    /// - Source: JEITA CP-3461 (DCF 2.0), 3.3.5.
    public static let maximumSide = 160

    /// Width and height, each from 1 to `maximumSide`.
    public let size: PixelSize
    /// Indicates whether a pixel has one byte (gray) rather than three.
    public let isGray: Bool
    /// The pixels, starting at the top left.
    public let pixels: [UInt8]

    /// Creates a thumbnail; nil if the size is out of range or the number of bytes does not match.
    public init?(size: PixelSize, isGray: Bool, pixels: [UInt8]) {
      guard (1...Self.maximumSide).contains(size.width),
        (1...Self.maximumSide).contains(size.height),
        pixels.count == size.pixelCount * (isGray ? 1 : 3)
      else { return nil }
      (self.size, self.isGray, self.pixels) = (size, isGray, pixels)
    }
  }
}

extension RenderedImageProperties {
  /// Indicates whether horizontal and vertical resolution change places.
  var exchangesResolutions: Bool { geometry?.swapsAxes == true }

  /// Returns the position of a subject in the rendering: its center and, if given, its diameter or
  /// its size, in pixels; nil if it is outside.
  ///
  /// A subject that is partly outside is limited to the image. If the position cannot be
  /// determined, the entire image is the subject. Zeros state none and stay.
  func subject(_ values: [Int]) -> [Int]? {
    if values.allSatisfy({ $0 == 0 }) { return values }
    let (width, height) = (Double(size.width), Double(size.height))
    var numbers = [width / 2, height / 2, width, height]
    if let geometry, let storedSize, values.count >= 2 {
      let (storedWidth, storedHeight) = (Double(storedSize.width), Double(storedSize.height))
      let center = geometry.point(
        Double(values[0]) / storedWidth, Double(values[1]) / storedHeight)
      let w = Double(values.count > 2 ? values[2] : 0) / storedWidth
      let h = Double(values.count > 2 ? values[values.count - 1] : 0) / storedHeight
      guard
        let x = Self.limited(
          center.x * width, (abs(geometry.xx) * w + abs(geometry.xy) * h) * width, to: width),
        let y = Self.limited(
          center.y * height, (abs(geometry.yx) * w + abs(geometry.yy) * h) * height, to: height)
      else { return nil }
      numbers = [x.center, y.center, x.length, y.length]
      // A circle fits the part that remains.
      if values.count == 3, x.isLimited || y.isLimited { numbers[2] = min(x.length, y.length) }
    }
    // Whole numbers may be off by the last digit.
    return numbers.prefix(values.count).map { Int(min(max($0 + 1e-6, 0), 0xFFFF)) }
  }

  /// Returns the part of a line that is inside; nil if none is.
  private static func limited(
    _ center: Double, _ length: Double, to end: Double
  ) -> (center: Double, length: Double, isLimited: Bool)? {
    let (first, last) = (center - length / 2, center + length / 2)
    guard first.isFinite, last.isFinite, first <= end, last >= 0 else { return nil }
    // Half a pixel may be lost by rounding the center.
    if first >= -0.5, last <= end + 0.5 { return (center, length, false) }
    let (start, limit) = (max(first, 0), min(last, end))
    return limit > start || length == 0 ? ((start + limit) / 2, limit - start, true) : nil
  }

  /// The factors by which the pixels along the width and the height of the rendering became more.
  ///
  /// Nil if they are unknown or did not change.
  var pixelScale: (x: Double, y: Double)? {
    guard let geometry, geometry.isResampled, let storedSize, storedSize.width > 0,
      storedSize.height > 0
    else { return nil }
    let (width, height) = (Double(size.width), Double(size.height))
    func scale(_ x: Double, _ y: Double, _ stored: Int) -> Double {
      (x * width * x * width + y * height * y * height).squareRoot() / Double(stored)
    }
    let alongWidth = scale(geometry.xx, geometry.yx, storedSize.width)
    let alongHeight = scale(geometry.xy, geometry.yy, storedSize.height)
    guard alongWidth.isFinite, alongHeight.isFinite, alongWidth > 0, alongHeight > 0 else {
      return nil
    }
    return geometry.swapsAxes ? (alongHeight, alongWidth) : (alongWidth, alongHeight)
  }

  /// Returns a resolution of the focal plane for the rendering; nil to keep it.
  ///
  /// A change below a thousandth is the rounding of the size to whole pixels.
  static func scaled(_ top: Int, _ bottom: Int, by scale: Double) -> (top: Int, bottom: Int)? {
    guard abs(scale - 1) > 0.001, top > 0, bottom > 0 else { return nil }
    let value = Double(top) / Double(bottom) * scale
    for factor in [1_000_000, 1000, 1] where value * Double(factor) <= Double(Int32.max) {
      let result = Int((value * Double(factor)).rounded())
      if result > 0 { return (result, factor) }
    }
    return nil
  }
}

extension RenderedImageProperties.ModificationDate {
  /// The local date and its second; nil for years that do not fit in four digits.
  private var local: (date: CivilDate, second: Int)? {
    guard abs(utcOffset) < 86_400, secondsSince1970 > -62_135_596_800,
      secondsSince1970 < 253_402_214_400
    else { return nil }
    let total = secondsSince1970 + utcOffset
    let second = ((total % 86_400) + 86_400) % 86_400
    return (CivilDate(number: (total - second) / 86_400), second)
  }

  private func text(dateSeparator: String, between: String) -> String? {
    guard let local else { return nil }
    let date = local.date.description.replacing("-", with: dateSeparator)
    let time = [local.second / 3600, local.second / 60 % 60, local.second % 60]
    return date + between + time.map { zeroPadded($0) }.joined(separator: ":")
  }

  /// The date in the 19-character form of EXIF: "2026:05:01 12:00:00".
  var exifText: String? { text(dateSeparator: ":", between: " ") }

  /// The offset in the form of EXIF's OffsetTime and ISO 8601: "+02:00".
  var offsetText: String {
    let minutes = abs(utcOffset / 60)
    return (utcOffset < 0 ? "-" : "+") + zeroPadded(minutes / 60 % 24) + ":"
      + zeroPadded(minutes % 60)
  }

  /// The date in the form of XMP: "2026-05-01T12:00:00+02:00".
  var xmpText: String? { text(dateSeparator: "-", between: "T").map { $0 + offsetText } }
}

extension RenderedImageProperties.Thumbnail {
  /// Returns the size of an image's thumbnail: at most `maximumSide`, and never larger than the
  /// image.
  package static func size(of image: PixelSize) -> PixelSize {
    let longest = max(1, image.width, image.height)
    guard longest > maximumSide else { return image }
    func side(_ side: Int) -> Int { max(1, (side * maximumSide + longest / 2) / longest) }
    return PixelSize(width: side(image.width), height: side(image.height))
  }

  /// Returns a JPEG of the thumbnail with 4:2:0 chroma subsampling; nil if it does not fit in
  /// `limit` bytes at any usable quality.
  func jpeg(atMost limit: Int) -> [UInt8]? {
    for quality in [80, 65, 50, 35, 20, 10] {
      guard let bytes = try? jpeg(quality: quality) else { return nil }
      if bytes.count <= limit { return bytes }
    }
    return nil
  }

  private func jpeg(quality: Int) throws(CodecError) -> [UInt8] {
    let layout = RowLayout(channels: isGray ? .gray : .rgb)
    return try ImageBuffer(size: size, layout: layout, bytes: pixels).jpeg(
      JPEGSettings(quality: quality, sampling: .s420, isGray: isGray), addsJFIF: false)
  }
}
