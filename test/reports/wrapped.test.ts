import { describe, expect, it } from 'vitest';
import Lint from '../../commands/lint.js';
import Review from '../../commands/review.js';
import { wrappedLines } from '../../src/reports/wrapped.js';
import { runCommand } from '../support/run-command.js';

const withoutTimes = (text: string): string => text.replaceAll(/ +[\d.]+ ms/g, '');

describe('lines on terminals', () => {
  it.each([
    ['  a bb ccc', undefined, ['  a bb ccc']],
    ['  a bb ccc', 10, ['  a bb ccc']],
    ['  a bb ccc', 7, ['  a bb', '  ccc']],
    ['  abcdefgh ij', 6, ['  abcdefgh', '  ij']],
    ['', 1, ['']],
  ] as const)('%j at %s columns are %j', (line, columns, lines) => {
    expect(wrappedLines(line, columns)).toEqual(lines);
  });

  it('continue at a given indentation', () => {
    expect(wrappedLines('try  one two', 9, 5)).toEqual(['try  one', '     two']);
  });

  it('are wrapped where they explain; lines of kubectl and diffs are not', async () => {
    const argv = ['--demo', '-f', 'fixtures/manifests/pod-privileged.yaml'];
    const whole = await runCommand(Review, argv, { isTerminal: true, env: { NO_COLOR: '1' } });
    const { stdout } = await runCommand(Review, argv, { isTerminal: true, columns: 50, env: { NO_COLOR: '1' } });
    const [report = '', kubectl = ''] = stdout.split('\n# kubectl');
    expect(report.split('\n').filter(line => /^ {4}\S/.test(line) && line.length > 50)).toEqual([]);
    expect(stdout).not.toBe(whole.stdout);
    expect(whole.stdout).toContain(kubectl);
    const colored = await runCommand(Review, argv, { isTerminal: true, columns: 50, env: { FORCE_COLOR: '1' } });
    const [coloredReport = ''] = colored.stdout.replaceAll(/\u001b\[\d+m/g, '').split('\n# kubectl');
    expect(withoutTimes(coloredReport)).toBe(withoutTimes(report));
    const linted = await runCommand(Lint, ['-f', 'fixtures/lint'], { isTerminal: true, columns: 60, env: { NO_COLOR: '1' } });
    expect(linted.stdout.split('\n').filter(line => line.startsWith('    ') && line.length > 60)).toEqual([]);
  });
});
