// SPDX-License-Identifier: Apache-2.0
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';
import { described, helpKey } from '../js/editor/help.js';
import { languages } from '../js/words/languages.js';
import { sources } from './sources.js';

const areas = ['page', 'dialogs', 'editor', 'names'];

/** The words and names of a language. */
async function catalog(code) {
  const modules = await Promise.all(
    areas.map((area) => import(`../js/words/${code}/${area}.js`)));
  const words = modules.slice(0, -1).map((module) => Object.entries(module.words));
  assert.equal(new Set(words.flat().map(([key]) => key)).size, words.flat().length, 'keys');
  return { words: new Map(words.flat()), names: modules.at(-1).names };
}

const english = await catalog('en');
const others = languages.slice(1).map(({ code }) => code);
const placeholders = (text) => [...text.matchAll(/\{(\w+)\}/g)].map((match) => match[1]).sort();

/** The module of the language as a browser has it that asks for some languages. */
async function loaded(...preferred) {
  Object.defineProperty(globalThis, 'navigator', {
    value: { languages: preferred }, configurable: true,
  });
  return import(`../js/language.js?${preferred}`);
}

for (const code of others) {
  test(`${code} has every text, with the same names in braces and the forms that it needs`,
    async () => {
      const { words } = await catalog(code);
      assert.deepEqual([...words.keys()], [...english.words.keys()]);
      const { pluralCategories } = new Intl.PluralRules(code).resolvedOptions();
      for (const [key, text] of words) {
        const original = english.words.get(key);
        const expected = placeholders(original.other ?? original);
        // What is counted by a noun of its own can have forms where a language needs them.
        if (!expected.includes('items')) assert.equal(typeof text, typeof original, key);
        const forms = typeof text === 'string' ? { other: text } : text;
        for (const [category, form] of Object.entries(forms)) {
          assert.deepEqual(placeholders(form), expected, `${key} ${category}`);
          assert.ok(pluralCategories.includes(category), `${key}: no category ${category}`);
        }
        if (typeof text === 'string') continue;
        for (const category of pluralCategories) {
          // Millions of photos have a form of their own in some languages.
          assert.ok(category in forms || category === 'many', `${key}: no form ${category}`);
        }
      }
    });

  test(`${code} has a name for each filter, parameter and choice of the server`, async () => {
    const { names } = await catalog(code);
    for (const name of Object.keys(english.names)) assert.ok(names[name], name);
    const filters = JSON.parse(readFileSync(new URL('../filters.json', import.meta.url)));
    const { parameterName } = await import('../js/editor/schema.js');
    const missing = new Set();
    const known = (name) => Object.hasOwn(names, name) || sameEverywhere.has(name);
    for (const filter of filters.filter(({ family }) => family !== 'movie')) {
      if (!known(filter.group)) missing.add(filter.group);
      if (!known(filter.name)) missing.add(filter.name);
      for (const { name, choices = [] } of filter.parameters) {
        const [, color, property] = ofColor.exec(name) ?? [];
        const isMade = color && known(color) && known(property.toLowerCase());
        if (!known(`${filter.name}.${name}`) && !known(name) && !isMade) missing.add(name);
        for (const choice of choices ?? []) if (!known(choice)) missing.add(choice);
      }
    }
    assert.deepEqual([...missing], []);
    assert.equal(parameterName({ name: 'crop' }, 'x'), 'Left', 'the page of this test is English');
  });
}

test('descriptions of filters are those of the language, and English where there is none', () => {
  const parameters = ['redHue', 'light', 'a'].map((name) => ({ name, summary: 'English' }));
  const filters = [{ name: 'mixer', summary: 'English', parameters }];
  const found = described(filters, {
    mixer: 'Mischt.', 'mixer.*Hue': '{color}: Ton.', '.light': 'Licht.',
  })[0];
  assert.equal(found.summary, 'Mischt.');
  assert.deepEqual(found.parameters.map(({ summary }) => summary),
    ['red: Ton.', 'Licht.', 'English']);
  assert.deepEqual(described(filters, {}), filters);
});

for (const code of others) {
  test(`${code} describes each filter and parameter, and nothing else`, async () => {
    const { help } = await import(`../js/words/${code}/help.js`);
    const filters = JSON.parse(readFileSync(new URL('../filters.json', import.meta.url)));
    const used = filters.filter(({ family }) => family !== 'movie').flatMap(
      ({ name, parameters }) => [name, ...parameters.map((parameter) =>
        helpKey(help, name, parameter.name) ?? `${name}.${parameter.name}`)]);
    assert.deepEqual(Object.keys(help).sort(), [...new Set(used)].sort());
    for (const [key, text] of Object.entries(help)) {
      assert.equal(text.includes('{color}'), key.includes('*'), key);
      assert.match(text, /[.。]$/, key);
    }
  });
}

test('each language has the same reasons of imports', async () => {
  const [first, ...rest] = await Promise.all(others.map(async (code) =>
    Object.keys((await catalog(code)).names).filter((name) => name.includes(' ')).sort()));
  assert.ok(first.includes('not a photo or video'));
  for (const reasons of rest) assert.deepEqual(reasons, first);
});

