// SPDX-License-Identifier: Apache-2.0
import { path, post } from './api.js';
import { menu } from './dialogs.js';
import { el } from './dom.js';
import { t } from './language.js';

/** The time between two downloads in milliseconds: a browser drops some that begin together. */
const pause = 250;

/** The longest sides of the copies that the server makes for the page. */
export const copySides = [2048, 1024, 512];

/** @typedef {{ address: string, name?: string }} Download a name is for what is no file itself */

/**
 * The file of a photo.
 * @param {string} id
 * @param {'current' | 'original'} version
 * @returns {Download}
 */
export const fileOf = (id, version) =>
  ({ address: `${path`/api/assets/${id}/file`}?version=${version}` });

/**
 * A copy of a photo as a JPEG in sRGB without metadata, with a longest side; a video is not copied.
 * @param {Item} item
 * @param {number} side
 * @returns {Download}
 */
export function copyOf(item, side) {
  if (item.flags?.includes('movie')) return fileOf(item.id, 'current');
  const picture = path`/api/assets/${item.id}/picture/${item.picture}`;
  const stem = item.title.replace(/\.\w{1,5}$/, '');
  return {
    address: `${picture}?w=${side}&h=${side}&fit=inside`, name: `${stem}-${sideOf(item, side)}.jpg`,
  };
}

/**
 * The longest side of a copy: a photo is not enlarged.
 * @param {Item} item
 * @param {number} side
 */
const sideOf = ({ w, h }, side) => (w && h ? Math.min(side, Math.max(w, h)) : side);

/**
 * Several photos, with the videos of Live Photos, as one file; one by one if the server has no
 * library for that.
 * @param {string[]} ids
 * @param {'current' | 'original'} version
 */
export const filesOf = (ids, version) => collected({ ids, version }, (id) => fileOf(id, version));

/**
 * Smaller copies of photos, as one file if there are several.
 * @param {Item[]} items
 * @param {number} side
 */
export const copiesOf = (items, side) => collected(
  { ids: items.map(({ id }) => id), side }, (_, index) => copyOf(items[index], side));

/**
 * @param {{ ids: string[], version?: string, side?: number }} photos
 * @param {(id: string, index: number) => Download} single
 * @returns {Promise<Download[]>}
 */
async function collected(photos, single) {
  if (photos.ids.length > 1) {
    try {
      /** @type {{ download: string }} */
      const { download: id } = await post(path`/api/downloads`, photos);
      return [{ address: path`/api/downloads/${id}` }];
    } catch (problem) {
      if (problem.status !== 409) throw problem;
    }
  }
  return photos.ids.map(single);
}

/**
 * Downloads files, one after the other.
 * @param {Download[]} files
 */
export async function download(files) {
  for (const [index, { address, name }] of files.entries()) {
    if (index) await new Promise((resume) => { setTimeout(resume, pause); });
    const link = el('a', { href: address, download: name ?? '' });
    document.body.append(link);
    link.click();
    link.remove();
  }
}

/**
 * Offers a photo as it is, its original, or a smaller copy for others.
 * @param {HTMLElement} anchor
 * @param {Item} item
 */
export function downloadMenu(anchor, item) {
  const isEdited = item.flags?.includes('edited');
  /** @type {[label: string, file: Download][]} */
  const files = [
    [t(isEdited ? 'download.edited' : 'original'), fileOf(item.id, 'current')],
  ];
  if (isEdited) files.push([t('original'), fileOf(item.id, 'original')]);
  if (!item.flags?.includes('movie')) {
    for (const side of new Set(copySides.map((most) => sideOf(item, most)))) {
      files.push([t('download.copy', { size: String(side) }), copyOf(item, side)]);
    }
  }
  menu(anchor, files.map(([label, file]) => ({ label, action: () => download([file]) })));
}
