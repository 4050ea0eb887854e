// SPDX-License-Identifier: Apache-2.0

/// The known settings of Lightroom and Camera Raw and their identity values.
enum LightroomCatalog {
  /// The properties of a known setting.
  enum Entry {
    /// A setting that does not concern pixels: names, versions, digests, locations.
    case descriptive
    /// A setting that a filter may represent; the values have no effect.
    case translated(identity: [String])
    /// A setting without an equivalent filter; the values have no effect.
    case missing(identity: [String], reason: String)
    /// A setting that modifies other settings and has no effect while those have their identity
    /// values.
    case detail(of: [String], identity: [String])
  }

  /// Returns the properties of the named setting; nil if the setting is not known.
  static func entry(_ name: String) -> Entry? { entries[name] }

  static var names: [String] { entries.keys.sorted() }

  /// Settings of the process versions before 2012, which later process versions ignore.
  static let legacy: Set = [
    "Exposure", "Contrast", "Brightness", "Shadows", "FillLight", "HighlightRecovery", "Clarity",
    "ToneCurve", "ToneCurveRed", "ToneCurveGreen", "ToneCurveBlue",
  ]

  /// Settings introduced with the process version of 2012.
  static let modern: Set = [
    "Exposure2012", "Contrast2012", "Highlights2012", "Shadows2012", "Whites2012", "Blacks2012",
    "Clarity2012", "ToneCurvePV2012", "ToneCurvePV2012Red", "ToneCurvePV2012Green",
    "ToneCurvePV2012Blue",
  ]

  /// Returns whether a value has no effect; compares as numbers if both are numbers.
  static func isIdentity(_ value: LightroomEdit.Value, _ identity: [String]) -> Bool {
    if value.isEmpty { return true }
    switch value {
    case .structure: return false
    case .list(let items):
      let text = items.map { $0.filter { $0 != " " } }.joined(separator: ";")
      return identity.contains(text)
    case .text(let text):
      let number = value.number
      return identity.contains { candidate in
        if let number, let other = Double(candidate) { return number == other }
        return text.lowercased() == candidate.lowercased()
      }
    }
  }

  // MARK: The table

  private static let entries: [String: Entry] = {
    var table: [String: Entry] = [:]
    for name in words(descriptive) { table[name] = .descriptive }
    for (identity, names) in translated {
      for name in words(names) { table[name] = .translated(identity: [identity]) }
    }
    for group in missing {
      for name in words(group.names) {
        table[name] = .missing(identity: words(group.identity), reason: group.reason)
      }
    }
    for group in details {
      for name in words(group.names) {
        table[name] = .detail(of: words(group.of), identity: words(group.identity))
      }
    }
    for name in ["ToneCurve", "ToneCurvePV2012"] {
      for channel in ["", "Red", "Green", "Blue"] {
        table[name + channel] = .translated(identity: ["0,0;255,255"])
      }
    }
    table["WhiteBalance"] = .translated(identity: ["As Shot"])
    table["Treatment"] = .translated(identity: ["Color"])
    table["PointColors"] = .missing(
      identity: [Array(repeating: "-1.000000", count: 19).joined(separator: ",")],
      reason: "no filter selects by color")
    return table
  }()

  private static func words(_ text: String) -> [String] {
    text.split { $0 == " " || $0 == "\n" }.map(String.init)
  }

  private static let descriptive = """
    Version ProcessVersion CompatibleVersion HasSettings HasCrop AlreadyApplied RawFileName
    ToneCurveName ToneCurveName2012 CameraProfileDigest AutoToneDigest AutoToneDigestNoSat
    AutoWhiteVersion AutoGrayscaleMix ToggleStyleAmount ToggleStyleDigest PresetType Cluster UUID
    SupportsAmount SupportsAmount2 SupportsColor SupportsMonochrome SupportsHighDynamicRange
    SupportsNormalDynamicRange SupportsSceneReferred SupportsOutputReferred
    RequiresRGBTables ShowInPresets ShowInQuickActions CameraModelRestriction Name ShortName
    SortName Group Description ContactInfo Copyright Converter What DNGIgnoreSidecars
    JPEGHandling TIFFHandling NegativeCacheLargePreviewSize NegativeCacheMaximumSize
    NegativeCachePath DefaultAutoGray DefaultAutoTone DefaultsSpecificToISO
    DefaultsSpecificToSerial ClipboardAspectRatio ClipboardOrientation UprightPreview
    """

