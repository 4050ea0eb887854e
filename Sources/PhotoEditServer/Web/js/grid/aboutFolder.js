// SPDX-License-Identifier: Apache-2.0
import { ask } from '../dialogs.js';
import { el } from '../dom.js';
import { t } from '../language.js';

/** Says what a folder does not have, and how to get it. */
export const aboutFolder = () => ask(t('folder.title'),
  el('div', {},
    el('p', {}, t('folder.help')),
    el('p', {}, el('code', {}, 'photoedit serve --library'))),
  [{ label: t('close'), value: 'close', kind: 'primary' }]);
