import type { Palette } from '../palette.js';
import { withoutCommands } from '../printable.js';
import { type ReplayRun, replayDocument } from './replay-document.js';
import { replayMarkdown } from './replay-markdown.js';
import { replayPage } from './replay-page.js';
import { replayText } from './replay-text.js';

/** Formats of the report, the default first. */
export const replayFormats = ['text', 'json', 'markdown', 'html'] as const;

export type ReplayFormat = (typeof replayFormats)[number];

export interface ReplayReporting {
  readonly palette: Palette;
  readonly toolVersion: string;
}

/** Returns the report of a replay. */
export function replayReport(run: ReplayRun, format: ReplayFormat, { palette, toolVersion }: ReplayReporting): string {
  if (format === 'json') return `${withoutCommands(JSON.stringify(replayDocument(run), null, 2))}\n`;
  if (format === 'markdown') return replayMarkdown(run);
  return format === 'html' ? replayPage(run, toolVersion) : replayText(run, palette);
}
