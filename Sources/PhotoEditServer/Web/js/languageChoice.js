// SPDX-License-Identifier: Apache-2.0
import { ask } from './dialogs.js';
import { el, icon } from './dom.js';
import { language, t } from './language.js';
import { keep, sendSettings, setting } from './settings.js';
import { languages } from './words/languages.js';

/** Opens the choice of the language. */
export const chooseLanguage = () => ask(t('language'), languageChoice(),
  [{ label: t('close'), value: 'close', kind: 'primary' }]);

/** The choice of the language; the page is loaded again in another one, and keeps its draft. */
export function languageChoice() {
  const chosen = setting('language', '');
  /** @type {HTMLSelectElement} */
  const select = el('select', {
    class: 'field', id: 'language', 'aria-label': t('language'),
    on: {
      change: async () => {
        keep('language', select.value);
        await sendSettings();
        location.reload();
      },
    },
  },
    el('option', { value: '', selected: !chosen }, t('language.browser')),
    // Each name is in its own language, for a reader who does not know the one that is shown.
    languages.map(({ code, name }) =>
      el('option', { value: code, lang: code, selected: code === chosen }, name)));
  return el('div', { class: 'language' },
    el('label', { class: 'choices', for: 'language' }, icon('globe'), t('language'), select),
    language.isDraft && el('p', { class: 'caption' }, t('language.draft')));
}
