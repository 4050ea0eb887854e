// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import test from 'node:test';
import { isCondition, searching, unknownTerm } from '../js/query.js';

test('a text that compares something is a condition, all others are words and terms', () => {
  const conditions = [
    'favorite == YES', 'rating>=4', 'title CONTAINS[cd] "sea"', 'keyword == "a" OR iso > 400',
    'place BEGINSWITH "Lis"', 'pixelWidth BETWEEN {1, 2}', 'mediaType IN {1, 2}',
    'location IN BOX(1, 2, 3, 4)', 'text MATCHES-WORDS "harbor"', "title like 'a*'",
  ];
  const searches = [
    'beach', '2015', 'is:favorite', 'rating:4..', 'keyword:"red sea"', 'made in China',
    'in the box', 'looks like rain', 'Évening — 夜', '-draft', 'between two trees', 'AND', 'NOT',
  ];
  assert.deepEqual(conditions.filter((text) => !isCondition(text)), []);
  assert.deepEqual(searches.filter(isCondition), []);
  assert.deepEqual(searching('  '), {});
  assert.deepEqual(searching('a b'), { search: 'a b' });
  assert.deepEqual(searching('a == b'), { predicate: 'a == b' });
});

test('rejected photos are searched for by a word of their own', () => {
  assert.deepEqual(searching('is:rejected'), { search: 'rating:-1' });
  assert.deepEqual(searching('beach is:rejected 2019'), { search: 'beach rating:-1 2019' });
  assert.deepEqual(searching('this:rejected'), { search: 'this:rejected' });
});

test('of a term that the server does not know, the possible ones are read', () => {
  const hint = '; write a predicate with --where for other conditions';
  assert.deepEqual(
    unknownTerm(`invalid search "is:red": unknown property; allowed: edited, live${hint}`),
    { term: 'is:red', allowed: ['is:edited', 'is:live'] });
  assert.deepEqual(
    unknownTerm(`invalid search "a:b": unknown key; allowed: album, is${hint}`),
    { term: 'a:b', allowed: ['album:', 'is:'] });
  assert.equal(unknownTerm('unexpected ":" at character 3 of the predicate'), null);
});
