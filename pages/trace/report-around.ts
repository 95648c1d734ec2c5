import type { TraceData } from '../../src/pages/trace-model.js';
import { el } from '../shared/dom.js';
import { fragmentOf } from './page-state.js';

/** The report that contains the time lines, and whose style sheet is another one. */
export interface ReportAround {
  readonly hide: () => void;
  readonly onEnter: (act: () => void) => void;
  readonly onLeave: (act: () => void) => void;
}

/** Returns the report around the time lines, with links to them; undefined for a page of its own. */
export function reportAround(app: HTMLElement, { entries }: TraceData): ReportAround | undefined {
  const [ownStyle, otherStyle] = document.querySelectorAll('style');
  if (ownStyle === undefined || otherStyle === undefined) return undefined;
  const parts = [...document.body.children].filter((part): part is HTMLElement => part instanceof HTMLElement && !part.hidden);
  const showReport = (isShown: boolean): void => {
    ownStyle.media = isShown ? 'all' : 'not all';
    otherStyle.media = isShown ? 'not all' : 'all';
    for (const part of parts) part.hidden = !isShown;
  };
  const enter = el('button', { type: 'button' }, 'Time lines');
  document.querySelector('body > header')?.append(enter);
  const leave = el('button', { type: 'button', class: 'more' }, 'Report');
  app.querySelector('header')?.append(leave);
  for (const [entry, { anchor = '', calls }] of entries.entries()) {
    if (calls.length === 0) continue;
    const link = el('a', { class: 'link', href: fragmentOf({ entry, call: 0, step: undefined }) }, 'time line');
    document.getElementById(anchor)?.querySelector('summary')?.append(link);
  }
  return {
    hide: () => showReport(false),
    onEnter: act => enter.addEventListener('click', act),
    onLeave: act =>
      leave.addEventListener('click', () => {
        history.replaceState(null, '', location.pathname);
        act();
        showReport(true);
      }),
  };
}
