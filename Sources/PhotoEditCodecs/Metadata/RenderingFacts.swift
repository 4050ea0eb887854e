// SPDX-License-Identifier: Apache-2.0
public import PhotoEditPixels

/// What metadata must know about the JPEG it is to describe.
public struct RenderingFacts: Hashable, Sendable {
  /// A moment and the clock it is written with.
  public struct ModificationDate: Hashable, Sendable {
    /// Seconds since 1970-01-01 00:00:00 UTC.
    public var secondsSince1970: Int
    /// How far the local clock is ahead of UTC, in seconds.
    public var utcOffset: Int

    /// Makes a date.
    public init(secondsSince1970: Int, utcOffset: Int) {
      self.secondsSince1970 = secondsSince1970
      self.utcOffset = utcOffset
    }
  }

  /// What the numbers of the samples mean.
  public enum Colors: Hashable, Sendable {
    /// What they meant in the source: by its profile if that is kept, else by its tags.
    case ofSource
    /// They were converted to sRGB.
    case sRGB
    /// They were converted to something else.
    case other
  }

  /// Width and height of the rendering, upright.
  public var size: PixelSize
  /// Whether the rendering has one component.
  public var isGray: Bool
  /// When the picture was changed; nil leaves all dates as they are.
  public var modificationDate: ModificationDate?
  /// The program that renders, as it is written into the Software tag.
  public var software: String
  /// Whether the samples of the rendering still mean what the source's profile says.
  ///
  /// False when a CMYK source was converted or the colour space was changed.
  public var keepsColorProfile: Bool
  /// What the colours are now; decides ColorSpace and the interoperability index.
  public var colors: Colors
  /// How chroma was sampled by the encoder; nil where the source's chroma was not touched.
  public var sampling: ChromaSampling?
  /// A small copy of the rendering; nil leaves the rendering without a thumbnail.
  public var thumbnail: Thumbnail?
  /// Sixteen bytes that differ for different renderings; nil leaves the identifiers in XMP alone.
  ///
  /// Further bytes do not count, fewer are as good as none.
  public var instance: [UInt8]?
  /// Where the points of the stored picture lie in the rendering; nil where no such map is affine.
  public var geometry: RenderingGeometry?
  /// Width and height of the stored picture from which `geometry` leads; nil where nobody knows.
  public var storedSize: PixelSize?
  /// What is to be left out so that the rendering can be shared.
  public var strip: MetadataStrip

  /// What the rendering has to do with a gain map.
  public var gainMap: GainMapRole = .none

  /// What a rendering has to do with a gain map.
  public enum GainMapRole: Hashable, Sendable {
    /// Nothing: the source's is left out.
    case none
    /// The rendering is followed by one of so many bytes.
    case carriesGainMap(byteCount: Int)
    /// The rendering is one.
    case isGainMap
  }

  /// A profile that takes the place of the source's; nil where that stays, or there is none.
  package var profile: ICCProfile?

  /// Makes facts about a rendering.
  public init(
    size: PixelSize, isGray: Bool = false, modificationDate: ModificationDate? = nil,
    software: String = "photoedit 0.1", keepsColorProfile: Bool = true,
    colors: Colors = .ofSource, sampling: ChromaSampling? = nil, thumbnail: Thumbnail? = nil,
    instance: [UInt8]? = nil, geometry: RenderingGeometry? = .identity,
    strip: MetadataStrip = []
  ) {
    self.size = size
    self.isGray = isGray
    self.modificationDate = modificationDate
    self.software = software
    self.keepsColorProfile = keepsColorProfile
    self.colors = colors
    self.sampling = sampling
    self.thumbnail = thumbnail
    self.instance = instance
    self.geometry = geometry
    self.strip = strip
  }
}

extension RenderingFacts.ModificationDate {
  /// The local date and time, taken apart; nil for years that four digits cannot write.
  ///
  /// Days are counted in the proleptic Gregorian calendar from 1 March, so that the leap day is
  /// the last of its year.
  private var local: (year: Int, month: Int, day: Int, second: Int)? {
    guard abs(utcOffset) < 86_400, secondsSince1970 > -62_135_596_800,
      secondsSince1970 < 253_402_214_400
    else { return nil }
    let total = secondsSince1970 + utcOffset
    let second = ((total % 86_400) + 86_400) % 86_400
    // 719,468 days lie between 0000-03-01 and 1970-01-01; an era is 400 years.
    let days = (total - second) / 86_400 + 719_468
    let era = days / 146_097
    let dayOfEra = days - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let marchMonth = (5 * dayOfYear + 2) / 153
    let month = marchMonth < 10 ? marchMonth + 3 : marchMonth - 9
    return (
      yearOfEra + era * 400 + (month <= 2 ? 1 : 0), month,
      dayOfYear - (153 * marchMonth + 2) / 5 + 1, second
    )
  }

  private func padded(_ value: Int, _ width: Int = 2) -> String {
    let digits = String(value)
    return String(repeating: "0", count: max(0, width - digits.count)) + digits
  }

  private func text(dateSeparator: String, between: String) -> String? {
    guard let local else { return nil }
    let date = [padded(local.year, 4), padded(local.month), padded(local.day)]
    let time = [local.second / 3600, local.second / 60 % 60, local.second % 60].map { padded($0) }
    return date.joined(separator: dateSeparator) + between + time.joined(separator: ":")
  }

  /// "2026:05:01 12:00:00", the 19 characters of EXIF.
  var exifText: String? { text(dateSeparator: ":", between: " ") }

  /// "+02:00", as EXIF's OffsetTime and ISO 8601 write it.
  var offsetText: String {
    let minutes = abs(utcOffset / 60)
    return (utcOffset < 0 ? "-" : "+") + padded(minutes / 60 % 24) + ":" + padded(minutes % 60)
  }

  /// "2026-05-01T12:00:00+02:00", as XMP writes it.
  var xmpText: String? { text(dateSeparator: "-", between: "T").map { $0 + offsetText } }
}
