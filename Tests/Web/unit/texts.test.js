// SPDX-License-Identifier: Apache-2.0
// No text for people is in the code outside of the catalog of words.
import assert from 'node:assert/strict';
import test from 'node:test';
import { sources } from './sources.js';

/** Texts that are the same in every language, and names that browsers and the server define. */
const allowed = [
  // Terms, and the command that a reader types.
  /^(RAW|HDR|EV|ISO |X|Y|R|G|B|K|f\/| mm|px| px|s|min|photoedit serve --(link|library))$/,
  // Names of keys, of header fields, of media types, of events, and of what a graph names.
  /^(Arrow(Left|Right|Up|Down)|Escape|Enter|Home|End|Page(Up|Down))$/,
  /^(Delete|Backspace|Tab|F10|Space|Delete Backspace)$/,
  /^(Shift|Alt|Ctrl|Control)\+|^(Esc|ContextMenu|AbortError|BroadcastChannel|Ctrl|Files)$/,
  /^(Content-Type|If-Match|Retry-After|X-Photoedit(-\w+)?|GET|POST|PUT|PATCH|DELETE)$/,
  // Names of sections, folds and tabs, which have a title in the catalog, and of groups of filters.
  /^(Light|Color|Black & white|Detail|Optics|Effects|Retouch|Masks|Curve|Color (mixer|grading))$/,
  /^(All|Amount|Red|Green|Blue|Hue|Saturation|Lightness|Tone|Looks|Geometry)$/,
  // Titles of the server.
  /^No date$/,
  // Names of the fields that a change of the library has.
  /^(removed|inserted|changed)Indexes$/,
];

