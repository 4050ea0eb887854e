// SPDX-License-Identifier: Apache-2.0

extension FilterCatalog {
  /// A name stored with its type: reading the name from every schema takes longer than a small
  /// edit.
  typealias Entry = (name: String, type: any Filter.Type)

  /// The groups, in display order.
  static let groups: [(name: String, entries: [Entry])] = [
    ("Geometry", geometry), ("Tone", tone), ("Color", color), ("Looks", looks),
    ("Detail", detail), ("Retouching", retouching), ("Creative", creative),
    ("Compositing", compositing), ("Masks", masks),
  ]

  private static let geometry: [Entry] = [
    ("orient", Orient.self), ("rotate90", Rotate90.self), ("flip", Flip.self),
    ("lens", Lens.self), ("crop", Crop.self), ("straighten", Straighten.self),
    ("perspective", Perspective.self),
    ("resize", Resize.self), ("pad", Pad.self),
  ]

  private static let tone: [Entry] = [
    ("autoLevels", AutoLevels.self), ("equalize", Equalize.self), ("clahe", CLAHE.self),
    ("exposure", Exposure.self), ("brightness", Brightness.self),
    ("brightnessScale", BrightnessScale.self),
    ("contrast", Contrast.self), ("sigmoidalContrast", SigmoidalContrast.self),
    ("gamma", Gamma.self),
    ("levels", Levels.self), ("blackWhitePoint", BlackWhitePoint.self),
    ("curve", Curve.self),
    ("parametricTone", ParametricTone.self),
    ("shadowsHighlights", ShadowsHighlights.self), ("dehaze", Dehaze.self),
    ("liftGammaGain", LiftGammaGain.self),
    ("whiteBalance", WhiteBalance.self),
    ("solarize", Solarize.self),
  ]

  private static let color: [Entry] = [
    ("grayscale", Grayscale.self), ("blackWhite", BlackWhite.self), ("sepia", Sepia.self),
    ("invert", Invert.self),
    ("saturate", Saturate.self), ("vibrance", Vibrance.self), ("colorMixer", ColorMixer.self),
    ("hueRotate", HueRotate.self), ("oklch", Oklch.self),
    ("colorMatrix", ColorMatrix.self), ("colorPolynomial", ColorPolynomial.self),
    ("colorCrossPolynomial", ColorCrossPolynomial.self),
    ("posterize", Posterize.self), ("threshold", Threshold.self),
    ("asccdl", ASCCDL.self), ("lut1d", LUT1D.self), ("lut3d", LUT3D.self),
    ("haldClut", HaldCLUT.self),
    ("gradientMap", GradientMap.self), ("splitTone", SplitTone.self),
    ("colorGrade", ColorGrade.self),
  ]

  private static let looks: [Entry] = [
    ("look.tonal", LookTonal.self), ("look.mono", LookMono.self), ("look.noir", LookNoir.self),
    ("look.chrome", LookChrome.self), ("look.fade", LookFade.self),
    ("look.instant", LookInstant.self), ("look.process", LookProcess.self),
    ("look.transfer", LookTransfer.self),
  ]

  private static let detail: [Entry] = [
    ("gaussianBlur", GaussianBlur.self),
    ("unsharpMask", UnsharpMask.self),
    ("sharpenLuma", SharpenLuma.self), ("clarity", Clarity.self),
    ("boxBlur", BoxBlur.self), ("median", Median.self), ("bilateral", Bilateral.self),
    ("denoiseNLM", DenoiseNLM.self), ("denoiseWavelet", DenoiseWavelet.self),
    ("convolve", Convolve.self), ("edges", Edges.self), ("emboss", Emboss.self),
  ]

  private static let retouching: [Entry] = [
    ("heal", Heal.self), ("redEye", RedEye.self),
  ]

  private static let creative: [Entry] = [
    ("vignette", Vignette.self),
    ("grain", Grain.self), ("tiltShift", TiltShift.self),
    ("pixelate", Pixelate.self),
  ]

  private static let compositing: [Entry] = [
    ("blend", Blend.self),
    ("overlay", Overlay.self), ("text", Text.self),
    ("opacity", Opacity.self),
  ]

  static let movies: [Entry] = [
    ("trim", Trim.self), ("mute", Mute.self), ("volume", Volume.self),
    ("creationDate", CreationDate.self), ("location", Location.self),
    ("removeLocation", RemoveLocation.self),
  ]

  private static let masks: [Entry] = [
    ("mask.linear", MaskLinear.self), ("mask.radial", MaskRadial.self),
    ("mask.luma", MaskLuma.self), ("mask.color", MaskColor.self),
    ("mask.brush", MaskBrush.self), ("mask.image", MaskImage.self),
    ("mask.combine", MaskCombine.self), ("mask.group", MaskGroup.self),
    ("mask.invert", MaskInvert.self),
  ]
}
