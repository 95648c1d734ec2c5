import { describe, expect, it } from 'vitest';
import { withGuardedStreams } from '../../src/cli/options/base-command.js';
import type { CallReport } from '../../src/client/run/call-report.js';
import { formats } from '../../src/reports/formats.js';
import { paletteOf } from '../../src/reports/palette.js';
import { suiteReporters } from '../../src/reports/suites/reporters.js';
import type { TestFailure } from '../../src/suites/results.js';
import { testSurroundings } from '../support/run-command.js';
import { call, failed, runOf, suiteOf } from './suites/example-run.js';

const control = '\u001b]0;title\u0007\u001b[2J\u009b31m\u202e\u2066\u200b\u0000\r';
const hostile = `no\n::error file=a::x\n  ::stop-commands::y\n\t##[add-mask]z ##[group]\n${control}::set-output name=a::b`;

/** Lines that GitHub's runner obeys; not those of our own reporter for it. */
function commandsIn(text: string): string[] {
  return text.split(/[\n\r]/).filter(line => /^\s*::/.test(line));
}

const unprintable = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069]/;

const [entry] = call.report.webhooks;
if (entry === undefined) throw new Error('the example has no webhook');
const hostileCall: CallReport = {
  ...call,
  command: undefined,
  report: {
    ...call.report,
    notes: [hostile],
    webhooks: [
      {
        ...entry,
        webhook: hostile,
        attributes: { ...entry.attributes, name: hostile, namespace: hostile },
        status: { status: 'Failure', message: hostile },
        failure: { class: 'http', message: hostile, fault: 'webhook', why: hostile, try: hostile },
        warnings: [hostile],
        change: { before: '{"a":"x"}', after: JSON.stringify({ a: hostile }) },
      },
    ],
    decision: { ...call.report.decision, warnings: [hostile] },
  },
  kubectl: hostile.split('\n'),
  findings: [{ check: 'idempotency', webhook: hostile, message: hostile }] as never,
};
const failure: TestFailure = { check: 'message', message: hostile, expected: hostile, actual: hostile, diff: undefined } as never;

describe('text from outside', () => {
  it.each(['text', 'diff', 'name'] as const)('is no command and not unprintable in -o %s', format => {
    const text = formats[format]([hostileCall], { palette: paletteOf(0), withExchange: false });
    expect([commandsIn(text), unprintable.exec(text), text.includes('##[')]).toEqual([[], null, false]);
  });

  it.each(Object.keys(suiteReporters) as (keyof typeof suiteReporters)[])('is no command in the reporter %s', name => {
    const result = failed(hostile, [failure], { notes: [hostile], webhookOutput: hostile.split('\n'), calls: [hostileCall] });
    const run = { ...runOf([{ ...suiteOf([result]), name: hostile }]), notes: [hostile] };
    const text = suiteReporters[name](run, {
      palette: paletteOf(0),
      fileInRepository: (file: string) => file,
      toolVersion: '1',
      pageScript: () => '',
    } as never);
    const commands = commandsIn(text).filter(line => !(name === 'github' && /^::(?:error|warning|notice) (?:file|title)=/.test(line)));
    expect(commands).toEqual([]);
    if (name === 'default') expect(text).not.toContain('##[');
    if (name === 'default' || name === 'tap' || name === 'github') expect(unprintable.exec(text)).toBeNull();
  });

  it('is printable on a terminal in any format, and unchanged in a file', () => {
    const shownAt = (isTerminal: boolean): string => {
      const written = { stdout: '', stderr: '' };
      const { stdout, stderr } = withGuardedStreams(testSurroundings({ isTerminal }, written));
      stdout.write(`${paletteOf(1).bad('x')}\r\u001b[2K${control}`);
      stderr.write(control);
      return written.stdout;
    };
    const own = `${paletteOf(1).bad('x')}\r\u001b[2K`;
    expect(shownAt(false)).toBe(own + control);
    expect(shownAt(true).startsWith(own)).toBe(true);
    expect(unprintable.exec(shownAt(true).slice(own.length))).toBeNull();
  });
});
