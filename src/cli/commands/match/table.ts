import type { PolicyReport } from '../../../apiserver/admission/policy-report.js';
import type { WebhookReport } from '../../../apiserver/admission/webhook-report.js';
import type { Palette } from '../../../reports/palette.js';
import { policyName } from '../../../reports/policy-lines.js';
import { withoutWebhooks } from '../../../reports/text.js';
import { wrappedLines } from '../../../reports/wrapped.js';
import { printable } from '../../../writers/printable.js';
import type { PredicateView } from '../../work/calls/explain.js';
import type { MatchCoverageRow } from './coverage.js';

/** Row of one webhook; with `--explain`, its predicates. */
export interface MatchRow {
  readonly entry: WebhookReport;
  readonly predicates: readonly PredicateView[];
}

/** A policy of a call, matched or not, and why. */
export interface PolicyMatchRow {
  readonly entry: PolicyReport;
  readonly predicates: readonly PredicateView[];
}

/** More webhooks and policies without a matching rule than this are counted, not listed: they hide the others. */
const maxListed = 3;

/**
 * Prints all policies and webhooks of a call, called or skipped, and why. Without `listsAll`, many of them whose rules do not match are one
 * line.
 */
export function matchTable(
  rows: readonly MatchRow[],
  policies: readonly PolicyMatchRow[],
  { isAllowed, listsAll, palette }: { readonly isAllowed: boolean; readonly listsAll: boolean; readonly palette: Palette },
): string[] {
  const first = rows[0] ?? policies[0];
  if (first === undefined) return [withoutWebhooks(isAllowed)];
  const { operation, kind, resource, namespace, name, subResource } = first.entry.attributes;
  // In a request about a Namespace, the namespace is its own name.
  const place = [resource.resource === 'namespaces' ? '' : namespace, name].filter(part => part !== '').join('/');
  const unmatched = [...rows, ...policies].filter(({ entry }) => hasNoRule(entry)).length;
  const isCounted = !listsAll && unmatched > maxListed;
  const isListed = ({ entry }: MatchRow | PolicyMatchRow): boolean => !isCounted || !hasNoRule(entry);
  const all = (['mutating', 'validating'] as const).flatMap(phase => [
    ...policies.filter(row => row.entry.phase === phase && isListed(row)).map(row => ({ ...row, cells: policyCells(row.entry) })),
    ...rows
      .filter(row => row.entry.phase === phase && isListed(row))
      .map(row => ({ ...row, cells: [phase, `${row.entry.configuration}/${row.entry.webhook}`, outcomeOf(row.entry)] })),
  ]);
  const heading = policies.length === 0 ? 'WEBHOOK' : 'POLICY OR WEBHOOK';
  const lines = columns([['PHASE', heading, 'CALLED'], ...all.map(({ cells }) => cells)]);
  const body = all.flatMap((row, i) => [colored(lines[i + 1] ?? '', row.entry, palette), ...predicateLines(row.predicates, palette)]);
  const subject = [operation, kind.kind, place, subResource].filter(part => part !== '').join(' ');
  const counted = isCounted ? [`${unmatched} ${all.length === 0 ? '' : 'more '}have no matching rule; --all lists them`] : [];
  const ended = !isAllowed && isRefusedByServer([...rows, ...policies].map(({ entry }) => entry)) ? [refusedFirst] : [];
  return [palette.strong(printable(subject)), ...(all.length === 0 ? [] : [palette.quiet(lines[0] ?? ''), ...body]), ...counted, ...ended];
}

const refusedFirst = 'no validating webhook is called: the API server refuses the object first';

/** Did the API server refuse a call after its mutating webhooks and policies, none of which did? */
function isRefusedByServer(entries: readonly (WebhookReport | PolicyReport)[]): boolean {
  return entries.every(
    ({ phase, outcome }) => phase === 'mutating' && outcome !== 'failed' && outcome !== 'internalError' && outcome !== 'denied',
  );
}

function colored(line: string, { outcome }: WebhookReport | PolicyReport, palette: Palette): string {
  if (outcome === 'skipped') return palette.quiet(line);
  return outcome === 'failed' || outcome === 'internalError' ? palette.bad(line) : palette.good(line);
}

function hasNoRule({ skipReason }: WebhookReport | PolicyReport): boolean {
  return skipReason?.predicate === 'rules';
}

/** Prints every operation with the webhooks that match it; a dash for none. */
export function coverageTable(rows: readonly MatchCoverageRow[]): string[] {
  const list = (names: readonly string[]): string => (names.length === 0 ? '-' : names.join(','));
  const hasPolicies = rows.some(({ policies }) => policies !== undefined);
  const cells = rows.map(row => [
    ...[row.operation, row.resource, list(row.mutating), list(row.validating)],
    ...(hasPolicies ? [list(row.policies ?? [])] : []),
  ]);
  return columns([['OPERATION', 'RESOURCE', 'MUTATING', 'VALIDATING', ...(hasPolicies ? ['POLICIES'] : [])], ...cells]);
}

function policyCells(entry: PolicyReport): string[] {
  const { outcome, skipReason, message } = entry;
  const name = policyName(entry);
  if (outcome === 'skipped') return [entry.phase, name, `no: ${skipReason?.predicate ?? 'skipped'}: ${skipReason?.detail ?? ''}`];
  if (outcome === 'failed' && message !== undefined) return [entry.phase, name, `failed: ${message}`];
  return [entry.phase, name, `yes: ${outcome}`];
}

function outcomeOf({ outcome, skipReason, sent, attributes, failure, isObjectUnknown }: WebhookReport): string {
  if (outcome === 'skipped') return `no: ${skipReason?.predicate ?? 'skipped'}: ${skipReason?.detail ?? ''}`;
  if (outcome === 'internalError' && skipReason !== undefined) return `refused: ${skipReason.predicate}: ${skipReason.detail}`;
  if (sent === undefined) return `refused: ${failure?.message ?? 'it cannot be called'}`;
  const { group, version } = sent.kind;
  const asked = attributes.kind;
  const isOther = group !== asked.group || version !== asked.version;
  const as = isOther ? `yes, as ${group === '' ? version : `${group}/${version}`} ${sent.kind.kind}` : 'yes';
  return isObjectUnknown === true ? `${as}, if its match conditions allow it: only the conversion webhook knows this object` : as;
}

/** Selectors that match anything decide nothing: they are one line. */
function predicateLines(predicates: readonly PredicateView[], palette: Palette): string[] {
  const open = predicates.filter(({ wants, decided }) => wants === 'anything' && !decided);
  const others = predicates.filter(view => !open.includes(view));
  return [
    ...others.flatMap(view => predicateLine(view, palette)),
    ...(open.length === 0 ? [] : [palette.quiet(`    ${open.map(({ predicate }) => predicate).join(', ')}: anything`)]),
  ];
}

function predicateLine({ predicate, wants, saw, decided }: PredicateView, palette: Palette): string[] {
  const text = `${predicate}: wants ${printable(wants)}; saw ${printable(saw)}`;
  return decided
    ? wrappedLines(`  ! ${text}`, palette.columns, 4).map(part => palette.bad(part))
    : wrappedLines(`    ${text}`, palette.columns);
}

function columns(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, i) => Math.max(...rows.map(row => (row[i] ?? '').length)));
  return rows.map(row =>
    row
      .map((cell, i) => printable(cell).padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
