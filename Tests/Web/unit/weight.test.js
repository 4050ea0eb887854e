// SPDX-License-Identifier: Apache-2.0
// What a browser receives before the editor of one photo can be used.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

const web = new URL('../', import.meta.url);
/** The header fields of a response, as browsers count them. */
const headers = 300;

/** Files that the server sends together, without comments and indentation. */
function sent(...paths) {
  const texts = paths.map((path) => {
    const text = readFileSync(new URL(path, web), 'utf8');
    return /\.(js|css)$/.test(path)
      ? text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^[ \t]+/gm, '')
      : text;
  });
  return gzipSync(texts.join('')).length + headers;
}

/** A module with those that it imports at once. */
function modules(path, found = new Set()) {
  if (found.has(path)) return found;
  found.add(path);
  const text = readFileSync(new URL(path, web), 'utf8');
  for (const [, next] of text.matchAll(/^(?:import|\}) .*'(\.[^']+)';$/gm)) {
    const { href } = new URL(next, new URL(path, web));
    modules(href.slice(web.href.length), found);
  }
  return found;
}

test('the editor of a photo weighs at most 100 kB', () => {
  const page = readFileSync(new URL('index.html', web), 'utf8');
  const sheets = [...page.matchAll(/<link rel="stylesheet" href="\/web\/([^"]+)">/g)]
    .map(([, path]) => path);
  assert.ok(sheets.length >= 4);
  const scripts = modules('js/editor/editor.js', modules('js/app.js'));
  assert.ok(scripts.size > 40);
  const bytes = ['index.html', 'icon.svg', ...sheets]
    .reduce((sum, path) => sum + sent(path), sent(...scripts));
  assert.ok(bytes <= 100_000, `${bytes} bytes`);
});
