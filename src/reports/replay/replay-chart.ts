import { counted } from '../../kubernetes/counted.js';
import type { ReplayTally } from '../../replay/tally.js';
import { element, type Html } from '../../writers/html.js';
import { numberWords } from './report-words.js';

const [width, height] = [960, 220];

/** Room for the labels of the axes. */
const [left, bottom, top] = [56, 24, 8];

/** Widest bar: one hour alone does not fill the chart. */
const maxStep = 48;

/** Most labels of the hours: more would touch each other. */
const maxLabels = 7;

/** Hours between labels: a label is at the same time of every day. */
const hoursBetween = [1, 2, 3, 6, 12, 24];

const hourMs = 3_600_000;

/** Returns bars of the calls of each hour, with the changed ones at the bottom, and both axes; hours without calls are empty. Undefined without calls. */
export function replayChart({ hours }: Pick<ReplayTally, 'hours'>): Html | undefined {
  const all = Object.entries(hours).sort(([a], [b]) => (a < b ? -1 : 1));
  const [first, last] = [all[0]?.[0], all.at(-1)?.[0]];
  const most = Math.max(...all.map(([, { calls }]) => calls), 0);
  if (first === undefined || last === undefined || most === 0) return undefined;
  const count = Math.round((timeOf(last) - timeOf(first)) / hourMs) + 1;
  const step = Math.min((width - left) / count, maxStep);
  const ceiling = roundCeiling(most);
  const tallOf = (value: number): number => ((height - top - bottom) * value) / ceiling;
  const baseline = height - bottom;
  const bars = all.map(([hour, { calls, changed }]) => {
    const x = left + ((timeOf(hour) - timeOf(first)) / hourMs) * step;
    const bar = (value: number, name: string): Html => {
      const tall = tallOf(value);
      const size = { width: Math.max(step - 1, 0.5).toFixed(1), height: tall.toFixed(1) };
      return element('rect', { class: name, x: x.toFixed(1), y: (baseline - tall).toFixed(1), ...size });
    };
    const title = `${shownHour(hour)}: ${counted(numberWords(calls), 'call')}, ${numberWords(changed)} would change`;
    return element('g', {}, element('title', {}, title), bar(calls, 'calls'), bar(changed, 'changed'));
  });
  const label = `Calls of each hour from ${shownHour(first)} to ${shownHour(last)}, at most ${numberWords(most)} in one`;
  return element(
    'section',
    {},
    element('h2', {}, 'Over time'),
    element(
      'ul',
      { class: 'legend' },
      element('li', { class: 'calls' }, 'calls of an hour (UTC)'),
      element('li', { class: 'changed' }, 'would change'),
    ),
    element(
      'div',
      { class: 'chart', tabindex: '0', role: 'region', 'aria-label': 'Chart' },
      element(
        'svg',
        { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label },
        countAxis(ceiling, tallOf, baseline),
        bars,
        hourAxis(first, { count, step, baseline }),
      ),
    ),
  );
}

/** Lines and labels at none, half and all. */
function countAxis(ceiling: number, tallOf: (value: number) => number, baseline: number): Html[] {
  const values = [...new Set([0, Math.round(ceiling / 2), ceiling])];
  return values.flatMap(value => {
    const y = (baseline - tallOf(value)).toFixed(1);
    return [
      element('line', { x1: String(left), x2: String(width), y1: y, y2: y }),
      element('text', { x: String(left - 8), y, 'text-anchor': 'end', 'dominant-baseline': 'middle' }, numberWords(value)),
    ];
  });
}

function hourAxis(
  first: string,
  { count, step, baseline }: { readonly count: number; readonly step: number; readonly baseline: number },
): Html[] {
  const least = count / maxLabels;
  const every = hoursBetween.find(hours => hours >= least) ?? 24 * Math.ceil(least / 24);
  const labels: Html[] = [];
  for (let hour = 0; hour < count; hour += every) {
    // The last label would be cut off.
    const x = left + hour * step;
    if (x > width - 90 && hour > 0) break;
    const iso = new Date(timeOf(first) + hour * hourMs).toISOString().slice(0, 13);
    labels.push(element('text', { x: x.toFixed(1), y: String(baseline + 16) }, shownHour(iso).slice(5)));
  }
  return labels;
}

/** `2026-11-23T19` as milliseconds. */
function timeOf(hour: string): number {
  return Date.parse(`${hour}:00:00Z`);
}

function shownHour(hour: string): string {
  return `${hour.replace('T', ' ')}:00`;
}

/** The next of 1, 2, 3, 4, 5, 6, 8, 10, 20, 30 and so on: a larger step would leave half of the chart empty. */
function roundCeiling(most: number): number {
  const unit = 10 ** Math.floor(Math.log10(most));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find(factor => factor * unit >= most) ?? 10) * unit;
}
