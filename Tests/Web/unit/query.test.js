// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { isCondition, searching, withBeginnings } from '../js/query.js';

test('a text that compares something is a condition, all others are words and terms', () => {
  const conditions = [
    'favorite == YES', 'rating>=4', 'title CONTAINS[cd] "sea"', 'keyword == "a" OR iso > 400',
    'place BEGINSWITH "Lis"', 'pixelWidth BETWEEN {1, 2}', 'mediaType IN {1, 2}',
    'location IN BOX(1, 2, 3, 4)', 'text MATCHES-WORDS "harbor"', "title like 'a*'",
  ];
  const searches = [
    'beach', '2015', 'is:favorite', 'rating:4..', 'rating:>=3', 'date:<2020', 'iso:=400',
    'keyword:"red sea"', 'made in China', 'in the box', 'looks like rain', 'Évening — 夜', '-draft',
    'between two trees', 'AND', 'NOT',
  ];
  assert.deepEqual(conditions.filter((text) => !isCondition(text)), []);
  assert.deepEqual(searches.filter(isCondition), []);
  assert.deepEqual(searching('  '), {});
  assert.deepEqual(searching('fuji x'), { search: 'fuji* x' });
  assert.deepEqual(searching('a == b'), { predicate: 'a == b' });
});

test('words also find longer ones; quotes, terms, dates and joined scripts are exact', () => {
  /** @type {[string, string][]} */
  const cases = [
    ['fuji', 'fuji*'], ['Évening red', 'Évening* red*'], ['IMG_0012.JPG', 'IMG_0012.JPG*'],
    ['"red sea"', '"red sea"'], ['keyword:"red sea" boat', 'keyword:"red sea" boat*'],
    ['-draft', '-draft'], ['2019-05', '2019-05'], ['is:video', 'is:video'], ['boa*', 'boa*'],
    ['夜', '夜'], ['한국어', '한국어'], ['a b', 'a b'], ['rating:4..', 'rating:4..'],
    ['"unclosed quote', '"unclosed quote'],
  ];
  for (const [text, expected] of cases) assert.equal(withBeginnings(text), expected);
});
