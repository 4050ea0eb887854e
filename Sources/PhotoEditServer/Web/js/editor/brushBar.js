// SPDX-License-Identifier: Apache-2.0
import { t } from '../language.js';
import { radii } from './brush.js';
import { retouchBar, shareSlider, sizeSlider } from './retouchBar.js';

/**
 * The bar of the brush: whether it paints or erases, and what the next stroke is painted with.
 * @param {{
 *   set: (values: { radius?: number, hardness?: number, flow?: number }) => void,
 *   setMode: (index: number) => void, clear: () => void, done: () => void,
 *   show: HTMLElement,
 * }} actions
 */
export const brushBar = ({ set, setMode, clear, done, show }) => retouchBar({
  note: t('brush.help'), modes: ['paint', 'erase'],
  words: {
    mode: t('brush.mode'), modes: { paint: t('brush.paint'), erase: t('brush.erase') },
    remove: t('brush.clear'), removeHelp: t('brush.clearHelp'),
  },
  sliders: [
    sizeSlider(radii, (value) => set({ radius: value }), t('brush.sizeHelp')),
    shareSlider(t('brush.softness'), t('brush.softnessHelp'), 1,
      (value) => set({ hardness: 1 - value })),
    shareSlider(t('brush.flow'), t('brush.flowHelp'), 1, (value) => set({ flow: value })),
  ],
  more: [show], setMode, remove: clear, done,
});
