// SPDX-License-Identifier: Apache-2.0
import { get, path } from '../api.js';
import { coordinates } from '../coordinates.js';
import { menu } from '../dialogs.js';
import { el, icon, replace } from '../dom.js';
import { label } from '../editor/schema.js';
import { lossList } from '../editor/histogram.js';
import { changeProperties, labelColors, typedWords } from '../grid/changes.js';
import { labelMark } from '../grid/tile.js';
import { bytesText, date, measure, number, t } from '../language.js';
import { report } from '../messages.js';

/** @typedef {[name: string, value: string | number | null | undefined]} Fact */

/**
 * What is called with the properties of a photo after one was changed.
 * @typedef {{ changed: (properties: Asset) => void }} Changes
 */

/**
 * Reads a part of what is known of a photo; a part that the server does not have is missing.
 * @template T
 * @param {string} path
 * @returns {Promise<Partial<T>>}
 */
const part = (path) => get(path).catch(() => ({}));

/**
 * Shows the metadata of a photo, its edit, and what an edit would lose.
 * @param {HTMLElement} element
 * @param {Item} item
 * @param {Changes | null} changes null if nothing can be changed
 */
export async function infoPanel(element, item, changes) {
  replace(element, el('p', { class: 'caption' }, t('info.reading')));
  /** @type {[Partial<Info>, Partial<Journal>, Partial<Asset>]} */
  const [info, history, asset] = await Promise.all([
    part(path`/api/assets/${item.id}/info`),
    part(path`/api/assets/${item.id}/history`),
    part(path`/api/assets/${item.id}`),
  ]);
  /** @type {Fact[]} */
  const facts = [
    [t('info.camera'), asset.camera],
    [t('info.lens'), asset.lens],
    [t('info.exposure'), exposure(asset)],
    // It is changed with what describes the photo.
    [t('info.place'), changes && asset.keywords ? null : placeOf(asset)],
    [t('info.size'), measure(`${item.w} × ${item.h}`)],
    [
      t('info.file'),
      info.bytes
        ? [info.format?.toUpperCase(), bytesText(info.bytes, 1)].filter(Boolean).join(' · ')
        : null,
    ],
    [t('name'), asset.name === item.title ? null : asset.name],
    [t('info.bits'), info.bitsPerSample && info.bitsPerSample !== 8 ? info.bitsPerSample : null],
  ];
  const known = facts.filter(([, value]) => value !== null && value !== undefined && value !== '');
  const state = history.states?.find((entry) => entry.n === history.current);
  const filters = state?.graph?.nodes ?? [];
  replace(element,
    el('section', {}, el('h2', {}, t('info.title')),
      asset.keywords ? described(item.id, /** @type {Asset} */ (asset), changes) : null,
      rows(known.map(([name, value]) => [name, String(value)]))),
    filters.length ? el('section', {},
      el('h2', {}, t('info.edit')),
      el('ol', {}, filterList(filters))) : null,
    info.losses?.length ? el('section', {},
      el('h2', {}, t('info.losses')), lossList(info.losses)) : null);
}

/**
 * The filters of an edit, with the masks of each; rotations that follow each other are one.
 * @param {GraphNode[]} nodes
 */
function filterList(nodes) {
  const masks = new Map(
    nodes.filter(({ filter }) => filter.startsWith('mask.')).map((node) => [node.id, node]));
  /**
   * The masks that a filter or a mask reads, each with those that it combines.
   * @param {GraphNode} node
   * @returns {HTMLElement | null}
   */
  const maskList = (node) => {
    const read = new Set([...node.in ?? [], node.mask]);
    const own = [...masks.values()].filter(({ id }) => read.has(id));
    return own.length ? el('ul', {}, own.map((mask) =>
      el('li', {}, icon('mask'), label(mask.filter), maskList(mask)))) : null;
  };
  /** @type {{ node: GraphNode, turns: number }[]} */
  const joined = [];
  for (const node of nodes) {
    if (masks.has(node.id)) continue;
    const turns = node.filter === 'rotate90' ? Number(node.params?.turns ?? 1) : 0;
    const last = joined.at(-1);
    if (turns && last?.turns) last.turns += turns;
    else joined.push({ node, turns });
  }
  return joined.map(({ node, turns }) => el('li', {},
    turns ? t('info.rotated', { degrees: (turns % 4) * 90 }) : label(node.filter),
    maskList(node)));
}

