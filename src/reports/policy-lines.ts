import type { PolicyReport } from '../apiserver/admission/policy-report.js';
import { printable } from '../writers/printable.js';
import type { Palette } from './palette.js';

/** One line of the report, and its explanation. */
export interface ReportRow {
  readonly phase: 'mutating' | 'validating';
  readonly name: string;
  readonly outcome: string;
  readonly color: (text: string) => string;
  readonly durationMs: number | undefined;
  /** Why the call was refused, or what failed. */
  readonly reason: readonly string[];
  /** More about it, and what to do. */
  readonly explanation: readonly string[];
}

/** Reports whether the entry is printed. A second round without any invocation is normal, and omitted. */
export function isPolicyNews({ outcome, skipReason }: PolicyReport): boolean {
  return outcome !== 'skipped' || skipReason?.predicate !== 'reinvocation';
}

/** `policy limit-replicas/limit-replicas-everywhere`, and the parameter where there is one. */
export function policyName({ policy, binding, param, round }: PolicyReport): string {
  const bound = binding === undefined ? policy : `${policy}/${binding}`;
  return `policy ${bound}${param === undefined ? '' : ` (${param})`}${round > 1 ? ' (again)' : ''}`;
}

/** Returns the outcome of a policy in a few words. */
function policyOutcome(entry: PolicyReport): string {
  switch (entry.outcome) {
    case 'skipped':
      return entry.skipReason === undefined ? 'skipped' : printable(`skipped by ${entry.skipReason.predicate}: ${entry.skipReason.detail}`);
    case 'failed':
      return entry.failurePolicy === 'Ignore' ? 'failed, and ignored' : 'failed';
    case 'mutated':
      return 'allowed, changed the object';
    default:
      return entry.outcome;
  }
}

/** A policy as a line of the report. */
export function policyRow(entry: PolicyReport, palette: Palette): ReportRow {
  return {
    phase: entry.phase,
    name: policyName(entry),
    outcome: policyOutcome(entry),
    color: colorOf(entry, palette),
    durationMs: undefined,
    reason: [
      ...(entry.message === undefined ? [] : [entry.message]),
      ...[...entry.validations, ...entry.mutations].flatMap(one => (one.message === undefined ? [] : [`${one.index + 1}. ${one.message}`])),
    ],
    explanation: [],
  };
}

function colorOf({ outcome, failurePolicy }: PolicyReport, palette: Palette): Palette['good'] {
  if (outcome === 'allowed' || outcome === 'mutated') return palette.good;
  if (outcome === 'skipped') return palette.quiet;
  if (outcome === 'denied') return palette.bad;
  return outcome === 'failed' && failurePolicy === 'Fail' ? palette.bad : palette.warning;
}
