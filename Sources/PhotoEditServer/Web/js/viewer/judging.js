// SPDX-License-Identifier: Apache-2.0
// How photos are judged where they are shown large.
import { favor, rate, ratingText } from '../grid/changes.js';
import { t } from '../language.js';
import { asBefore, reportResults } from '../results.js';

/**
 * Rates a photo with 0 to 5 stars, and offers to undo that; -1 rejects it.
 * @param {Item} item
 * @param {number} rating
 * @param {() => void} changed called when the item has another rating
 */
export async function rateItem(item, rating, changed) {
  const before = item.rating;
  /**
   * @param {number} value
   * @param {null} [undo]
   */
  const set = async (value, undo) => {
    const results = await rate([item.id], () => value);
    if (results[0].outcome === 'applied') item.rating = value;
    reportResults(results, {
      done: () => t('pair', { name: item.title, value: ratingText(value) }),
      itemOf: () => item,
      undo: undo === null ? null : () => set(before, null),
    });
    changed();
  };
  await set(rating);
}

/**
 * Marks a photo as a favorite, or no longer, and offers to undo that.
 * @param {Item} item
 * @param {() => void} changed called when the item has the mark or not
 */
export async function favorItem(item, changed) {
  const favorite = !item.flags.includes('favorite');
  /** @param {boolean} value */
  const set = async (value) => {
    const results = await favor([item.id], value);
    if (results[0].outcome === 'applied') {
      const others = item.flags.filter((flag) => flag !== 'favorite');
      item.flags = value ? [...others, 'favorite'] : others;
    }
    const isUndo = value !== favorite;
    reportResults(results, {
      itemOf: () => item,
      done: (marked) => (isUndo
        ? asBefore(marked)
        : t(value ? 'done.favorite' : 'done.noFavorite', marked)),
      undo: isUndo ? null : () => set(!favorite),
    });
    changed();
  };
  await set(favorite);
}
