// SPDX-License-Identifier: Apache-2.0
// The browser must not store photos, so that the page itself keeps the images that it has shown
// last. An image of the same address is then shown without another request.

const maximumPixels = 64e6;
/** @type {Map<string, HTMLImageElement>} */
const kept = new Map();
let pixels = 0;

/** @param {HTMLImageElement} image */
const size = (image) => image.naturalWidth * image.naturalHeight;

/** @param {string} address */
function drop(address) {
  pixels -= size(kept.get(address));
  kept.delete(address);
}

/**
 * Keeps an image that has loaded, and drops those that were shown the longest time ago.
 * @param {HTMLImageElement} image
 */
export function keepImage(image) {
  const address = image.currentSrc;
  if (kept.has(address)) drop(address);
  kept.set(address, image);
  pixels += size(image);
  for (const oldest of kept.keys()) {
    if (pixels <= maximumPixels) break;
    drop(oldest);
  }
}

/**
 * Requests an image, and keeps it.
 * @param {string} address
 */
export function loadImage(address) {
  const image = new Image();
  image.addEventListener('load', () => keepImage(image), { once: true });
  image.src = address;
  return image;
}

/**
 * Drops the images of photos that no longer exist.
 * @param {string[]} ids
 */
export function dropImages(ids) {
  const parts = ids.map((id) => `/assets/${encodeURIComponent(id)}/`);
  for (const address of [...kept.keys()]) {
    if (parts.some((part) => address.includes(part))) drop(address);
  }
}

document.addEventListener(
  'photoedit:unauthorized', () => { for (const address of [...kept.keys()]) drop(address); });
