// SPDX-License-Identifier: Apache-2.0
// The strokes of a brush mask as a value; what is painted is in brush.js.
import { t } from '../language.js';

/** The strokes of a new mask: the filter needs one, so there is one without effect. */
export const unpainted = () => [{ radius: 0.05, flow: 0, points: [[0.5, 0.5]] }];

/**
 * The strokes of a mask that have an effect.
 * @param {Value | undefined} value
 */
export const paintedOf = (value) =>
  /** @type {Stroke[]} */ (value ?? []).filter(({ flow }) => flow !== 0);

/**
 * The strokes of a mask as a short text.
 * @param {Value | undefined} value
 */
export const strokesText = (value) => t('brush.strokes', { count: paintedOf(value).length });
