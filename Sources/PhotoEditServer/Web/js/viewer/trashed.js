// SPDX-License-Identifier: Apache-2.0
import { path, post } from '../api.js';
import { counted } from '../counted.js';
import { button, el } from '../dom.js';
import { purge } from '../grid/actions.js';
import { t } from '../language.js';
import { message, report } from '../messages.js';

/** What can be done with a photo of the trash that is shown alone. */
export class Trashed {
  /** @param {import('./viewer.js').Viewer} viewer */
  constructor(viewer) {
    this.viewer = viewer;
    this.buttons = el('div', { class: 'trash-actions' },
      button(t('selection.purge'), () => this.purge(), { kind: 'plain' }),
      button(t('selection.restore'), () => this.restore(), { kind: 'primary' }));
  }

  restore() {
    const { item } = this.viewer;
    const { id } = item;
    return this.remove(async () => {
      await post(path`/api/restore`, { ids: [id] });
      message(t('done.restored', counted([item])), {
        label: t('undo'),
        action: () => post(path`/api/trash`, { ids: [id] })
          .then(() => this.viewer.reload(id)).catch(report),
      });
      return true;
    });
  }

  purge() {
    const { item } = this.viewer;
    return this.remove(() => purge([item.id], () => item));
  }

  /**
   * Shows the next photo when one is no longer in the trash.
   * @param {() => Promise<boolean>} work
   */
  async remove(work) {
    const { viewer } = this;
    try {
      if (!(await work())) return;
      await viewer.list.reopen();
      await viewer.showNear();
    } catch (problem) {
      report(problem);
    }
  }
}