/** @param {Partial<Asset>} asset */
function exposure({ exposureTime, fNumber, iso, focalLength }) {
  return [
    exposureTime && shutter(exposureTime), fNumber && `f/${number(fNumber)}`, iso && `ISO ${iso}`,
    focalLength && `${number(focalLength)} mm`,
  ].filter(Boolean).join(' · ');
}

/**
 * An exposure time as cameras show it.
 * @param {number} seconds
 */
const shutter = (seconds) => (
  seconds < 0.3 ? `1/${number(Math.round(1 / seconds))} s` : `${number(seconds)} s`);

/** @param {Partial<Asset>} asset */
const positionOf = ({ location }) => (location
  ? `${location.latitude.toFixed(4)}, ${location.longitude.toFixed(4)}`
  : null);

/** @param {Partial<Asset>} asset */
const placeOf = (asset) => asset.place ?? positionOf(asset);

/** @param {[name: string, value: Child][]} facts */
const rows = (facts) => el('dl', {},
  facts.flatMap(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));

/**
 * What a date is called: where a photo states none, a folder has that of its file.
 * @param {Asset} asset
 */
const dateName = ({ dateIsOfFile }) => t(dateIsOfFile ? 'info.fileDate' : 'info.taken');

/**
 * The properties with which a library describes a photo; a click on one changes it.
 * @param {string} id
 * @param {Asset} asset
 * @param {Changes | null} changes
 */
