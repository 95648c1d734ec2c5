import type { RuleObserver, RulePart } from '../kubernetes/rule-part.js';

/** How often a part of the rules was true and false in a run. */
export interface CoverageRow extends RulePart {
  readonly true: number;
  readonly false: number;
}

/** Counts the parts of rules that the calls of a run reach. */
export interface Coverage {
  readonly observer: RuleObserver;
  /** Parts in the order of their first evaluation. */
  readonly rows: () => readonly CoverageRow[];
}

/** Starts counting. */
export function newCoverage(): Coverage {
  const rows = new Map<string, { readonly part: RulePart; true: number; false: number }>();
  const rulePartKeyOf = ({ owner, part }: Pick<RulePart, 'owner' | 'part'>): string => `${owner}\n${part}`;
  return {
    observer: {
      declare: part => {
        if (!rows.has(rulePartKeyOf(part))) rows.set(rulePartKeyOf(part), { part, true: 0, false: 0 });
      },
      reach: (part, value) => {
        const row = rows.get(rulePartKeyOf(part));
        if (row !== undefined) row[value ? 'true' : 'false'] += 1;
      },
    },
    rows: () => [...rows.values()].map(({ part, ...counts }) => ({ ...part, ...counts })),
  };
}

/** Adds up the counts of several runs. */
export function mergedCoverage(all: readonly (readonly CoverageRow[])[]): readonly CoverageRow[] {
  const merged = new Map<string, CoverageRow>();
  for (const row of all.flat()) {
    const key = `${row.owner}\n${row.part}`;
    const known = merged.get(key);
    merged.set(key, known === undefined ? row : { ...known, true: known.true + row.true, false: known.false + row.false });
  }
  return [...merged.values()];
}
