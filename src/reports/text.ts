import type { WebhookReport } from '../apiserver/admission/webhook-report.js';
import type { Report } from '../apiserver/report/report.js';
import type { ClientCommand } from '../client/kubectl-lines.js';
import type { CallReport } from '../client/run/call-report.js';
import { ownMember } from '../go/own-members.js';
import { stringAt } from '../go/value.js';
import { printable } from '../writers/printable.js';
import { shellCommand } from '../writers/shell.js';
import { objectDiff } from './diff.js';
import type { Palette } from './palette.js';
import { isPolicyNews, policyRow, type ReportRow } from './policy-lines.js';
import { wrappedLines } from './wrapped.js';

/** Text report: the request, each webhook's answer and changes, and kubectl's output. */
export function textReport(reports: readonly CallReport[], palette: Palette): string {
  return `${reports.map(report => callText(report, palette).join('\n')).join('\n\n')}\n`;
}

function callText(callReport: CallReport, palette: Palette): string[] {
  const { report, kubectl, findings } = callReport;
  return [
    headline(callReport, palette),
    ...rowLines(rowsOf(report, palette), report.decision.allowed, palette),
    ...(report.policies ?? []).flatMap(entry => changeLines(`policy ${entry.policy}`, entry, palette)),
    ...report.webhooks.flatMap(entry => changeLines(entry.webhook, entry, palette)),
    ...findings.flatMap(finding => findingLines(finding, palette)),
    ...report.notes.flatMap(note => colored(`  note: ${printable(note)}`, palette.quiet, palette)),
    '',
    ...kubectlText(callReport.command, kubectl, palette),
    ...countLine(report.webhooks, palette),
  ];
}

/** Counts the webhooks when some were skipped, or failed without an effect: an allowed call would hide that. */
function countLine(webhooks: Report['webhooks'], palette: Palette): string[] {
  const own = webhooks.filter(hasOwnLine);
  const skipped = own.filter(({ outcome }) => outcome === 'skipped').length;
  const ignored = own.filter(({ outcome, failurePolicy }) => outcome === 'callFailed' && failurePolicy === 'Ignore').length;
  if (skipped + ignored === 0) return [];
  const called = own.length - skipped - ignored;
  const counts = [`${called} called`, `${skipped} skipped`, ...(ignored === 0 ? [] : [`${ignored} ignored after a failure`])];
  const color = called === 0 || ignored > 0 ? palette.warning : palette.quiet;
  return [color(`# webhooks: ${counts.join(', ')}`)];
}

function findingLines({ check, webhook, message }: CallReport['findings'][number], palette: Palette): string[] {
  const lines = colored(`  ${check}: ${printable(`${webhook} ${message}`.trimStart())}`, palette.warning, palette);
  return check === 'idempotent' && message.startsWith('changes its own result')
    ? [
        ...lines,
        ...wrappedLines(
          '    try: change only what is missing: look for the value in request.object before the patch adds it',
          palette.columns,
        ),
      ]
    : lines;
}

/** Wraps a line at the width of the terminal, and colors its parts. */
function colored(line: string, color: (text: string) => string, { columns }: Palette): string[] {
  return wrappedLines(line, columns).map(part => color(part));
}

function headline({ report, command }: CallReport, palette: Palette): string {
  const { allowed } = report.decision;
  const outcome = allowed ? palette.good('allowed') : palette.bad(`refused (${report.decision.code})`);
  return `${palette.strong(printable(subjectOfReport(report.webhooks[0] ?? report.policies?.[0], report.call, command)))} by ${printable(report.call.user.username)}: ${outcome}`;
}

const operations: Readonly<Record<string, string>> = { POST: 'CREATE', PUT: 'UPDATE', PATCH: 'UPDATE', DELETE: 'DELETE' };

/** `CREATE Pod team/web`; the request line for calls that reach no webhook and come from no manifest. */
export function subjectOfReport(
  entry: Pick<WebhookReport, 'attributes'> | undefined,
  call: { readonly method: string; readonly path: string },
  command: ClientCommand | undefined,
): string {
  if (entry !== undefined) {
    const { operation, kind, namespace, name, subResource, dryRun } = entry.attributes;
    const place = [namespace, name].filter(part => part !== '').join('/');
    return [operation, kind.kind, subResource === '' ? place : `${place} ${subResource}`, dryRun ? '(dry run)' : '']
      .filter(part => part !== '')
      .join(' ');
  }
  if (command === undefined) return `${call.method} ${call.path.split('?')[0]}`;
  const place = [command.namespace, command.name].filter(part => part !== '').join('/');
  return `${ownMember(operations, call.method) ?? 'CONNECT'} ${command.kind.kind} ${place}${command.dryRun ? ' (dry run)' : ''}`.trimEnd();
}

/** A second round without calls is normal, and omitted. */
function hasOwnLine({ outcome, skipReason }: WebhookReport): boolean {
  return outcome !== 'skipped' || skipReason?.predicate !== 'reinvocation';
}

/** Explains why no webhook was called. */
export function withoutWebhooks(isAllowed: boolean): string {
  return isAllowed ? 'no webhook is registered for this call' : 'no webhook was called: the API server refused the call first';
}

