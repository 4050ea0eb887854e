// SPDX-License-Identifier: Apache-2.0
// The white balance by which a color becomes gray, computed as the engine does it for
// `whiteBalance:pick`, so that a click and the command line give the same values.

/** The radius of the disc that is averaged, as a share of the longer side. */
export const radius = 0.01;

/**
 * Robertson's isotherms of 1968: reciprocal temperature in mired, the point of the Planckian locus
 * in the CIE 1960 plane, and the slope of the isotherm.
 */
const isotherms = [
  [0, 0.18006, 0.26352, -0.24341], [10, 0.18066, 0.26589, -0.25479],
  [20, 0.18133, 0.26846, -0.26876], [30, 0.18208, 0.27119, -0.28539],
  [40, 0.18293, 0.27407, -0.30470], [50, 0.18388, 0.27709, -0.32675],
  [60, 0.18494, 0.28021, -0.35156], [70, 0.18611, 0.28342, -0.37915],
  [80, 0.18740, 0.28668, -0.40955], [90, 0.18880, 0.28997, -0.44278],
  [100, 0.19032, 0.29326, -0.47888], [125, 0.19462, 0.30141, -0.58204],
  [150, 0.19962, 0.30921, -0.70471], [175, 0.20525, 0.31647, -0.84901],
  [200, 0.21142, 0.32312, -1.0182], [225, 0.21807, 0.32909, -1.2168],
  [250, 0.22511, 0.33439, -1.4512], [275, 0.23247, 0.33904, -1.7298],
  [300, 0.24010, 0.34308, -2.0637], [325, 0.24792, 0.34655, -2.4681],
  [350, 0.25591, 0.34951, -2.9641], [375, 0.26400, 0.35200, -3.5814],
  [400, 0.27218, 0.35407, -4.3633], [425, 0.28039, 0.35577, -5.3762],
  [450, 0.28863, 0.35714, -6.7262], [475, 0.29685, 0.35823, -8.5955],
  [500, 0.30505, 0.35907, -11.324], [525, 0.31320, 0.35968, -15.628],
  [550, 0.32129, 0.36011, -23.325], [575, 0.32931, 0.36038, -40.770],
  [600, 0.33724, 0.36051, -116.45],
];

/** @type {Partial<Record<PredefinedColorSpace, number[][]>>} from linear values to X, Y and Z */
const toXYZ = {
  srgb: [
    [0.4123907993, 0.3575843394, 0.1804807884], [0.2126390059, 0.7151686788, 0.0721923154],
    [0.0193308187, 0.1191947798, 0.9505321522],
  ],
  'display-p3': [
    [0.4865709486, 0.2656676932, 0.1982172852], [0.2289745641, 0.6917385218, 0.0792869141],
    [0, 0.0451133819, 1.0439443689],
  ],
};

/** The responses of the cones to X, Y and Z: Lam, 1985, the Bradford transform of ICC.1. */
const bradford = [
  [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296],
];
const fromCones = [
  [0.986992905467, -0.147054256421, 0.159962651664],
  [0.432305269723, 0.518360271537, 0.049291228212],
  [-0.008528664575, 0.040042821654, 0.968486695788],
];
/**
 * @param {number[][]} matrix
 * @param {number[]} vector
 */
const product = (matrix, vector) =>
  matrix.map((row) => row.reduce((sum, weight, index) => sum + weight * vector[index], 0));

