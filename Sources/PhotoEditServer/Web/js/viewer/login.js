// SPDX-License-Identifier: Apache-2.0

/**
 * Goes on with a photo after another login, of which its list knows nothing; what is being typed
 * stays. Returns what ends that, and the viewer.
 * @param {import('./viewer.js').Viewer} viewer
 * @param {() => void} end
 */
export function goOnAfterLogin(viewer, end) {
  /** @param {Event} event */
  const goOn = async (event) => {
    event.preventDefault();
    const { info, item, list } = viewer;
    const index = await list?.reopen().then(() => list.indexOf(item.id)).catch(() => -1) ?? -1;
    if (index < 0) location.reload();
    else if (info.querySelector('input')) viewer.index = index;
    else await viewer.show(index);
  };
  document.addEventListener('photoedit:reconnect', goOn);
  return () => {
    document.removeEventListener('photoedit:reconnect', goOn);
    end();
  };
}