function described(id, asset, changes) {
  /** @type {Record<string, () => [name: string, value: Child]>} */
  const properties = {
    title: () => [t('info.photoTitle'), text('title', t('info.photoTitle'), t('info.addTitle'))],
    caption: () => [t('info.caption'), text('caption', t('info.caption'), t('info.addCaption'))],
    keywords: () => [t('info.keywords'),
      text('keywords', t('info.keywords'), t('info.addKeywords'), {
        value: asset.keywords.join(', '), read: typedWords, hint: t('info.commas'),
      })],
    people: () => [t('info.people'), text('people', t('info.people'), t('info.addPeople'), {
      value: asset.people.join(', '), read: typedWords, hint: t('info.commas'),
    })],
    rating: () => [
      t('info.rating'),
      changes ? stars() : asset.rating < 0 ? t('info.rejected') : '★'.repeat(asset.rating),
    ],
    label: () => [t('info.label'), changes ? labels() : asset.label && label(asset.label)],
    date: () => [dateName(asset), text('date', t('info.date'), t('info.addDate'), {
      value: asset.date ?? '', type: 'datetime-local',
      shown: asset.date ? date(asset.date, { dateStyle: 'medium', timeStyle: 'short' }) : '',
      read: (value) => (value ? new Date(value).toISOString() : null),
    })],
    location: () => [t('info.place'), changes && text(
      'location', t('info.place'), t('info.addPlace'), {
        value: positionOf(asset) ?? '', shown: placeOf(asset) ?? '', hint: '38.7223, -9.1393',
        read: (value) => (value.trim() ? coordinates(value) ?? undefined : null),
      })],
  };
  const known = Object.entries(properties).map(([name, make]) => ({ name, fact: make() }))
    .filter(({ fact: [, value] }) => value);
  const list = rows(known.map(({ fact }) => fact));
  const shown = new Map([...list.querySelectorAll('dd')].map((cell, index) =>
    [known[index].name, cell]));
  return list;

  /**
   * Shows the value of a property; the focus stays in its place.
   * @param {string} name
   */
  function show(name) {
    const cell = shown.get(name);
    const controls = () => /** @type {NodeListOf<HTMLElement>} */ (
      cell.querySelectorAll('button, input'));
    const focused = [...controls()].findIndex((item) => item === document.activeElement);
    replace(cell, properties[name]()[1]);
    controls()[focused]?.focus();
  }

  /**
   * Shows the values of all properties, except of those that are being typed.
   * @param {string} name of the property that was stored
   */
  function showAll(name) {
    for (const [other, cell] of shown) {
      if (other === name || !cell.querySelector('input')) show(other);
    }
  }

  /**
   * A text that becomes a field when it is clicked.
   * @param {'title' | 'caption' | 'keywords' | 'people' | 'date' | 'location'} name
   * @param {string} title
   * @param {string} invitation
   * @param {object} options
   * @param {string} [options.value]
   * @param {string} [options.shown]
   * @param {string} [options.type]
   * @param {string} [options.hint]
   * @param {(value: string) => unknown} [options.read] undefined for what cannot be read
   * @returns {Child}
   */
  function text(name, title, invitation, options = {}) {
    const { value = String(asset[name] ?? ''), hint = '', type = 'text' } = options;
    const { read = (given) => given || null, shown = value } = options;
    if (!changes) return shown || null;
    const opener = el('button', {
      type: 'button', class: shown ? 'value-button' : 'value-button empty', title: t('info.change'),
      data: { property: name }, on: { click: begin },
    }, shown || invitation);

    function begin() {
      let isEnded = false;
      /** @param {boolean} isKept */
      const end = async (isKept) => {
        if (isEnded) return;
        isEnded = true;
        const given = read(field.value);
        field.setAttribute('aria-invalid', String(given === undefined));
        if (!isKept || field.value === initial) show(name);
        // What cannot be stored now stays in the field.
        else isEnded = given !== undefined && await set({ [name]: given }, name);
      };
      const field = el('input', {
        class: 'field', type, 'aria-label': title, title: hint, placeholder: hint,
        on: {
          keydown: (event) => {
            if (event.key !== 'Enter' && event.key !== 'Escape') return;
            event.preventDefault();
            event.stopPropagation();
            end(event.key === 'Enter');
          },
          blur: () => end(true),
        },
      });
      field.value = type === 'datetime-local' && value ? localDate(value) : value;
      const initial = field.value;
      opener.replaceWith(field);
      field.focus();
      field.select();
    }
    return opener;
  }

  function stars() {
    const { rating } = asset;
    return el('span', { class: 'stars', role: 'group', 'aria-label': t('info.rating') },
      [1, 2, 3, 4, 5].map((count) => el('button', {
        type: 'button', class: 'star', 'aria-label': t('stars', { count }),
        'aria-pressed': String(rating === count), data: { filled: String(count <= rating) },
        on: { click: () => set({ rating: rating === count ? 0 : count }, 'rating') },
      }, count <= rating ? '★' : '☆')),
      el('button', {
        type: 'button', class: 'star', 'aria-pressed': String(rating < 0),
        on: { click: () => set({ rating: rating < 0 ? 0 : -1 }, 'rating') },
      }, t(rating < 0 ? 'info.rejected' : 'keys.reject')));
  }

  function labels() {
    /** @type {HTMLButtonElement} */
    const opener = el('button', {
      type: 'button', class: asset.label ? 'value-button' : 'value-button empty',
      title: t('info.change'), 'aria-haspopup': 'menu', data: { property: 'label' },
      on: {
        click: () => menu(opener, [null, ...labelColors].map((color) => ({
          label: color ? label(color) : t('info.noLabel'),
          ...(color ? { image: labelMark(color) } : { symbol: 'reset' }),
          action: () => set({ label: color }, 'label'),
        }))),
      },
    }, asset.label ? [labelMark(asset.label), label(asset.label)] : t('info.addLabel'));
    return opener;
  }

  /**
   * Stores properties; returns whether the server has taken them.
   * @param {object} json
   * @param {string} name of the property
   */
  async function set(json, name) {
    try {
      Object.assign(asset, await changeProperties(id, json));
      changes.changed(asset);
    } catch (problem) {
      report(problem);
      return false;
    }
    showAll(name);
    return true;
  }
}

/**
 * A date as the field of a date and time has it, in the time of this browser.
 * @param {string} date
 */
function localDate(date) {
  const value = new Date(date);
  value.setMinutes(value.getMinutes() - value.getTimezoneOffset());
  return value.toISOString().slice(0, 19);
}
