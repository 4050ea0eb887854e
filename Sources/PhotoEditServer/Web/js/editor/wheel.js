// SPDX-License-Identifier: Apache-2.0

/**
 * The place of a color on a wheel of radius 1: red is at the right, and the hue grows
 * counterclockwise, as on paper; y grows downward, as on the screen.
 * @param {number} hue in degrees
 * @param {number} strength
 * @param {number} most the strength at the rim; a larger one stays there
 * @returns {Point}
 */
export function placeOf(hue, strength, most) {
  const radius = Math.min(1, strength / most);
  const angle = (hue * Math.PI) / 180;
  return [radius * Math.cos(angle), -radius * Math.sin(angle)];
}

/**
 * The color at a place of a wheel of radius 1, in whole degrees and hundredths; around the middle
 * there is none.
 * @param {number} x
 * @param {number} y
 * @param {number} most the strength at the rim
 */
export function colorAt(x, y, most) {
  const radius = Math.min(1, Math.hypot(x, y));
  if (radius < 0.04) return { hue: 0, strength: 0 };
  const angle = Math.round((Math.atan2(-y, x) * 180) / Math.PI);
  return { hue: (angle + 360) % 360, strength: Math.round(radius * most * 100) / 100 };
}
