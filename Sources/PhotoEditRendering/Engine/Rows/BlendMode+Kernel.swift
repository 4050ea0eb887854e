// SPDX-License-Identifier: Apache-2.0
import CPhotoEditKernels
import PhotoEditFilters

extension BlendMode {
  /// The mode as stored in an instruction.
  var index: Int { Int(kernel.rawValue) }

  /// The mode as an argument of `pe_blend`.
  var kernel: pe_blend_mode {
    switch self {
    case .normal: PE_BLEND_NORMAL
    case .multiply: PE_BLEND_MULTIPLY
    case .screen: PE_BLEND_SCREEN
    case .overlay: PE_BLEND_OVERLAY
    case .darken: PE_BLEND_DARKEN
    case .lighten: PE_BLEND_LIGHTEN
    case .colorDodge: PE_BLEND_COLOR_DODGE
    case .colorBurn: PE_BLEND_COLOR_BURN
    case .hardLight: PE_BLEND_HARD_LIGHT
    case .softLight: PE_BLEND_SOFT_LIGHT
    case .difference: PE_BLEND_DIFFERENCE
    case .exclusion: PE_BLEND_EXCLUSION
    case .hue: PE_BLEND_HUE
    case .saturation: PE_BLEND_SATURATION
    case .color: PE_BLEND_COLOR
    case .luminosity: PE_BLEND_LUMINOSITY
    }
  }
}
