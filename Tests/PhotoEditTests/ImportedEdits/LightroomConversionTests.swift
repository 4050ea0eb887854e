// SPDX-License-Identifier: Apache-2.0
import PhotoEditFilters
import PhotoEditPixels
import Testing

@testable import PhotoEdit

@Suite("Lightroom settings as filters")
struct LightroomTranslationTests {
  /// One setting of process version 11 and its equivalent filter.
  @Test(arguments: [
    ("Exposure2012", "+0.50", "exposure:ev=0.5"), ("Exposure2012", "-9", "exposure:ev=-5"),
    ("Contrast2012", "+20", "parametricTone:contrast=1.1"),
    ("Whites2012", "-50", "parametricTone:whites=0.75"),
    ("Blacks2012", "100", "parametricTone:blacks=1.5"),
    ("Highlights2012", "-88", "shadowsHighlights:highlights=-0.44"),
    ("Shadows2012", "+50", "shadowsHighlights:shadows=0.25"),
    ("Clarity2012", "17", "clarity:amount=0.085,radius=0.015"),
    ("Texture", "-100", "clarity:amount=-0.5,radius=0.004"),
    ("Vibrance", "7", "vibrance:amount=0.07"), ("Saturation", "-100", "saturate:amount=0"),
    ("ConvertToGrayscale", "True", "grayscale:mode=luma709"),
    ("Treatment", "Black &amp; White", "grayscale:mode=luma709"),
    ("IncrementalTint", "-30", "whiteBalance:tint=-30"),
    ("Sharpness", "150", "sharpenLuma:amount=1.5,sigma=1"),
    ("LuminanceSmoothing", "25", "denoiseWavelet:strength=0.5"),
    ("SplitToningShadowSaturation", "40", "splitTone:shadowSaturation=0.4"),
    ("ColorGradeShadowLum", "-50", "liftGammaGain:masterLift=-0.05"),
    ("ColorGradeHighlightLum", "50", "liftGammaGain:masterGain=1.05"),
    ("GrainAmount", "50", "grain:amount=0.2"),
    ("PostCropVignetteAmount", "-25", "vignette:amount=0.4167,model=smooth"),
    (
      "ParametricLights", "50",
      "curve:points=0:0/0.125:0.125/0.375:0.375/0.625:0.675/0.875:0.875/1:1"
    ),
  ])
  func `a setting maps to the nearest filter`(name: String, value: String, note: String) throws {
    let found = try LightroomFixture.translation(["ProcessVersion": "11.0", name: value])
    #expect(found.approximated.map(\.note) == [note])
    #expect(found.graph.nodes.count == 1 && found.unmapped.isEmpty && found.mapped.isEmpty)
  }

  @Test func `a warmer setting is warmer by the same number of mireds`() throws {
    let found = try LightroomFixture.translation(["IncrementalTemperature": "+20"])
    let filter = try #require(try found.graph.nodes.first?.resolved() as? WhiteBalance)
    #expect(abs(1e6 / filter.temperature - (1e6 / 6500 - 20)) < 1e-3)
    #expect(filter.targetTemperature == 6500)
  }

  @Test func `an absolute temperature is relative to daylight`() throws {
    let found = try LightroomFixture.translation([
      "WhiteBalance": "Custom", "Temperature": "7000", "Tint": "+14",
    ])
    let filter = try #require(try found.graph.nodes.first?.resolved() as? WhiteBalance)
    #expect(filter.temperature == 7000 && filter.tint == 14)
    #expect(filter.targetTemperature == 5500 && filter.targetTint == 10)
    #expect(found.approximated.map(\.name) == ["Temperature", "Tint", "WhiteBalance"])
  }

  @Test func `white balance as shot changes nothing`() throws {
    let found = try LightroomFixture.translation([
      "WhiteBalance": "As Shot", "Temperature": "4950", "Tint": "+7",
    ])
    #expect(found.graph.nodes.isEmpty && found.unmapped.isEmpty && found.approximated.isEmpty)
  }