/** Policies and webhooks in the API server's order of evaluation. */
function rowsOf({ webhooks, policies = [] }: Report, palette: Palette): ReportRow[] {
  return (['mutating', 'validating'] as const).flatMap(phase => [
    ...policies.filter(entry => entry.phase === phase && isPolicyNews(entry)).map(entry => policyRow(entry, palette)),
    ...webhooks.filter(entry => entry.phase === phase && hasOwnLine(entry)).map(entry => webhookRow(entry, palette)),
  ]);
}

function webhookRow(entry: WebhookReport, palette: Palette): ReportRow {
  return {
    phase: entry.phase,
    name: entry.webhook + (entry.round > 1 ? ' (again)' : ''),
    outcome: outcomeOf(entry),
    color: colorOf(entry, palette),
    durationMs: entry.durationMs,
    ...explanation(entry),
  };
}

function rowLines(rows: readonly ReportRow[], isAllowed: boolean, palette: Palette): string[] {
  if (rows.length === 0) return [palette.quiet(`  ${withoutWebhooks(isAllowed)}`)];
  const width = Math.max(...rows.map(({ name }) => printable(name).length));
  const outcomeWidth = Math.max(...rows.filter(row => row.durationMs !== undefined).map(({ outcome }) => outcome.length), 0);
  return rows.flatMap(({ phase, name, outcome, color, durationMs, reason, explanation: more }) => {
    const time =
      durationMs === undefined
        ? ''
        : palette.quiet(`${' '.repeat(Math.max(outcomeWidth - outcome.length, 0))}  ${durationMs.toFixed(1)} ms`);
    return [
      `  ${phase.padEnd(10)}  ${printable(name).padEnd(width)}  ${color(outcome)}${time}`,
      ...reason.flatMap(line => colored(`    ${printable(line)}`, palette.strong, palette)),
      ...more.flatMap(line => wrappedLines(`    ${printable(line)}`, palette.columns)),
    ];
  });
}

function outcomeOf(entry: WebhookReport): string {
  if (entry.outcome === 'allowed' && entry.change === undefined) return 'allowed';
  if (entry.outcome === 'allowed') return isSame(entry.change) ? 'allowed, its patch changed nothing' : 'allowed, changed the object';
  if (entry.outcome === 'denied') return 'denied';
  if (entry.outcome === 'skipped') return entry.skipReason === undefined ? 'skipped' : printable(skippedText(entry.skipReason));
  if (entry.outcome === 'callFailed') return entry.failurePolicy === 'Ignore' ? 'failed, ignored' : 'failed';
  return entry.skipReason === undefined
    ? 'internal error'
    : printable(`refused by ${entry.skipReason.predicate}: ${entry.skipReason.detail}`);
}

/** The labels that were found, and the requirements of the selector. */
function skippedText({ predicate, detail, wants }: NonNullable<WebhookReport['skipReason']>): string {
  return `skipped by ${predicate}: ${detail}${wants === undefined ? '' : `, and it wants ${wants}`}`;
}

function isSame(change: WebhookReport['change']): boolean {
  return change?.before === change?.after;
}

function colorOf(entry: WebhookReport, palette: Palette): (text: string) => string {
  if (entry.outcome === 'allowed') return palette.good;
  if (entry.outcome === 'skipped') return palette.quiet;
  return entry.outcome === 'callFailed' && entry.failurePolicy === 'Ignore' ? palette.warning : palette.bad;
}

/** Why a webhook refused, or could not be called. */
function explanation({ outcome, status, failure, attributes }: WebhookReport): Pick<ReportRow, 'reason' | 'explanation'> {
  const denial =
    outcome === 'denied' ? stringAt(toMap(status), 'message').replace(/^admission webhook "[^"]*" denied the request:? /, '') : '';
  const reason = [...denial.split('\n'), ...(failure === undefined ? [] : [failure.message])].filter(line => line !== '');
  if (/^without explanation$/.test(denial.replace(/^.* denied the request /, '')))
    return { reason, explanation: ['try: say why in response.status.message, which kubectl prints'] };
  if (failure === undefined) return { reason, explanation: [] };
  // The usual crash of a handler that reads the object of every request.
  const isDeletion = attributes.operation === 'DELETE' && (failure.class === 'tcp' || failure.class === 'http');
  const deletion = isDeletion ? ['in a review of DELETE, request.object is null: the object is request.oldObject'] : [];
  return { reason, explanation: [`${failure.fault}: ${failure.why}`, ...deletion, `try: ${failure.try}`] };
}

function toMap(status: WebhookReport['status']): Map<string, string> {
  return new Map(Object.entries(status ?? {}).flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
}

function changeLines(name: string, { round, change }: Pick<WebhookReport, 'round' | 'change'>, palette: Palette): string[] {
  if (change === undefined || isSame(change)) return [];
  const lines = objectDiff(change, palette);
  const heading = `changes by ${printable(name)}${round > 1 ? ' when called again' : ''}:`;
  return ['', `  ${palette.place(heading)}`, ...lines.map(line => `  ${line}`)];
}

function kubectlText(command: ClientCommand | undefined, lines: readonly string[], palette: Palette): string[] {
  const shown = lines.map(line => {
    const text = printable(line);
    return text.startsWith('Warning: ') ? palette.warning('Warning: ') + text.slice('Warning: '.length) : text;
  });
  return command === undefined ? shown : [palette.quiet(`# ${shellCommand(['kubectl', ...command.words])}`), ...shown];
}
