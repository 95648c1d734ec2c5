import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { printable } from '../../reports/printable.js';
import { withoutWebhooks } from '../../reports/text.js';
import type { CoverageRow } from './coverage.js';
import type { PredicateView } from './explain.js';

/** Row of one webhook; with `--explain`, its predicates. */
export interface MatchRow {
  readonly entry: WebhookReport;
  readonly predicates: readonly PredicateView[];
}

/** Prints all webhooks of a call, called or skipped, and why. */
export function matchTable(rows: readonly MatchRow[], isAllowed: boolean): string[] {
  const [first] = rows;
  if (first === undefined) return [withoutWebhooks(isAllowed)];
  const { operation, kind, resource, namespace, name, subResource } = first.entry.attributes;
  // In a request about a Namespace, the namespace is its own name.
  const place = [resource.resource === 'namespaces' ? '' : namespace, name].filter(part => part !== '').join('/');
  const cells = rows.map(({ entry }) => [entry.phase, `${entry.configuration}/${entry.webhook}`, outcomeOf(entry)]);
  const lines = columns([['PHASE', 'WEBHOOK', 'CALLED'], ...cells]);
  const body = rows.flatMap((row, i) => [lines[i + 1] ?? '', ...row.predicates.map(predicateLine)]);
  const subject = [operation, kind.kind, place, subResource].filter(part => part !== '').join(' ');
  return [printable(subject), lines[0] ?? '', ...body];
}

/** Prints every operation with the webhooks that match it; a dash for none. */
export function coverageTable(rows: readonly CoverageRow[]): string[] {
  const list = (names: readonly string[]): string => (names.length === 0 ? '-' : names.join(','));
  const cells = rows.map(row => [row.operation, row.resource, list(row.mutating), list(row.validating)]);
  return columns([['OPERATION', 'RESOURCE', 'MUTATING', 'VALIDATING'], ...cells]);
}

function outcomeOf({ outcome, skipReason, sent, attributes, failure }: WebhookReport): string {
  if (outcome === 'skipped') return `no: ${skipReason?.predicate ?? 'skipped'}: ${skipReason?.detail ?? ''}`;
  if (outcome === 'internalError' && skipReason !== undefined) return `refused: ${skipReason.predicate}: ${skipReason.detail}`;
  if (sent === undefined) return `refused: ${failure?.message ?? 'it cannot be called'}`;
  const { group, version } = sent.kind;
  const asked = attributes.kind;
  const isOther = group !== asked.group || version !== asked.version;
  return isOther ? `yes, as ${group === '' ? version : `${group}/${version}`} ${sent.kind.kind}` : 'yes';
}

function predicateLine({ predicate, wants, saw, decided }: PredicateView): string {
  return `  ${decided ? '!' : ' '} ${predicate}: wants ${printable(wants)}; saw ${printable(saw)}`;
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
