// SPDX-License-Identifier: Apache-2.0
import { get, logIn, path } from './api.js';
import { button, el, icon, replace } from './dom.js';
import { listen } from './keys.js';
import { address, go, route, start } from './router.js';
import { applyTheme } from './settings.js';

const screen = document.getElementById('screen');
// The response with this page names the modules of the first screen, so that they arrive together.
const screens = {
  editor: () => import('./editor/editor.js'),
  timeline: () => import('./grid/timeline.js'),
  viewer: () => import('./viewer/viewer.js'),
  sideBySide: () => import('./viewer/sideBySide.js'),
};

/** Exchanges the launch code of the address for a cookie, and removes it from the history. */
async function useCode() {
  const code = /^#(?:code=)?([A-Za-z0-9_-]{16,})$/.exec(location.hash)?.[1];
  if (!code) return;
  history.replaceState(null, '', location.pathname);
  await logIn(code);
}

/**
 * @param {string} title
 * @param {string} text
 * @param {...HTMLElement} more
 */
function notice(title, text, ...more) {
  replace(screen,
    el('main', { class: 'notice' },
      icon('original'),
      el('h1', {}, title),
      el('p', {}, text),
      ...more));
}

function showLogin() {
  notice(
    'This browser is not logged in',
    'Each link works once, within ten minutes. To get a new one, run',
    el('p', {}, el('code', {}, 'photoedit serve --link')));
}

async function boot() {
  applyTheme();
  listen();
  /** @type {Service} */
  let service;
  try {
    await useCode();
    service = await get(path`/api/service`);
  } catch (problem) {
    if (problem.status === 401) {
      showLogin();
    } else {
      notice(
        problem.body?.title ?? 'photoedit is not responding', problem.message,
        button('Try again', () => location.reload()));
    }
    return;
  }
  document.addEventListener('photoedit:unauthorized', showLogin);
  route('/a/:id/edit', async ({ id }) => (await screens.editor()).openEditor(screen, id, service));
  route('/a/:id', async ({ id }, query) =>
    (await screens.viewer()).openViewer(screen, id, service, query));
  if (service.mode === 'photo') {
    route('/', () => {
      go(address('a', service.asset, 'edit'), { replaces: true });
      return null;
    });
  } else {
    route('/', async (_, query) =>
      (await screens.timeline()).openTimeline(screen, service, { source: 'all', query }));
    route('/album/:album', async ({ album }, query) =>
      (await screens.timeline()).openTimeline(screen, service, { source: album, query }));
    route('/compare/:first/:second', async ({ first, second }) =>
      (await screens.sideBySide()).openSideBySide(screen, [first, second]));
    setTimeout(() => { screens.viewer().then(screens.editor).catch(() => {}); }, 2000);
  }
  await start();
}

boot();
