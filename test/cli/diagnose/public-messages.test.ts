import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/cli/commands/diagnose/run-diagnose.js';

interface Row {
  /** Public report, or the program that prints it. */
  readonly source: string;
  readonly text: string;
  readonly errors: readonly { readonly cause: string; readonly fault: string | null }[];
}

const rows: readonly Row[] = JSON.parse(readFileSync('fixtures/diagnose/messages.json', 'utf8'));

describe('messages of public reports', () => {
  it('are numerous', () => {
    expect(rows.length).toBeGreaterThanOrEqual(300);
  });

  it.each(rows.map(row => [row.source, row] as const))('%s', (_, { text, errors }) => {
    expect(diagnose(text).map(({ cause, fault }) => ({ cause, fault }))).toEqual(errors);
  });
});

describe('an explanation', () => {
  it('has no place left to fill in', () => {
    for (const { text } of rows)
      for (const { why, try: attempt, reproduce } of diagnose(text)) {
        expect(`${why} ${attempt} ${reproduce.command}`).not.toMatch(/\{[a-z]+\}/);
        expect(attempt).not.toBe('');
      }
  });

  it('is the same for a text that a terminal broke between words', () => {
    const joined = rows.filter(({ text, errors }) => errors.length === 1 && !/[\n\t]|\s\s|[{}]/.test(text));
    expect(joined.length).toBeGreaterThan(50);
    const changed = joined.filter(({ text, errors }) => {
      const broken = text.replace(/(.{30,50}?) (?![":])/g, '$1\n');
      return JSON.stringify(diagnose(broken).map(({ cause, fault }) => ({ cause, fault }))) !== JSON.stringify(errors);
    });
    expect(changed.map(({ text }) => text)).toEqual([]);
  });
});
