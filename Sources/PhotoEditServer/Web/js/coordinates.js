// SPDX-License-Identifier: Apache-2.0
/**
 * Coordinates as maps copy them, such as `38.7223, -9.1393`; null if they are none.
 * @param {string} text
 */
export function coordinates(text) {
  const parts = /^([+-]?\d+(?:\.\d+)?)°?[\s,;]+([+-]?\d+(?:\.\d+)?)°?$/.exec(text.trim());
  if (!parts) return null;
  const [latitude, longitude] = [Number(parts[1]), Number(parts[2])];
  return Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? { latitude, longitude } : null;
}
