import { el } from '../shared/dom.js';

/** Returns buttons that copy the address, which contains everything, and that give it to another program where the browser can. */
export function shareTools(): HTMLElement {
  const said = el('span', { role: 'status', class: 'quiet' });
  const copy = el('button', { type: 'button', class: 'more' }, 'Copy link');
  copy.addEventListener('click', async () => {
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = 'copied';
    } catch {
      said.textContent = 'copy the address of the page: the browser does not permit it here';
    }
  });
  const share = el('button', { type: 'button', class: 'more', hidden: !('share' in navigator) }, 'Share');
  share.addEventListener('click', () => {
    // Rejected when the user changes their mind.
    navigator.share({ title: document.title, url: location.href }).catch(() => {});
  });
  return el('span', { class: 'labelled' }, copy, share, said);
}