/** @param {number} level 0 to 255 */
const decoded = (level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
/** @param {number} value */
const encoded = (value) =>
  255 * (value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055);

/** @param {number} slope */
function direction(slope) {
  const length = Math.hypot(1, slope);
  return [1 / length, slope / length];
}

/**
 * The point of the Planckian locus at a reciprocal temperature, and the direction of its isotherm.
 * @param {number} mired
 */
function locus(mired) {
  const index = Math.max(1, isotherms.findIndex(([end]) => mired <= end));
  const [left, right] = [isotherms[index - 1], isotherms[index]];
  const share = (mired - left[0]) / (right[0] - left[0]);
  /**
   * @param {number} a
   * @param {number} b
   */
  const mixed = (a, b) => a + share * (b - a);
  const [one, other] = [direction(left[3]), direction(right[3])];
  const [du, dv] = [mixed(one[0], other[0]), mixed(one[1], other[1])];
  const length = Math.hypot(du, dv);
  return [mixed(left[1], right[1]), mixed(left[2], right[2]), du / length, dv / length];
}

/**
 * Reciprocal temperature and tint of a chromaticity in the CIE 1960 plane.
 * @param {number[]} uv
 */
function lightOf([u, v]) {
  // The side of the isotherm on which the light is changes where that isotherm is its own.
  let [low, high] = [40, 600];
  for (let step = 0; step < 50; step += 1) {
    const middle = (low + high) / 2;
    const [pu, pv, du, dv] = locus(middle);
    if ((u - pu) * dv - (v - pv) * du < 0) low = middle;
    else high = middle;
  }
  const [pu, pv, du, dv] = locus(low);
  return { mired: low, tint: -3000 * ((u - pu) * du + (v - pv) * dv) };
}

/** @param {number[]} xyz */
const plane = ([x, y, z]) => [(4 * x) / (x + 15 * y + 3 * z), (6 * y) / (x + 15 * y + 3 * z)];

/**
 * The responses of the cones to a light.
 * @param {number} mired
 * @param {number} tint
 */
function responses(mired, tint) {
  const [pu, pv, du, dv] = locus(mired);
  const [u, v] = [pu - (du * tint) / 3000, pv - (dv * tint) / 3000];
  const [x, y, sum] = [3 * u, 2 * v, 2 * u - 8 * v + 4];
  return product(bradford, [x / y, 1, (sum - x - y) / y]);
}

// Neutral is D65, for which temperature and tint have no effect.
const daylight = lightOf(plane([0.3127, 0.3290, 1 - 0.3127 - 0.3290]));
const target = 1e6 / 6500;

/**
 * The values of `whiteBalance` by which a linear color becomes gray; null if a channel is black or
 * clipped.
 * @param {number[]} linear red, green and blue
 * @param {PredefinedColorSpace} [space]
 */
export function balanceOf(linear, space = 'srgb') {
  const levels = linear.map(encoded);
  if (!levels.every((level) => level >= 2 && level <= 253)) return null;
  const cones = product(bradford, product(toXYZ[space], linear));
  const expected = responses(target, 0);
  /**
   * @param {number} value
   * @param {number} low
   * @param {number} high
   */
  const limited = (value, low, high) => Math.min(high, Math.max(low, value));
  // The adaptation to 6500 K is not exactly that to D65, so that a rest of the color remains.
  let [mired, tint] = [target, 0];
  for (let round = 0; round < 8; round += 1) {
    const own = responses(mired, tint);
    const adapted = cones.map((cone, index) => (cone * expected[index]) / own[index]);
    const rest = lightOf(plane(product(fromCones, adapted)));
    // Each step is limited to what the filter can do alone.
    const step = limited(target + rest.mired - daylight.mired, 40, 500) - target;
    mired = limited(mired + step, 40, 500);
    tint = limited(tint + limited(rest.tint - daylight.tint, -150, 150), -150, 150);
  }
  return {
    temperature: Number((1e6 / mired).toPrecision(4)),
    // A gray has no tint, whatever the last digits of the sums are.
    tint: Number((Math.round(tint * 1e3) / 1e3).toPrecision(4)),
  };
}

/**
 * The average linear light of a disc of an image with four samples per pixel.
 * @param {{ data: ArrayLike<number>, width: number, height: number }} image
 * @param {number} x the center in pixels
 * @param {number} y
 * @param {number} reach the radius in pixels; at least the pixel at the center counts
 */
export function averageLight({ data, width, height }, x, y, reach) {
  const sums = [0, 0, 0];
  let count = 0;
  const least = Math.max(reach, 0.75);
  for (let row = 0; row < height; row += 1) {
    for (let column = 0; column < width; column += 1) {
      if (Math.hypot(column + 0.5 - x, row + 0.5 - y) > least) continue;
      for (const channel of [0, 1, 2]) {
        sums[channel] += decoded(data[4 * (row * width + column) + channel]);
      }
      count += 1;
    }
  }
  return sums.map((sum) => sum / Math.max(1, count));
}

/**
 * The part of an image around a disc, in fractions of it; the disc ends at the borders.
 * @param {number} x the center in fractions
 * @param {number} y
 * @param {number[]} size of the image in pixels
 * @returns {Region}
 */
export function around(x, y, size) {
  const reach = Math.max(2, radius * Math.max(...size) + 1);
  const [left, right, top, bottom] = [
    Math.floor(x * size[0] - reach), Math.ceil(x * size[0] + reach),
    Math.floor(y * size[1] - reach), Math.ceil(y * size[1] + reach),
  ];
  const [x0, x1] = [Math.max(0, left), Math.min(size[0], right)];
  const [y0, y1] = [Math.max(0, top), Math.min(size[1], bottom)];
  return {
    x: x0 / size[0], y: y0 / size[1], w: (x1 - x0) / size[0], h: (y1 - y0) / size[1],
  };
}

/**
 * The graph of the image that a filter gets, at the places where the whole graph shows it: of
 * what comes later, only the geometry is left.
 * @param {import('./schema.js').Schema} schema
 * @param {Graph} graph
 * @param {string | null} id the node, or the one before which it is added; null adds it at the end
 * @returns {Graph}
 */
export function inputOf(schema, graph, id) {
  const found = graph.nodes.findIndex((node) => node.id === id);
  const index = found < 0 ? graph.nodes.length : found;
  return {
    ...graph,
    nodes: graph.nodes.map((node, order) =>
      (order < index || ['geometry', 'mask'].includes(schema.filter(node.filter)?.family)
        ? node
        : { ...node, enabled: false })),
  };
}
