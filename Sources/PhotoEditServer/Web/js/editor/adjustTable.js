// SPDX-License-Identifier: Apache-2.0
// What the Adjust panel shows. A row names a parameter, `filter.parameter`; its range, unit and
// description are those of the catalog of filters. Rows of filters that the server does not have
// are left out.
import { t } from '../language.js';

/**
 * A row of the panel.
 * @typedef {object} Row
 * @property {string} at the filter and its parameter
 * @property {string} [label] in place of the name that the catalog gives
 * @property {string[]} [ramp] the colors of the track, from left to right
 * @property {number} [rest] the value at which the filter is not used, if the catalog has none
 * @property {Record<string, Value>} [fixed] values of the filters that the row edits
 * @property {ToolButton} [tool] the button of the filter's tool on the photo
 */

/** @typedef {{ name: string, symbol: string, keys: string }} ToolButton */

/**
 * A part of a section that is opened by a click, with tabs if there is much in it.
 * @typedef {object} Fold
 * @property {string} fold its name
 * @property {Record<string, (string | Row)[]>} [tabs]
 * @property {Record<string, [hue: string, strength: string]>} [wheels] what a wheel changes, by
 *   the tab that it is in
 * @property {(string | Row)[]} [rows]
 */

/**
 * A section of the panel; `uses` is a filter that a switch adds, and the tools of filters that
 * retouch are begun by buttons.
 * @typedef {object} Section
 * @property {string} name
 * @property {string} [uses]
 * @property {string[]} [retouches]
 * @property {boolean} [correctsLens] whether it has a button that corrects the lens
 * @property {boolean} [hasMasks] whether it adds masks and has their sliders
 * @property {(string | Row | Fold)[]} rows
 */

/** @type {[name: string, hue: number][]} the colors of the mixer and of black & white */
const colors = [
  ['red', 0], ['orange', 30], ['yellow', 55], ['green', 120], ['aqua', 180], ['blue', 225],
  ['purple', 270], ['magenta', 310],
];
/** @type {Record<string, string>} */
const colorNames = {
  red: t('color.red'), orange: t('color.orange'), yellow: t('color.yellow'),
  green: t('color.green'), aqua: t('color.aqua'), blue: t('color.blue'),
  purple: t('color.purple'), magenta: t('color.magenta'),
};

/** @type {Record<string, string>} the names on the screen of sections, folds and tabs */
const titles = {
  Light: t('adjust.light'), Color: t('adjust.color'), 'Black & white': t('adjust.blackWhite'),
  Detail: t('adjust.detail'), Optics: t('adjust.optics'), Effects: t('adjust.effects'),
  Retouch: t('adjust.retouch'), Masks: t('adjust.masks'), Curve: t('adjust.curve'),
  'Color mixer': t('adjust.mixer'),
  'Color grading': t('adjust.grading'), All: t('adjust.all'), Red: t('color.red'),
  Green: t('color.green'), Blue: t('color.blue'), Hue: t('adjust.hue'),
  Saturation: t('adjust.saturation'), Lightness: t('adjust.lightness'),
  Shadows: t('adjust.shadows'), Midtones: t('adjust.midtones'),
  Highlights: t('adjust.highlights'),
};
/** @param {string} name */
export const titleOf = (name) => titles[name] ?? name;

/** @type {Record<string, string>} the tones in the name of their wheel */
export const wheelNames = {
  Shadows: t('adjust.ofShadows'), Midtones: t('adjust.ofMidtones'),
  Highlights: t('adjust.ofHighlights'), All: t('adjust.ofAll'),
};
/**
 * @param {number} hue
 * @param {number} [saturation] in percent
 * @param {number} [lightness] in percent
 */
const hsl = (hue, saturation = 65, lightness = 50) => `hsl(${hue} ${saturation}% ${lightness}%)`;
const circle = [0, 60, 120, 180, 240, 300, 360];
const rainbow = circle.map((hue) => hsl(hue));
const perceived = circle.map((hue) => `oklch(0.68 0.13 ${hue})`);
/** @param {number} hue */
const brightness = (hue) => [hsl(hue, 40, 16), hsl(hue), hsl(hue, 75, 86)];

/** @type {Record<string, (index: number) => string[]>} the tracks of the mixer */
const mixerRamps = {
  Hue: (index) => [-1, 0, 1].map((step) => hsl(colors.at((index + step) % colors.length)[1])),
  Saturation: (index) => [hsl(0, 0, 50), hsl(colors[index][1], 85)],
  Lightness: (index) => brightness(colors[index][1]),
};
const mixer = Object.fromEntries(Object.entries(mixerRamps).map(([property, ramp]) => [
  property, colors.map(([name], index) => ({
    at: `colorMixer.${name}${property}`, label: colorNames[name], ramp: ramp(index),
  })),
]));

const tones = Object.entries(
  { Shadows: 'shadow', Midtones: 'midtone', Highlights: 'highlight', All: 'global' });
const grading = Object.fromEntries(tones.map(([name, prefix]) => [name, [
  { at: `colorGrade.${prefix}Hue`, label: t('adjust.hue'), ramp: rainbow },
  { at: `colorGrade.${prefix}Amount`, label: t('adjust.strength') },
  { at: `colorGrade.${prefix}Lightness`, label: t('adjust.lightness') },
]]));
/** @type {Record<string, [hue: string, strength: string]>} */
const wheels = Object.fromEntries(tones.map(([name, prefix]) =>
  [name, [`colorGrade.${prefix}Hue`, `colorGrade.${prefix}Amount`]]));

const curves = Object.fromEntries([['All', 'master'], ['Red', 'r'], ['Green', 'g'], ['Blue', 'b']]
  .map(([name, channel]) => [name, [{ at: 'curve.points', fixed: { channel } }]]));

