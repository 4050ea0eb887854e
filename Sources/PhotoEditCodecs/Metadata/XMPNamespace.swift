// SPDX-License-Identifier: Apache-2.0

/// The XML namespaces that are relevant for rendering an image.
///
/// - Source: XMP specification parts 1 and 2; Adobe Gain Map 1.0; Google Ultra HDR, Motion Photo,
///   Photo Sphere and Depthmap formats; MWG Guidelines 2.0; IPTC Photo Metadata Standard; CIPA
///   DC-010.
package enum XMPNamespace: String, CaseIterable {
  case rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
  case tiff = "http://ns.adobe.com/tiff/1.0/"
  case exif = "http://ns.adobe.com/exif/1.0/"
  case xmp = "http://ns.adobe.com/xap/1.0/"
  case xmpNote = "http://ns.adobe.com/xmp/note/"
  case dublinCore = "http://purl.org/dc/elements/1.1/"
  case photoshop = "http://ns.adobe.com/photoshop/1.0/"
  case gainMap = "http://ns.adobe.com/hdr-gain-map/1.0/"
  case appleGainMap = "http://ns.apple.com/HDRGainMap/1.0/"
  case container = "http://ns.google.com/photos/1.0/container/"
  case camera = "http://ns.google.com/photos/1.0/camera/"
  case depthMap = "http://ns.google.com/photos/1.0/depthmap/"
  case secondImage = "http://ns.google.com/photos/1.0/image/"
  case panorama = "http://ns.google.com/photos/1.0/panorama/"
  case mediaManagement = "http://ns.adobe.com/xap/1.0/mm/"
  case dynamicMedia = "http://ns.adobe.com/xmp/1.0/DynamicMedia/"
  case drone = "http://www.dji.com/drone-dji/1.0/"
  case regions = "http://www.metadataworkinggroup.com/schemas/regions/"
  case microsoftPhoto = "http://ns.microsoft.com/photo/1.2/"
  case acdSee = "http://ns.acdsee.com/iptc/1.0/"
  case acdSeeRegions = "http://ns.acdsee.com/regions/"
  case appleFaces = "http://ns.apple.com/faceinfo/1.0/"
  case iptcCore = "http://iptc.org/std/Iptc4xmpCore/1.0/xmlns/"
  case iptcExtension = "http://iptc.org/std/Iptc4xmpExt/2008-02-29/"
  case exifAuxiliary = "http://ns.adobe.com/exif/1.0/aux/"
  case exifExtended = "http://cipa.jp/exif/1.0/"
  case darktable = "http://darktable.sf.net/"
  case cameraRaw = "http://ns.adobe.com/camera-raw-settings/1.0/"
  /// Snapshots of settings in Lightroom and Camera Raw.
  case savedSettings = "http://ns.adobe.com/camera-raw-saved-settings/1.0/"
  /// The edits of Photos on iOS 5 to 7.
  case appleAdjustments = "http://ns.apple.com/adjustment-settings/1.0/"
  /// The edits of Capture NX and ViewNX.
  case nikonEdits = "http://ns.nikon.com/nine/1.0/"
  /// The point in focus of a photo with a depth map.
  case focus = "http://ns.google.com/photos/1.0/focus/"
  case lightroom = "http://ns.adobe.com/lightroom/1.0/"
  case digiKam = "http://www.digikam.org/ns/1.0/"
  /// The Windows properties of photos, in addition to people.
  case windowsPhoto = "http://ns.microsoft.com/photo/1.0/"
  /// The same namespace as ExifTool writes it.
  case exifToolWindowsPhoto = "http://ns.microsoft.com/photo/1.0"
  /// The sets of iView MediaPro.
  case mediaPro = "http://ns.iview-multimedia.com/mediapro/1.0/"
  /// The sets of Expression Media, its successor.
  case expressionMedia = "http://ns.microsoft.com/expressionmedia/1.0/"
  /// The properties of a PNG.
  case png = "http://ns.adobe.com/png/1.0/"
  /// The cell of a phone network in which the camera was.
  case cell = "http://developer.sonyericsson.com/cell/1.0/"
  /// The photoedit namespace for values that no other namespace covers.
  case livePhoto = "org.photoedit:live-photo/1.0/"
  /// The photoedit namespace for a library's data about a photo.
  case library = "org.photoedit:library/1.0/"

  /// The conventional prefix, which is assumed if a packet does not declare it.
  var usualPrefix: String {
    switch self {
    case .rdf: "rdf"
    case .tiff: "tiff"
    case .exif: "exif"
    case .xmp: "xmp"
    case .xmpNote: "xmpNote"
    case .dublinCore: "dc"
    case .photoshop: "photoshop"
    case .dynamicMedia: "xmpDM"
    case .drone: "drone-dji"
    case .gainMap: "hdrgm"
    case .appleGainMap: "HDRGainMap"
    case .container: "Container"
    case .camera: "GCamera"
    case .depthMap: "GDepth"
    case .secondImage: "GImage"
    case .panorama: "GPano"
    case .mediaManagement: "xmpMM"
    case .regions: "mwg-rs"
    case .microsoftPhoto: "MP"
    case .acdSee: "acdsee"
    case .acdSeeRegions: "acdsee-rs"
    case .appleFaces: "apple-fi"
    case .iptcCore: "Iptc4xmpCore"
    case .iptcExtension: "Iptc4xmpExt"
    case .exifAuxiliary: "aux"
    case .exifExtended: "exifEX"
    case .darktable: "darktable"
    case .cameraRaw: "crs"
    case .savedSettings: "crss"
    case .appleAdjustments: "aas"
    case .nikonEdits: "nine"
    case .focus: "GFocus"
    case .lightroom: "lr"
    case .digiKam: "digiKam"
    case .windowsPhoto, .exifToolWindowsPhoto: "MicrosoftPhoto"
    case .mediaPro: "mediapro"
    case .expressionMedia: "expressionmedia"
    case .png: "png"
    case .cell: "cell"
    case .livePhoto, .library: "photoedit"
    }
  }
}

/// A property of the described image, and its position in the packet.
struct XMPProperty {
  /// The notation of the property.
  enum Form {
    /// `tiff:Orientation="6"` in a description's tag.
    case attribute
    /// `<tiff:Orientation>6</tiff:Orientation>` inside a description.
    case element
    /// An element without text: `<tiff:Orientation/>`, or one that contains elements.
    case structure
  }

  /// The namespace; nil if it is not a known one.
  let namespace: XMPNamespace?
  let name: String
  let form: Form
  /// From the first byte of the name or of the "<", to the last quote or the last ">".
  let whole: Range<Int>
  /// The text between the quotes or between the tags.
  let value: Range<Int>
  /// The text of the first rdf:li inside, for lists and language alternatives.
  let firstItem: Range<Int>?

  /// Returns whether this is the named property.
  func isNamed(_ namespace: XMPNamespace, _ name: String) -> Bool {
    self.namespace == namespace && self.name == name
  }

  /// Returns whether this is one of some properties.
  func isNamed(in names: Set<XMPName>) -> Bool {
    namespace.map { names.contains(XMPName($0, name)) } ?? false
  }
}
