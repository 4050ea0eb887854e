// SPDX-License-Identifier: Apache-2.0
// The names of what the server has, if they are not made of its own names: `whiteBalance` is
// “White balance”. A parameter can be named for one filter, as `crop.x`, or for all.

/** @type {Record<string, string>} */
export const names = {
  asccdl: 'ASC CDL',
  blackWhitePoint: 'Black and white point',
  shadowsHighlights: 'Shadows & highlights',
  lut1d: '1D LUT',
  lut3d: '3D LUT',
  denoiseNLM: 'Denoise NLM',
  'mask.group': 'Mask group',

  ev: 'Exposure',
  hi0: 'High end',
  hi1: 'High start',
  lo0: 'Low start',
  lo1: 'Low end',
  'crop.x': 'Left',
  'crop.y': 'Top',
  'crop.w': 'Width',
  'crop.h': 'Height',
  tl: 'Top left',
  tr: 'Top right',
  br: 'Bottom right',
  bl: 'Bottom left',
  exif: 'Orientation',
  'denoiseNLM.h': 'Strength',
  asset: 'File',

  // Standards and methods
  rgb: 'RGB',
  css: 'CSS',
  rec709: 'Rec. 709',
  rec601: 'Rec. 601',
  catmullRom: 'Catmull–Rom',
  cos4: 'cos⁴',

  // Fields of a text
  'field.iso': 'ISO',
  'field.fNumber': 'Aperture',
};
