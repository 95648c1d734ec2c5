import type { CoverageRow } from '../../suites/coverage.js';
import { printable } from '../../writers/printable.js';
import type { Palette } from '../palette.js';

/** Summary of the coverage of rules, and the parts that no case reached. */
export function coverageText(rows: readonly CoverageRow[], palette: Palette): string[] {
  if (rows.length === 0) return [palette.quiet('coverage: no call reached a policy or a webhook')];
  const missing = rows.filter(row => missingOutcomes(row).length > 0);
  const covered = rows.length - missing.length;
  const headline = `coverage: ${covered} of ${rows.length} rules, conditions, validations and mutations fully reached`;
  const owners = [...new Set(missing.map(({ owner }) => owner))];
  return [
    missing.length === 0 ? palette.good(headline) : palette.warning(headline),
    ...owners.flatMap(owner => [
      `  ${printable(owner)}`,
      ...missing
        .filter(row => row.owner === owner)
        .map(row => `    ${printable(`${row.part}: never ${missingOutcomes(row).join(', never ')}: ${row.text}`)}`),
    ]),
  ];
}

/** Outcomes of a part that no case reached. A mutation is never false. */
export function missingOutcomes({ part, true: hits, false: misses }: CoverageRow): readonly ('true' | 'false')[] {
  const needsFalse = !part.startsWith('mutation ');
  return [...(hits === 0 ? (['true'] as const) : []), ...(needsFalse && misses === 0 ? (['false'] as const) : [])];
}
