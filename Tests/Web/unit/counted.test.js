// SPDX-License-Identifier: Apache-2.0
// What photos and videos are called together.
import assert from 'node:assert/strict';
import test from 'node:test';
import { counted, countedIds } from '../js/counted.js';
import { languages } from '../js/words/languages.js';

const photo = { id: 'p', flags: ['edited'] };
const video = { id: 'v', flags: ['movie'] };

test('photos, videos, and both have a noun of their own', () => {
  assert.deepEqual(counted([photo]), { count: 1, items: '1 photo' });
  assert.deepEqual(counted([video, video]), { count: 2, items: '2 videos' });
  assert.deepEqual(counted([photo, video]), { count: 2, items: '2 photos and videos' });
  assert.deepEqual(counted([]), { count: 0, items: '0 photos' });
});

test('what is not loaded is taken for a photo', () => {
  const items = new Map([['v', video]]);
  assert.equal(countedIds(['v'], (id) => items.get(id)).items, '1 video');
  assert.equal(countedIds(['a', 'b'], (id) => items.get(id)).items, '2 photos');
  assert.equal(counted([video, , video]).items, '3 photos and videos');
});

/** Nouns for one kind of asset, which no message with a count may have by itself. */
const nouns = {
  en: /photo|video|picture|image/i, de: /foto|video|bild/i, es: /foto(?!teca)|vídeo|imagen/i,
  fr: /photo(?!thèque)|vidéo|image/i, ja: /写真|ビデオ|枚/, 'zh-Hans': /照片|视频|张/,
};
/** Messages on files, and keys that are for photos alone. */
const ofPhotos = /^(photos|videos|photosAndVideos|import\.joined|export\.(edited|side))$/;

for (const { code } of languages) {
  test(`${code} counts assets by their kind`, async () => {
    for (const area of ['page', 'dialogs']) {
      const { words } = await import(`../js/words/${code}/${area}.js`);
      for (const [key, text] of Object.entries(words)) {
        if (ofPhotos.test(key)) continue;
        for (const form of typeof text === 'string' ? [text] : Object.values(text)) {
          const isCounted = /\{(count|items|done)\}/.test(form);
          const rest = form.replace('photoedit', '').replace(/\{\w+\}/g, '');
          if (isCounted) assert.doesNotMatch(rest, nouns[code], `${code} ${key}`);
        }
      }
    }
  });
}
