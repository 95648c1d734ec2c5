import { needsOf, streamFormat } from '../../../../reports/report-formats.js';
import { type ReportStream, reportStream } from '../../../../reports/report-stream.js';
import type { Surroundings } from '../../../shell/surroundings.js';
import { terminalPalette } from '../../../shell/terminal-palette.js';
import type { Answered, ResultRendering } from '../../../work/calls/rendered-results.js';
import type { RenderingFlags } from './review-flags.js';

/** Returns how the flags print results. */
export function renderingOf(flags: RenderingFlags, surroundings: Pick<Surroundings, 'env' | 'stdout'>): ResultRendering {
  const stream = streamOf(flags, surroundings);
  return { stream: { ...stream, render: ({ report }: Answered) => stream.render(report) }, showsBodies: showsBodies(flags) };
}

/** Reports whether reports include this part. */
export function includes({ include }: Pick<RenderingFlags, 'include'>, part: 'exchange' | 'steps'): boolean {
  return include?.includes(part) === true;
}

/** Reports whether reviews and answers are printed as they were sent. */
export function showsBodies(flags: RenderingFlags): boolean {
  return includes(flags, 'exchange') || needsOf(flags.output ?? 'text').showsBodies === true;
}

function streamOf(flags: RenderingFlags, { env, stdout }: Pick<Surroundings, 'env' | 'stdout'>): ReportStream {
  const palette = terminalPalette(flags, { env, stdout });
  return reportStream(streamFormat(flags.output), {
    palette,
    withExchange: includes(flags, 'exchange'),
    withSteps: includes(flags, 'steps'),
  });
}
