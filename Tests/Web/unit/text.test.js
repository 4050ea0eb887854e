// SPDX-License-Identifier: Apache-2.0
// The texts that are drawn over a photo, and their fields.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { fields, isHalf } from '../js/editor/textControl.js';

test('the fields that are offered are those of the engine', () => {
  const source = readFileSync(new URL('../TextField.swift', import.meta.url), 'utf8');
  const [, cases] = /enum TextField[^{]*\{([\s\S]*?)\n\}/.exec(source);
  const names = [...cases.matchAll(/^ {2}case ([\w, ]+)$/gm)].flatMap(([, list]) =>
    list.split(', '));
  assert.deepEqual([...fields].sort(), names.sort());
});

test('a text with a brace that is still to be closed is half of one', () => {
  for (const text of ['{', '{da', 'by {creator} {', 'a }', '{{ {']) {
    assert.equal(isHalf(text), true, text);
  }
  for (const text of ['', 'a', '{date}', '{dat}', '{{', 'a }} {{b', '{date}, {time}']) {
    assert.equal(isHalf(text), false, text);
  }
});
