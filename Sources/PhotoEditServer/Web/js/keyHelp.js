// SPDX-License-Identifier: Apache-2.0
import { ask } from './dialogs.js';
import { el } from './dom.js';
import { keysText, t } from './language.js';
import { languageChoice } from './languageChoice.js';

/**
 * Shows the keys of a screen, and the choice of the language.
 * @param {Binding[]} bindings
 */
export function showKeys(bindings) {
  const rows = bindings.filter(([, text]) => text).map(([keys, text]) => {
    const all = keys.split(' ');
    // Of more than two, the first and the last name all of them.
    const [shown, space] = all.length > 2 ? [[all[0], all.at(-1)], ' – '] : [all, ', '];
    return el('tr', {},
      el('th', { scope: 'row' }, shown.flatMap((key, index) => [
        index ? space : null,
        ...(key === '+' ? [key] : key.split('+')).flatMap((part, order) =>
          [order ? ' + ' : null, el('kbd', {}, keysText(part))]),
      ])),
      el('td', {}, text));
  });
  const content = el('div', { class: 'scroll' }, languageChoice(), el('table', {}, rows));
  return ask(t('keys'), content, [{ label: t('close'), value: 'close', kind: 'primary' }]);
}