/** @param {string} parameter */
const vignette = (parameter) => ({ at: `vignette.${parameter}`, fixed: { model: 'smooth' } });

/** @type {Record<string, string>} the masks that buttons add, with their names on the screen */
export const masks = {
  'mask.linear': t('adjust.linear'), 'mask.radial': t('adjust.radial'),
  'mask.luma': t('adjust.luminance'), 'mask.brush': t('adjust.brush'),
};

/** @type {Section[]} */
export const sections = [
  {
    name: 'Light',
    rows: [
      'exposure.ev', 'contrast.amount', 'shadowsHighlights.highlights', 'shadowsHighlights.shadows',
      'parametricTone.whites', 'parametricTone.blacks', 'parametricTone.midtones',
      { at: 'exposure.black', label: t('adjust.blackPoint') },
      { fold: 'Curve', tabs: curves },
    ],
  },
  {
    name: 'Color',
    rows: [
      {
        at: 'whiteBalance.temperature', ramp: ['#3f74c9', '#c9ccd1', '#e0a63a'],
        tool: { name: t('adjust.pipette'), symbol: 'pipette', keys: 'w' },
      },
      { at: 'whiteBalance.tint', ramp: ['#4fa352', '#c9ccc9', '#c457b0'] },
      { at: 'vibrance.amount', ramp: ['#8a8a8a', '#7b8fa8', '#c98a4b', '#c25a5a'] },
      {
        at: 'saturate.amount', label: t('adjust.saturation'),
        ramp: ['#8a8a8a', '#6f8fae', '#c6913f', '#cc4545'],
      },
      {
        at: 'hueRotate.angle', label: t('adjust.hue'),
        ramp: circle.map((hue) => hsl((hue + 180) % 360)),
      },
      { fold: 'Color mixer', tabs: mixer },
      { fold: 'Color grading', tabs: grading, wheels, rows: ['colorGrade.balance'] },
    ],
  },
  {
    name: 'Black & white',
    uses: 'blackWhite',
    rows: [
      ...colors.map(([name, hue]) => ({ at: `blackWhite.${name}`, ramp: brightness(hue) })),
      { at: 'blackWhite.tintHue', ramp: perceived },
      'blackWhite.tintAmount',
    ],
  },
  {
    name: 'Detail',
    rows: [
      { at: 'sharpenLuma.amount', label: t('adjust.sharpening') },
      { at: 'sharpenLuma.sigma', label: t('adjust.radius') },
      'sharpenLuma.threshold',
      { at: 'denoiseNLM.amount', label: t('adjust.noise'), rest: 0 },
      { at: 'denoiseNLM.chroma', label: t('adjust.colorNoise') },
    ],
  },
  {
    name: 'Optics',
    correctsLens: true,
    rows: [{ at: 'vignette.amount', label: t('adjust.vignetting'), fixed: { model: 'cos4' } }],
  },
  { name: 'Retouch', rows: [], retouches: ['heal', 'redEye'] },
  {
    name: 'Effects',
    rows: [
      'clarity.amount', 'dehaze.amount',
      vignette('amount'), vignette('radius'), vignette('feather'), vignette('roundness'),
      'grain.amount', { at: 'grain.size', label: t('adjust.grainSize') },
    ],
  },
  { name: 'Masks', rows: [], hasMasks: true },
];

/** @type {Map<string, Row>} the rows of the sections, without tools, which are for a whole photo */
const rows = new Map();
for (const row of sections.flatMap((section) => section.rows)) {
  if (typeof row === 'string') rows.set(row, { at: row });
  else if ('at' in row) rows.set(row.at, { ...row, tool: undefined });
}

/** The rows of a mask: sliders that other sections have for the whole photo. */
export const localRows = [
  'exposure.ev', 'contrast.amount', 'shadowsHighlights.highlights', 'shadowsHighlights.shadows',
  'whiteBalance.temperature', 'whiteBalance.tint', 'saturate.amount', 'clarity.amount',
  'dehaze.amount', 'sharpenLuma.amount',
].map((at) => rows.get(at));

/** The filter that a button of a mask adds, with values that show where it works. */
export const masked = { name: 'exposure', values: { ev: 0.5 } };

/** The tools above the sections, with the filters that mark them. */
export const tools = { crop: ['crop', 'straighten'], perspective: ['perspective'] };

/**
 * The order in which the panel adds filters, whatever is touched first: what repairs the photo,
 * light, color, looks, sharpening, geometry, and what belongs to the edges of the result. Others
 * stay where they are.
 */
export const order = [
  'lens', 'heal', 'redEye', 'denoiseNLM', 'dehaze', 'whiteBalance', 'exposure', 'shadowsHighlights',
  'parametricTone', 'contrast', 'curve', 'clarity', 'vibrance', 'saturate', 'hueRotate',
  'colorMixer', 'colorGrade', 'blackWhite', 'look', 'sharpenLuma', 'perspective', 'straighten',
  'crop', 'vignette', 'grain',
];

/**
 * The node before which a new one of a filter belongs; null is the end. A node that another one
 * reads by its name keeps its place, and so does what is before it.
 * @param {GraphNode[]} nodes
 * @param {string} filter
 */
export function placeIn(nodes, filter) {
  /** @param {string} name */
  const rank = (name) => order.indexOf(name.replace(/^look\..*/, 'look'));
  const own = rank(filter);
  if (own < 0) return null;
  const read = new Set(nodes.flatMap((node) => node.in ?? []));
  return nodes.find((node) => rank(node.filter) > own && !node.in && !read.has(node.id))?.id
    ?? null;
}
