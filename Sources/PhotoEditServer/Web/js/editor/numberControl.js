// SPDX-License-Identifier: Apache-2.0
import { el, selecting } from '../dom.js';
import { t } from '../language.js';
import { format, identityOf, parameterLabel, parse, snap, stepOf, unitOf } from './schema.js';

/**
 * A slider with a number field, or the field alone for a parameter without a slider range.
 * @param {Filter} filter
 * @param {Parameter} parameter
 * @param {Edit} edit
 */
export function numberControl(filter, parameter, edit) {
  const id = `${edit.prefix}-${parameter.name}`;
  const name = parameterLabel(filter, parameter);
  const step = stepOf(parameter);
  const [low, high] = parameter.range ?? [-Infinity, Infinity];
  const [start, end] = parameter.usefulRange ?? [low, high];
  const hasSlider = Boolean(parameter.usefulRange)
    || (parameter.type === 'integer' && high - low <= 255);
  // A drag moves in steps of one digit: 0.01 where a key moves by 0.05.
  const grain = parameter.type === 'integer' ? 1 : 10 ** Math.floor(Math.log10(step) + 1e-9);
  const identity = Number(identityOf(parameter));
  const unit = unitOf(parameter);
  let value = identity;
  /** The text of the value, which may be rounded: as long as it stays, the value does. */
  let shown = '';

  /** @type {HTMLInputElement} */
  const field = el('input', {
    class: 'field number', id: hasSlider ? `${id}-number` : id, type: 'text', inputmode: 'decimal',
    autocomplete: 'off', spellcheck: 'false',
    'aria-label': hasSlider ? t('control.value', { name }) : null,
    'aria-describedby': `${id}-about`, data: { key: parameter.name },
    on: { keydown: fieldKeys, change: commitField, blur: () => show(value), ...selecting() },
  });
  /** @type {HTMLInputElement | null} */
  const slider = !hasSlider ? null : el('input', {
    class: 'slider', id, type: 'range', min: start, max: end, step: 'any',
    'aria-describedby': `${id}-about`, data: { key: parameter.name },
    on: {
      input: (event) =>
        change(
          snap(Math.round(Number(slider.value) / grain) * grain, grain), event.timeStamp, true),
      keydown: sliderKeys, wheel: sliderWheel,
      pointerdown: (event) => { if (event.button === 0) edit.begin(); },
      change: () => edit.end(),
      pointerup: () => edit.end(),
      pointercancel: () => edit.end(),
      dblclick: reset,
    },
  });
  const title = el('label', {
    class: 'name', for: hasSlider ? id : field.id, title: parameter.summary,
    on: { dblclick: reset },
  }, name);
  if (parameter.ramp && slider) {
    slider.classList.add('ramp');
    slider.style.setProperty('--ramp', `linear-gradient(to right, ${parameter.ramp.join()})`);
  }
  const element = el('div', {
    class: hasSlider ? 'control' : 'control plain', data: { parameter: parameter.name },
  },
    title,
    slider,
    el('span', { class: 'value' },
      field, el('span', { class: 'unit', 'aria-hidden': 'true' }, unit)),
    el('span', { class: 'visually-hidden', id: `${id}-about` },
      t('control.allowed', { summary: parameter.summary, values: parameter.allowed })));

  /**
   * @param {number} next
   * @param {number} at
   * @param {boolean} [isDrag]
   */
  function change(next, at, isDrag = false) {
    const limited = Math.min(
      high, Math.max(low, parameter.type === 'integer' ? Math.round(next) : next));
    // A slider that is near the identity value rests on it.
    const rests = isDrag
      && Math.abs(limited - identity) < (end - start) / 160;
    edit.set(parameter.name, rests ? identity : limited, at);
  }

  function reset() { edit.set(parameter.name, identityOf(parameter)); }

  /** @param {KeyboardEvent} event */
  function stepped(event) {
    /** @type {Record<string, number>} */
    const directions = {
      ArrowUp: 1, ArrowRight: 1, ArrowDown: -1, ArrowLeft: -1, PageUp: 10, PageDown: -10,
    };
    const direction = directions[event.key];
    if (!direction || event.ctrlKey || event.altKey || event.metaKey) return false;
    const size = direction * (event.shiftKey && parameter.type !== 'integer' ? step / 10 : step);
    event.preventDefault();
    change(snap(value + size, Math.abs(size)), event.timeStamp);
    return true;
  }

  /** @param {KeyboardEvent} event */
  function sliderKeys(event) {
    if (stepped(event)) return;
    if (event.key === 'Home' || event.key === 'End') {
      event.preventDefault();
      change(event.key === 'Home' ? start : end, event.timeStamp);
    } else if (event.key === 'Backspace' || event.key === 'Delete') {
      event.preventDefault();
      reset();
    }
  }

  /** @param {WheelEvent} event */
  function sliderWheel(event) {
    if (!event.shiftKey || document.activeElement !== slider) return;
    event.preventDefault();
    const delta = event.deltaY || event.deltaX;
    change(snap(value - Math.sign(delta) * step, step), event.timeStamp);
  }

  /** @param {KeyboardEvent} event */
  function fieldKeys(event) {
    if (event.key === 'Enter') { commitField(event); field.select(); return; }
    if (event.key === 'Escape') { show(value); field.blur(); event.stopPropagation(); return; }
    if (event.key === 'ArrowUp' || event.key === 'ArrowDown') stepped(event);
  }

  /** @param {Event} event */
  function commitField(event) {
    if (field.value === shown) { field.removeAttribute('aria-invalid'); return; }
    const next = parse(field.value);
    field.setAttribute('aria-invalid', String(Number.isNaN(next)));
    if (!Number.isNaN(next)) change(next, event.timeStamp);
    if (document.activeElement !== field) show(value);
  }

  /** @param {number} next */
  function show(next) {
    value = next;
    shown = format(next, parameter);
    if (document.activeElement !== field || parse(field.value) !== parse(shown)) {
      field.value = shown;
    }
    field.removeAttribute('aria-invalid');
    if (!slider) return;
    const inside = Math.min(end, Math.max(start, next));
    if (Number(slider.value) !== inside) slider.value = String(inside);
    slider.dataset.outside = String(inside !== next);
    slider.setAttribute('aria-valuetext', `${shown} ${unit}`.trim());
    /** @param {number} number */
    const at = (number) => Math.min(1, Math.max(0, (number - start) / (end - start)));
    const origin = at(
      typeof parameter.neutral === 'number'
        ? parameter.neutral
        : Math.max(start, Math.min(end, 0)));
    const here = at(next);
    // The thumb is 12 pixels wide: its middle is not at the share of the whole width.
    /** @param {number} share */
    const offset = (share) => `calc(6px + (100% - 12px) * ${share.toFixed(4)})`;
    slider.style.setProperty('--start', offset(Math.min(origin, here)));
    slider.style.setProperty('--end', offset(Math.max(origin, here)));
  }

  show(value);
  return { element, show };
}
