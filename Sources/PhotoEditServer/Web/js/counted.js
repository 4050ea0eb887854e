// SPDX-License-Identifier: Apache-2.0
// What photos and videos are called together: “3 photos”, “2 videos”, “5 photos and videos”.
import { t } from './language.js';

/**
 * An item of a list, if it is loaded.
 * @typedef {(id: string) => Item | undefined} ItemOf
 */

/**
 * The number of items and its noun, for a text with `{items}`; one that is not loaded is taken for
 * a photo.
 * @param {(Item | undefined)[]} items
 */
export function counted(items) {
  const count = items.length;
  const videos = items.filter((item) => item?.flags?.includes('movie')).length;
  const key = videos === 0 ? 'photos' : videos === count ? 'videos' : 'photosAndVideos';
  return { count, items: t(key, { count }) };
}

/**
 * @param {string[]} ids
 * @param {ItemOf} itemOf
 */
export const countedIds = (ids, itemOf) => counted(ids.map(itemOf));
