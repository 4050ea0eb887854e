// SPDX-License-Identifier: Apache-2.0
import { t } from '../language.js';

/**
 * What a tool that retouches says of its discs; the handles of a disc have its number.
 * @typedef {object} RetouchWords
 * @property {string} note what to do first
 * @property {string} next the disc that Enter places
 * @property {(number: number) => string} disc
 * @property {(number: number) => string} [source]
 * @property {(number: number) => string} size
 * @property {(number: number, count: number) => string} selected
 * @property {(count: number) => string} most
 * @property {(count: number) => string} count
 * @property {string} removed
 * @property {string} search
 */

/** @type {Record<string, RetouchWords>} by the name of the filter */
export const retouchWords = {
  heal: {
    note: t('retouch.clickSpot'),
    next: t('retouch.newSpot'),
    disc: (number) => t('retouch.spot', { number }),
    source: (number) => t('retouch.spotSource', { number }),
    size: (number) => t('retouch.spotSize', { number }),
    selected: (number, count) => t('retouch.spotOf', { number, count }),
    most: (count) => t('retouch.mostSpots', { count }),
    count: (count) => t('retouch.spots', { count }),
    removed: t('retouch.spotRemoved'),
    search: t('retouch.sourceSearch'),
  },
  redEye: {
    note: t('retouch.clickPupil'),
    next: t('retouch.newPupil'),
    disc: (number) => t('retouch.pupil', { number }),
    size: (number) => t('retouch.pupilSize', { number }),
    selected: (number, count) => t('retouch.pupilOf', { number, count }),
    most: (count) => t('retouch.mostPupils', { count }),
    count: (count) => t('retouch.pupils', { count }),
    removed: t('retouch.pupilRemoved'),
    search: t('retouch.pupilSearch'),
  },
};

/** @type {Record<string, string>} the methods of a spot */
export const methods = { heal: t('retouch.healing'), clone: t('retouch.cloning') };
