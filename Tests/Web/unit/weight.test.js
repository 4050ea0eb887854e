// SPDX-License-Identifier: Apache-2.0
// What a browser receives before the editor of one photo can be used.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { gzipSync } from 'node:zlib';

const web = new URL('../', import.meta.url);
/** The header fields of a response, as browsers count them. */
const headers = 300;

/** A file as the server sends it: without comments and indentation. */
function sent(path) {
  const text = readFileSync(new URL(path, web), 'utf8');
  const short = /\.(js|css)$/.test(path)
    ? text.replace(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, '').replace(/^[ \t]+/gm, '')
    : text;
  return gzipSync(short).length + headers;
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

test('the editor of a photo weighs at most 120 kB', () => {
  const page = readFileSync(new URL('index.html', web), 'utf8');
  const sheets = [...page.matchAll(/<link rel="stylesheet" href="\/web\/([^"]+)">/g)]
    .map(([, path]) => path);
  assert.ok(sheets.length >= 4);
  const scripts = modules('js/editor/editor.js', modules('js/app.js'));
  assert.ok(scripts.size > 40);
  const files = ['index.html', 'icon.svg', ...sheets, ...scripts];
  const bytes = files.reduce((sum, path) => sum + sent(path), 0);
  assert.ok(bytes <= 120_000, `${bytes} bytes in ${files.length} files`);
});