  @Test func `curves keep their points and their channel`() throws {
    let found = try LightroomFixture.translation(
      ["ProcessVersion": "11.0"],
      elements: LightroomFixture.list("ToneCurvePV2012", ["0, 0", "51, 102", "255, 255"])
        + LightroomFixture.list("ToneCurvePV2012Blue", ["0, 51", "255, 204"])
        + LightroomFixture.list("ToneCurvePV2012Red", ["0, 0", "255, 255"]))
    let curves = try found.graph.nodes.map { try #require(try $0.resolved() as? Curve) }
    #expect(curves.map(\.target) == [.master, .b])
    #expect(curves[0].points == [CurvePoint(0, 0), CurvePoint(0.2, 0.4), CurvePoint(1, 1)])
    #expect(curves[1].points == [CurvePoint(0, 0.2), CurvePoint(1, 0.8)])
    #expect(found.approximated.map(\.name) == ["ToneCurvePV2012", "ToneCurvePV2012Blue"])
  }

  @Test(arguments: [
    ["0, 0"], ["9, 0", "9, 5"], ["9, 0", "3, 5"], ["0, 0", "256, 3"], ["0, 0", "255"],
    ["0, 0", "x, 3"], ["0, 0", "255, -1"], (0...40).map { "\($0), 0" },
  ])
  func `an invalid curve is listed and not used`(points: [String]) throws {
    let found = try LightroomFixture.translation(
      ["ProcessVersion": "11.0"], elements: LightroomFixture.list("ToneCurvePV2012", points))
    #expect(found.graph.nodes.isEmpty)
    #expect(found.unmapped.map(\.name) == ["ToneCurvePV2012"])
  }

  @Test func `splits set the ranges of the parametric curve`() throws {
    let found = try LightroomFixture.translation([
      "ParametricShadows": "100", "ParametricShadowSplit": "40", "ParametricMidtoneSplit": "50",
      "ParametricHighlightSplit": "75",
    ])
    let curve = try #require(try found.graph.nodes.first?.resolved() as? Curve)
    #expect(curve.points[1] == CurvePoint(0.2, 0.36))
    #expect(found.approximated.map(\.name) == ["ParametricShadows", "ParametricShadowSplit"])
    let wrong = try LightroomFixture.translation([
      "ParametricShadows": "100", "ParametricShadowSplit": "60",
    ])
    #expect(wrong.graph.nodes.isEmpty)
    #expect(wrong.unmapped.map(\.name) == ["ParametricShadowSplit", "ParametricShadows"])
  }

  @Test func `a grayscale image has no saturation`() throws {
    let found = try LightroomFixture.translation([
      "ConvertToGrayscale": "True", "Saturation": "30", "GrayMixerRed": "-10",
    ])
    #expect(found.graph.nodes.map(\.filter) == ["grayscale"])
    #expect(found.unmapped.map(\.name) == ["GrayMixerRed", "Saturation"])
  }

  @Test func `the order is that of Lightroom, with effects after the crop`() throws {
    let found = try LightroomFixture.translation(
      [
        "ProcessVersion": "11.0", "GrainAmount": "20", "PostCropVignetteAmount": "-10",
        "CropTop": "0.1", "CropAngle": "1", "Sharpness": "40", "LuminanceSmoothing": "10",
        "SplitToningHighlightSaturation": "10", "ColorGradeGlobalSat": "10", "Vibrance": "10",
        "Saturation": "10", "ParametricDarks": "10", "Clarity2012": "10", "Texture": "10",
        "Shadows2012": "10", "Contrast2012": "10", "Exposure2012": "1", "IncrementalTint": "5",
      ], elements: LightroomFixture.list("ToneCurvePV2012", ["0, 10", "255, 255"]), orientation: 6)
    #expect(
      found.graph.nodes.map(\.filter) == [
        "whiteBalance", "exposure", "parametricTone", "shadowsHighlights", "clarity", "clarity",
        "curve", "curve", "vibrance", "saturate", "splitTone", "liftGammaGain", "denoiseWavelet",
        "sharpenLuma", "orient", "straighten", "crop", "vignette", "grain",
      ])
    #expect(found.unmapped.isEmpty)
  }
}
