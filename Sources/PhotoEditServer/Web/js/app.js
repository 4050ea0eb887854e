// SPDX-License-Identifier: Apache-2.0
import { call, get, logIn, path, takeLogin } from './api.js';
import { button, el, icon, replace } from './dom.js';
import { listen } from './keys.js';
import { language, languageOf, markLanguage, t } from './language.js';
import { clearErrors } from './messages.js';
import { whenBack } from './retry.js';
import { address, go, route, start } from './router.js';
import { applyTheme, readSettings, sendSettingsBy } from './settings.js';
import { guardSliders } from './sliders.js';
import { style, styled } from './styles.js';

const screen = document.getElementById('screen');
// The response with this page names the modules of the first screen, so that they arrive together.
const screens = {
  editor: () => import('./editor/editor.js'),
  timeline: () => import('./grid/timeline.js'),
  viewer: () => styled('viewer', import('./viewer/viewer.js')),
  sideBySide: () => styled('viewer', import('./viewer/sideBySide.js')),
};
// What is opened later, in this order.
const [help, looks] = [() => import('./keyHelp.js'), () => import('./editor/looks.js')];
const ofLists = [
  screens.viewer, screens.editor, help, looks, () => import('./importDialog.js'),
  () => import('./exportDialog.js'), () => import('./batchDialog.js'),
  () => import('./editor/pasting.js'), () => import('./describeDialog.js'),
];

// The place to which a login returns.
let place = '';
/** @type {HTMLDialogElement | null} what is shown until there is a login */
let login = null;

/** The launch code of the address; null without one. */
const code = () => /^#(?:code=)?([A-Za-z0-9_-]{16,})$/.exec(location.hash)?.[1] ?? null;

/** Exchanges the launch code of the address for a cookie, and removes it from the history. */
async function useCode() {
  const found = code();
  if (!found) return;
  history.replaceState(null, '', location.pathname + place);
  await logIn(found);
}

/**
 * Logs in with a link that is opened in a tab that has the page already: it changes only the code.
 * @param {Event} event
 */
async function codeChanged(event) {
  if (!code()) {
    if (location.hash.startsWith('#/')) place = location.hash;
    return;
  }
  // It is no address of a screen.
  event.stopImmediatePropagation();
  try {
    await useCode();
    goOn();
  } catch (problem) {
    showLogin(problem);
  }
}

/** Shows what was shown before a login; an editor keeps its draft. */
function goOn() {
  const event = new CustomEvent('photoedit:reconnect', { cancelable: true });
  document.dispatchEvent(event);
  if (!event.defaultPrevented) { location.reload(); return; }
  clearErrors();
  closeLogin();
}

function closeLogin() {
  const shown = login;
  login = null;
  shown?.close();
  shown?.remove();
}

/**
 * @param {string} title
 * @param {string} text
 * @param {...HTMLElement} more
 */
const notice = (title, text, ...more) => el('main', { class: 'notice' },
  icon('original'),
  el('h1', {}, title),
  el('p', {}, text),
  ...more);

/**
 * Shows how to log in, over the screen and its dialogs, which stay as they are and get no keys.
 * @param {import('./api.js').Problem} [problem] of the code that was used
 */
function showLogin(problem) {
  closeLogin();
  const title = t(problem ? 'start.badLink' : 'start.noLogin');
  /** @type {HTMLDialogElement} */
  const shown = el('dialog', {
    class: 'login', 'aria-label': title, closedby: 'none',
    // Browsers that do not know that attribute close it by Esc.
    on: { close: () => { if (login === shown) shown.showModal(); } },
  }, notice(title, t('start.howToLogIn'),
    el('p', {}, el('code', {}, 'photoedit serve --link'))));
  login = shown;
  screen.after(shown);
  shown.showModal();
}

/** Goes on with the login of another tab, or asks for one. */
function loggedOut() {
  if (takeLogin()) goOn();
  else if (!login) showLogin();
}

/**
 * Refuses what nothing takes where it is dropped: a browser would show it in place of the page.
 * @param {DragEvent} event
 */
function refuse(event) {
  const { defaultPrevented, target } = event;
  if (defaultPrevented || (target instanceof Element && target.matches('input, textarea'))) return;
  event.preventDefault();
  event.dataTransfer.dropEffect = 'none';
}

/**
 * Loads what will be needed, so that it does not wait for images when it is.
 * @param {(() => Promise<unknown>)[]} modules
 */
function loadLater(modules) {
  const loadRest = async () => { for (const load of modules) await load(); };
  setTimeout(() => { loadRest().catch(() => {}); }, 2000);
}

/** Reads what the page needs to know of the server, and the settings that it keeps. */
async function readService() {
  /** @returns {Promise<Record<string, unknown>>} */
  const read = async () => (await get(path`/api/settings`)).settings;
  /** @type {Promise<Service>} */
  const reading = get(path`/api/service`);
  const [service] = await Promise.all([reading, readSettings(read)]);
  if (!service.readOnly) {
    sendSettingsBy((settings) =>
      call('PUT', path`/api/settings`, { json: { settings }, outlives: true }));
  }
  return service;
}

async function boot() {
  applyTheme();
  markLanguage();
  listen();
  guardSliders();
  for (const type of /** @type {const} */ (['dragover', 'drop'])) addEventListener(type, refuse);
  addEventListener('hashchange', codeChanged);
  // Another tab has logged in.
  addEventListener('storage', ({ key }) => {
    if (key === 'photoedit.path' && login) { takeLogin(); goOn(); }
  });
  document.addEventListener('photoedit:back', clearErrors);
  if (location.hash.startsWith('#/')) place = location.hash;
  /** @type {Service} */
  let service;
  const hadCode = Boolean(code());
  try {
    await useCode();
    service = await readService();
    applyTheme();
    if (languageOf() !== language) { location.reload(); return; }
  } catch (problem) {
    if (problem.status === 401) {
      showLogin(hadCode ? problem : undefined);
    } else {
      replace(screen, notice(
        t('start.notResponding'), problem.message,
        button(t('start.tryAgain'), () => location.reload())));
      if (problem.word === 'unreachable') whenBack(() => location.reload());
    }
    return;
  }
  document.addEventListener('photoedit:unauthorized', loggedOut);
  route('/a/:id/edit', async ({ id }, query) =>
    (await screens.editor()).openEditor(screen, id, service, query));
  route('/a/:id', async ({ id }, query) =>
    (await screens.viewer()).openViewer(screen, id, service, query));
  if (service.mode === 'photo') {
    route('/', () => {
      go(address('a', service.asset, 'edit'), { replaces: true });
      return null;
    });
    loadLater([help, looks]);
  } else {
    // Not needed by the editor of one photo; a screen waits for its own.
    for (const name of ['grid', 'viewer', 'filmstrip']) style(name).catch(() => {});
    route('/', async (_, query) =>
      (await screens.timeline()).openTimeline(screen, service, { source: 'all', query }));
    route('/album/:album', async ({ album }, query) =>
      (await screens.timeline()).openTimeline(screen, service, { source: album, query }));
    route('/compare/:first/:second', async ({ first, second }) =>
      (await screens.sideBySide()).openSideBySide(screen, [first, second], service));
    loadLater(ofLists);
  }
  await start();
}

boot();