test('each language has a text for the same kinds of problems, with the same details', async () => {
  const isProblem = ([name]) => name.startsWith('problem.');
  const [first, ...rest] = await Promise.all(others.map(async (code) =>
    Object.entries((await catalog(code)).names).filter(isProblem)
      .map(([name, text]) => [name, ...placeholders(text)])));
  assert.ok(first.length > 10);
  assert.deepEqual(first.find(([name]) => name === 'problem.internal').slice(1), ['detail']);
  for (const problems of rest) assert.deepEqual(problems, first);
});

test('a button that is found by its label has the label in its name', async () => {
  const [{ text }] = sources('js').filter(({ path }) => path === 'js/grid/selectionBar.js');
  const pairs = [...text.matchAll(/name: t\('([\w.]+)'\), label: t\('([\w.]+)'\)/g)];
  assert.ok(pairs.length > 10);
  for (const { code } of languages) {
    const { words } = await catalog(code);
    for (const [, name, label] of pairs) {
      assert.ok(words.get(name).toLowerCase().includes(words.get(label).toLowerCase()),
        `${code}: ${words.get(name)} is not called ${words.get(label)}`);
    }
  }
});

const ofColor =
  /^(red|orange|yellow|green|aqua|blue|purple|magenta|shadow|midtone|highlight|global)([A-Z]\w+)$/;

/** Names of methods, standards and axes. */
const sameEverywhere = new Set([
  'catmullRom', 'mitchell', 'lanczos2', 'lanczos3', 'bilinear', 'rgb', 'luma601', 'luma709',
  'rec709', 'rec601', 'css', 'otsu', 'cos4', 'x', 'y',
]);

test('what is clicked is tapped as well, in every language', async () => {
  const [clicks, taps] = [/click|klick|cliqu|\bclic\b|クリック|单击/i, /\btap|tipp|appuy|toqu|タップ/i];
  for (const { code } of languages) {
    const { words } = await catalog(code);
    // In Chinese, one word is for both.
    for (const [key, text] of words) {
      for (const form of typeof text === 'string' ? [text] : Object.values(text)) {
        assert.ok(!clicks.test(form) || taps.test(form), `${code} ${key}: ${form}`);
      }
    }
  }
});

test('every text is used, and every key that the code names is one', () => {
  const code = sources('js').filter(({ path }) => !path.startsWith('js/words/'));
  const quoted = new Set(code.flatMap(({ text }) =>
    [...text.matchAll(/'([\w.]+)'/g)].map((match) => match[1])));
  assert.deepEqual([...english.words.keys()].filter((key) => !quoted.has(key)), []);
});

test('the language is the first known one that the browser asks for', async () => {
  assert.equal((await loaded('da', 'de-AT', 'en')).language.code, 'de');
  assert.equal((await loaded('zh-TW')).language.code, 'zh-Hans');
  assert.equal((await loaded('da')).language.code, 'en');
  assert.equal((await loaded()).language.code, 'en');
});

test('a chosen language comes before those of the browser', async () => {
  globalThis.localStorage = { getItem: (name) => (name === 'photoedit.language' ? '"fr"' : null) };
  try {
    assert.equal((await loaded('es', 'en')).language.code, 'fr');
  } finally {
    delete globalThis.localStorage;
  }
});

test('texts, numbers, dates and lists are those of the language', async () => {
  const de = await loaded('de-AT');
  assert.equal(de.t('photos', { count: 1 }), '1 Foto');
  assert.match(de.t('photos', { count: 12345 }), /^12.345 Fotos$/);
  assert.equal(de.number(0.5, 2), '0,50');
  assert.equal(de.bytesText(2.5e6, 1), '2,5 MB');
  assert.equal(de.date(Date.UTC(2024, 0, 5), { month: 'long', timeZone: 'UTC' }), 'Jänner');
  assert.equal(de.list(['a', 'b', 'c']), 'a, b und c');
  assert.equal(de.sentence(['a', null, 'b', 0, 'c']), 'a, b und c.');
  assert.equal(de.localTitle('14 June 2024, 09:10–11:42'), '14. Juni 2024, 09:10–11:42');
  assert.equal(de.localTitle('June 2024'), 'Juni 2024');
  assert.equal(de.localTitle('No date'), 'Ohne Datum');
  assert.equal(de.keysText('Ctrl+Z'), 'Strg+Z');
  assert.equal(de.keysText('+'), '+');
  const ja = await loaded('ja');
  assert.equal(ja.t('photos', { count: 1 }), '1 枚の写真');
  assert.equal(ja.localTitle('June 2024'), '2024年6月');
});

test('English is as the server writes it', async () => {
  const en = await loaded('en-US');
  assert.equal(en.localTitle('14 June 2024, 09:10–11:42'), '14 June 2024, 09:10–11:42');
  assert.equal(en.t('photos', { count: 1 }), '1 photo');
  assert.equal(en.list(['a', 'b', 'c']), 'a, b, c');
  assert.equal(en.nameOf('constructor'), undefined);
});