/** What is between the strings of code: `'` and its kind open a string, and `//` a comment. */
const token = new RegExp([
  /\/\*[\s\S]*?\*\//, /\/\/[^\n]*/, /'(?:[^'\\\n]|\\.)*'/, /"(?:[^"\\\n]|\\.)*"/,
  /(?<=[(,=:[!&|?{};\n]\s*)\/(?![*/])(?:[^/\\\n[]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\//, /`/,
].map(({ source }) => source).join('|'), 'g');

/**
 * The strings of a module with what is before each; the parts of a template are strings, and the
 * code in it is read as well.
 */
function strings(code) {
  const found = [];
  token.lastIndex = 0;
  for (let match = token.exec(code); match; match = token.exec(code)) {
    const [text] = match;
    const before = code.slice(Math.max(0, match.index - 100), match.index);
    if (text === '`') {
      const end = template(code, match.index + 1, (part) => found.push({ text: part, before }));
      for (const inner of end.inner) found.push(...strings(inner));
      token.lastIndex = end.index;
    } else if (text[0] === "'" || text[0] === '"') {
      found.push({ text: text.slice(1, -1), before });
    }
  }
  return found;
}

/** Reads a template to its end; returns the code in it and the position after it. */
function template(code, start, part) {
  const inner = [];
  let [index, text] = [start, ''];
  while (code[index] !== '`') {
    if (code.startsWith('${', index)) {
      let depth = 1;
      const from = index + 2;
      for (index = from; depth; index += 1) {
        if (code[index] === '`') index = template(code, index + 1, () => {}).index - 1;
        else if (code[index] === '{') depth += 1;
        else if (code[index] === '}') depth -= 1;
      }
      inner.push(code.slice(from, index - 1));
      part(text);
      text = '';
    } else {
      text += code[index];
      index += 1;
    }
  }
  part(text);
  return { inner, index: index + 1 };
}

/** Where a string is not for people: an import, a class, a selector, a name that is compared, … */
const technical = new RegExp([
  /\b(from|import\() ?$/, /\b(class|kind|className|d|viewBox|style|points|easing|accept): ?\(?$/,
  /\b(class|kind): [^,"`]*\? ?('[^']*' : ?)?$/, /\[data-[\w-]+$/, /\bsvg\($/, /\bel\($/,
  /\b(querySelector(All)?|closest|matches|createElement(NS)?)(\?\.)?\($/, /\bclosest\(event, $/,
  /\bpath$/, /\b(matchMedia|getPropertyValue|setProperty|removeProperty|removeAttribute)\($/,
  /setProperty\(\s*'[\w-]+', $/, /[!=]== ?$/, /\bRegExp\($/, /\bicon\($/, /t\($/, /className: $/,
  /setAttribute\('(d|points|viewBox|transform)', $/, /\bcolor: ?$/,
  /\bconst (controls|users|texts) =\s*$/,
].map(({ source }) => source).join('|'));

/** A word that begins with a capital letter, or two words in a row; no key, class or style. */
const prose = /(^|[\s“(])[A-Z][a-z]+(?![\w/-]*[./:])|[a-z]{2,}[,:;]? [a-z]{2,}/;
/** Where also a single word in small letters is for people. */
const shown = new RegExp([
  /(aria-label|aria-valuetext|title|placeholder|alt|label)'?: ?(\w+ \? )?$/,
  /\b(message|announce|ask|askForText|report|button)\($/, /\bel\('[\w-]+', \{[^}]*\}, $/,
  /textContent = $/, /setAttribute\('(aria-label|aria-valuetext|title)', $/,
].map(({ source }) => source).join('|'));

/** The texts for people in a module. */
const textsIn = (code) => strings(code).filter(({ text, before }) => {
  if (!/[A-Za-z]{2}/.test(text) || allowed.some((rule) => rule.test(text))) return false;
  if (shown.test(before)) return true;
  return prose.test(text) && !technical.test(before);
}).map(({ text }) => text);

test('modules have no text outside of the catalog', () => {
  const modules = sources('js').filter(({ path }) => !path.startsWith('js/words/'));
  assert.ok(modules.length > 60);
  const found = modules.flatMap(({ path, text }) =>
    textsIn(text).map((item) => `${path}: ${item}`));
  assert.deepEqual(found, []);
});

test('style sheets have no text', () => {
  const sheets = sources('css');
  assert.ok(sheets.length > 5);
  for (const { path, text } of sheets) {
    assert.deepEqual(text.match(/content: "[^"]*[A-Za-z][^"]*"/g) ?? [], [], path);
  }
});

test('the page itself has only its name, and a text for browsers without scripts', () => {
  const [{ text }] = sources('html');
  const body = text.replace(/<!--[\s\S]*?-->|<!doctype html>/g, '')
    .replace('<noscript>photoedit needs JavaScript to show its editor.</noscript>', '');
  assert.deepEqual([...body.matchAll(/>([^<>]*[A-Za-z][^<>]*)</g)].map((match) => match[1]),
    ['photoedit']);
  assert.doesNotMatch(body, /(aria-label|title|placeholder|alt)="/);
});

test('texts are found in every form', () => {
  const found = (code) => textsIn(code);
  assert.deepEqual(found("el('h2', {}, 'Keys')"), ['Keys']);
  assert.deepEqual(found("el('p', { class: 'caption' }, 'video')"), ['video']);
  assert.deepEqual(found("el('p', { title: isOn ? 'yes indeed' : t('no') })"), ['yes indeed']);
  assert.deepEqual(found('message(`${count} photos`)'), [' photos']);
  assert.deepEqual(found('const a = `${b ? `Not ${c}` : d}`'), ['Not ']);
  assert.deepEqual(found("const titles = { a: 'Crop and geometry' }"), ['Crop and geometry']);
  assert.deepEqual(found('const a = "No \\"such\\" file";'), ['No \\"such\\" file']);
  assert.deepEqual(found("button('save', run)"), ['save']);
  assert.deepEqual(found("// A 'Quoted text'\n/* 'Another one' */ x(/['\"]/, 'Last one')"),
    ['Last one']);
  assert.deepEqual(found("import { a } from './Some File.js'; el('p', { class: 'icon small' })"),
    []);
});
