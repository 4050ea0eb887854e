// SPDX-License-Identifier: Apache-2.0
import { button, el, icon } from '../dom.js';
import { canImport } from '../import.js';
import { t } from '../language.js';

/**
 * What is shown in place of a list that has nothing; null for one that has something.
 * @param {import('./timeline.js').Timeline} timeline
 */
export function emptyNotice(timeline) {
  const { actions, isAlbum, isLibrary, list, predicate, service, source } = timeline;
  if (list.count) return null;
  const [title, text] = predicate
    ? [t('grid.noMatch'), t('grid.changeSearch')]
    : source === 'trash'
    ? [t('grid.trashIsEmpty'), t('grid.trashHelp')]
    : source === 'favorites'
    ? [t('grid.noFavorites'), t('grid.favoritesHelp')]
    : isAlbum
    ? [t('grid.albumIsEmpty'), t('grid.albumHelp')]
    : [t('grid.noPhotos'), t(isLibrary ? 'grid.importHelp' : 'grid.folderHelp')];
  const imports = source === 'all' && !predicate && canImport(service);
  return el('div', { class: 'notice over' },
    icon(predicate ? 'search' : source === 'favorites' ? 'heart' : 'album'),
    el('h2', {}, title), el('p', {}, text),
    predicate && button(t('search.clear'), () => timeline.searchFor('')),
    imports && button(t('grid.import'), () => actions.importPhotos(), { kind: 'primary' }));
}