  /// Identity values and the settings that have them.
  private static let translated: [(identity: String, names: String)] = [
    (
      "0",
      """
      IncrementalTemperature IncrementalTint Exposure2012 Contrast2012 Highlights2012 Shadows2012
      Whites2012 Blacks2012 Exposure Contrast Clarity Clarity2012 Texture Vibrance Saturation
      ParametricShadows ParametricDarks ParametricLights ParametricHighlights
      SplitToningShadowSaturation SplitToningHighlightSaturation ColorGradeMidtoneSat
      ColorGradeGlobalSat ColorGradeShadowLum ColorGradeMidtoneLum ColorGradeHighlightLum
      ColorGradeGlobalLum Sharpness LuminanceSmoothing PostCropVignetteAmount GrainAmount
      CropTop CropLeft CropAngle
      """
    ),
    ("1", "CropBottom CropRight"),
    ("False", "ConvertToGrayscale"),
    // Absolute temperatures have no identity value; the white balance "As Shot" disables them.
    ("", "Temperature Tint"),
  ]

  private static let missing: [(identity: String, names: String, reason: String)] = [
    (
      "0",
      """
      HueAdjustmentRed HueAdjustmentOrange HueAdjustmentYellow HueAdjustmentGreen
      HueAdjustmentAqua HueAdjustmentBlue HueAdjustmentPurple HueAdjustmentMagenta
      SaturationAdjustmentRed SaturationAdjustmentOrange SaturationAdjustmentYellow
      SaturationAdjustmentGreen SaturationAdjustmentAqua SaturationAdjustmentBlue
      SaturationAdjustmentPurple SaturationAdjustmentMagenta LuminanceAdjustmentRed
      LuminanceAdjustmentOrange LuminanceAdjustmentYellow LuminanceAdjustmentGreen
      LuminanceAdjustmentAqua LuminanceAdjustmentBlue LuminanceAdjustmentPurple
      LuminanceAdjustmentMagenta GrayMixerRed GrayMixerOrange GrayMixerYellow GrayMixerGreen
      GrayMixerAqua GrayMixerBlue GrayMixerPurple GrayMixerMagenta
      """, "no filter works on bands of hues"
    ),
    (
      "0", "Brightness Shadows FillLight HighlightRecovery",
      "no equivalent filter for settings of process versions before 2012"
    ),
    ("0", "Dehaze", "no filter removes haze"),
    ("0", "ColorNoiseReduction", "no filter removes only color noise"),
    ("0", "MoireFilter Smoothness", "no equivalent filter"),
    (
      "0",
      """
      ChromaticAberrationR ChromaticAberrationB AutoLateralCA Defringe DefringePurpleAmount
      DefringeGreenAmount LensManualDistortionAmount LensProfileEnable VignetteAmount
      """, "faults of lenses are not corrected"
    ),
    (
      "0",
      """
      PerspectiveVertical PerspectiveHorizontal PerspectiveRotate PerspectiveAspect PerspectiveX
      PerspectiveY PerspectiveUpright CropConstrainToWarp
      """, "perspective is not supported"
    ),
    ("100", "PerspectiveScale", "perspective is not supported"),
    (
      "0",
      """
      ShadowTint RedHue RedSaturation GreenHue GreenSaturation BlueHue BlueSaturation
      """, "no filter calibrates cameras"
    ),
    ("Embedded", "CameraProfile", "camera profiles are not supported"),
    (
      "False", "AutoTone AutoBrightness AutoContrast AutoExposure AutoShadows",
      "only Lightroom can compute it"
    ),
    (
      "0", "HDREditMode SDRBlend SDRBrightness SDRContrast SDRHighlights SDRShadows SDRWhites",
      "high dynamic range is not supported"
    ),
    ("0", "ToneMapStrength", "no equivalent filter"),
    ("100", "CurveRefineSaturation", "no equivalent filter"),
    ("100", "ColorVariance", "no equivalent filter"),
    ("False", "OverrideLookVignette", "Lightroom looks are not supported"),
    ("", "Look RGBTable RGBTableAmount", "Lightroom looks are not supported"),
    (
      "",
      """
      GradientBasedCorrections CircularGradientBasedCorrections PaintBasedCorrections
      MaskGroupBasedCorrections RangeMaskMapInfo
      """, "local adjustments are not supported"
    ),
    ("", "RetouchAreas RetouchInfo RedEyeInfo", "retouching is not supported"),
    ("", "LensBlur DepthMapInfo DepthBasedCorrections", "depth is not supported"),
    ("", "CropWidth CropHeight CropUnit CropUnits", "a print size, which does not affect pixels"),
    ("", "Highlight2012", "not a Lightroom setting (Lightroom writes Highlights2012)"),
  ]

