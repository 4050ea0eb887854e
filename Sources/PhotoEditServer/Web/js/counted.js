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
  const videos = items.filter(isVideo).length;
  return countOf(count, { hasVideos: videos > 0, hasPhotos: videos < count });
}

/** @param {Item | undefined} item */
export const isVideo = (item) => item?.flags?.includes('movie') ?? false;

/**
 * @param {number} count
 * @param {{ hasVideos: boolean, hasPhotos: boolean }} kinds
 */
export function countOf(count, { hasVideos, hasPhotos }) {
  const key = !hasVideos ? 'photos' : hasPhotos ? 'photosAndVideos' : 'videos';
  return { count, items: t(key, { count }) };
}

/**
 * @param {string[]} ids
 * @param {ItemOf} itemOf
 */
export const countedIds = (ids, itemOf) => counted(ids.map(itemOf));