  private static let details: [(of: String, identity: String, names: String)] = [
    ("Sharpness", "1", "SharpenRadius"),
    ("Sharpness", "25", "SharpenDetail"),
    ("Sharpness", "0", "SharpenEdgeMasking"),
    ("LuminanceSmoothing", "50", "LuminanceNoiseReductionDetail"),
    ("LuminanceSmoothing", "0", "LuminanceNoiseReductionContrast"),
    ("ColorNoiseReduction", "50", "ColorNoiseReductionDetail ColorNoiseReductionSmoothness"),
    ("DefringePurpleAmount", "30", "DefringePurpleHueLo"),
    ("DefringePurpleAmount", "70", "DefringePurpleHueHi"),
    ("DefringeGreenAmount", "40", "DefringeGreenHueLo"),
    ("DefringeGreenAmount", "60", "DefringeGreenHueHi"),
    ("VignetteAmount", "50", "VignetteMidpoint"),
    ("PostCropVignetteAmount", "50", "PostCropVignetteMidpoint PostCropVignetteFeather"),
    ("PostCropVignetteAmount", "0", "PostCropVignetteRoundness PostCropVignetteHighlightContrast"),
    ("PostCropVignetteAmount", "1", "PostCropVignetteStyle"),
    ("GrainAmount", "25", "GrainSize"),
    ("GrainAmount", "50", "GrainFrequency"),
    ("GrainAmount", "0", "GrainSeed"),
    ("SplitToningShadowSaturation", "0", "SplitToningShadowHue"),
    ("SplitToningHighlightSaturation", "0", "SplitToningHighlightHue"),
    ("SplitToningShadowSaturation SplitToningHighlightSaturation", "0", "SplitToningBalance"),
    ("ColorGradeMidtoneSat", "0", "ColorGradeMidtoneHue"),
    ("ColorGradeGlobalSat", "0", "ColorGradeGlobalHue"),
    (
      """
      SplitToningShadowSaturation SplitToningHighlightSaturation ColorGradeMidtoneSat
      ColorGradeShadowLum ColorGradeMidtoneLum ColorGradeHighlightLum
      """, "50", "ColorGradeBlending"
    ),
    ("ParametricShadows ParametricDarks", "25", "ParametricShadowSplit"),
    ("ParametricDarks ParametricLights", "50", "ParametricMidtoneSplit"),
    ("ParametricLights ParametricHighlights", "75", "ParametricHighlightSplit"),
    (
      "LensProfileEnable", "",
      """
      LensProfileSetup LensProfileName LensProfileFilename LensProfileDigest
      LensProfileIsEmbedded LensProfileMatchKeyCameraModelName LensProfileMatchKeyExifMake
      LensProfileMatchKeyExifModel LensProfileMatchKeyIsRaw LensProfileMatchKeyLensID
      LensProfileMatchKeyLensInfo LensProfileMatchKeyLensName
      LensProfileMatchKeySensorFormatFactor
      """
    ),
    (
      "LensProfileEnable", "100",
      """
      LensProfileDistortionScale LensProfileChromaticAberrationScale LensProfileVignettingScale
      """
    ),
    (
      "PerspectiveUpright", "0",
      """
      UprightVersion UprightCenterMode UprightCenterNormX UprightCenterNormY UprightFocalMode
      UprightFocalLength35mm UprightDependentDigest UprightGuidedDependentDigest
      UprightFourSegmentsCount UprightFourSegments_0 UprightFourSegments_1 UprightFourSegments_2
      UprightFourSegments_3 UprightTransformCount UprightTransform_0 UprightTransform_1
      UprightTransform_2 UprightTransform_3 UprightTransform_4 UprightTransform_5
      """
    ),
    ("HDREditMode", "4", "HDRMaxValue"),
  ]
}
