import type { CallReport } from '../client/run/call-report.js';
import { writeYaml } from '../encoding/yaml-writer.js';
import { writeValue } from '../go/json/write.js';
import { hostInUrl, joinHostPort } from '../go/net/host-port.js';
import { stringAt } from '../go/value.js';
import type { WebhookExchange } from '../kubernetes/webhook-call.js';
import { printable } from '../writers/printable.js';
import { shellCommand } from '../writers/shell.js';
import { workflowCommand } from '../writers/workflow-command.js';
import { objectDiff } from './diff.js';
import type { Palette } from './palette.js';
import type { StreamFormat } from './report-formats.js';

/** Renderers of formats that print one part of each report. */
export const singleParts = {
  diff: diffReport,
  object: objectReport,
  patch: patchReport,
  response: responseReport,
  request: requestReport,
  curl: curlReport,
  name: nameReport,
  github: githubCommands,
} satisfies Partial<Record<StreamFormat, unknown>>;

/** `-o diff`: the changes of each mutating webhook. */
function diffReport(reports: readonly CallReport[], { palette }: { readonly palette: Palette }): string {
  const blocks = reports.flatMap(({ report }) =>
    report.webhooks.flatMap(entry => {
      if (entry.change === undefined) return [];
      const { namespace, name, kind } = entry.attributes;
      const subject = [kind.kind, [namespace, name].filter(part => part !== '').join('/')].join(' ').trimEnd();
      return [palette.place(printable(`# ${subject}: ${entry.webhook}`)), ...objectDiff(entry.change, palette)];
    }),
  );
  return lines(blocks);
}

/** `-o object`: the objects returned to the client, as YAML documents. */
function objectReport(reports: readonly CallReport[]): string {
  return reports.flatMap(({ report }) => (report.decision.object === undefined ? [] : [writeYaml(report.decision.object)])).join('---\n');
}

/** `-o patch`: the webhooks' patches, one per line. */
function patchReport(reports: readonly CallReport[]): string {
  return lines(
    reports.flatMap(({ report }) => report.webhooks.flatMap(({ patch }) => (patch.length === 0 ? [] : [writeValue([...patch], 'kept')]))),
  );
}

/** `-o response`: the bodies of the webhooks' answers, one per line. */
function responseReport(reports: readonly CallReport[]): string {
  return lines(
    exchangesOf(reports).flatMap(({ answer }) =>
      answer.outcome === 'answered' ? [Buffer.from(answer.body).toString('utf8').trimEnd()] : [],
    ),
  );
}

/** `-o request`: the bodies as sent, one per line. */
export function requestReport(reports: readonly CallReport[]): string {
  return lines(exchangesOf(reports).map(({ call }) => call.body.trimEnd()));
}

/** `-o curl`: commands that send the same bodies. */
export function curlReport(reports: readonly CallReport[]): string {
  return lines(exchangesOf(reports).map(curlCommand));
}

/** `-o name`: `pod/a allowed`. */
function nameReport(reports: readonly CallReport[]): string {
  return lines(reports.map(each => printable(`${nameOf(each)} ${outcomeOf(each)}`)));
}

function nameOf({ report, command }: CallReport): string {
  const attributes = report.webhooks[0]?.attributes;
  const kind = attributes?.kind ?? command?.kind;
  const name = attributes?.name ?? command?.name ?? '';
  if (kind === undefined) return report.call.path.split('?')[0] ?? '';
  return `${[kind.kind.toLowerCase(), kind.group].filter(part => part !== '').join('.')}/${name}`;
}

function outcomeOf({ report: { decision, webhooks } }: CallReport): string {
  if (decision.allowed) return 'allowed';
  return webhooks.some(entry => entry.outcome === 'denied') ? 'denied' : 'refused';
}

/** `-o github`: workflow commands that GitHub shows next to the manifests; nothing for a call that is allowed without a warning. */
function githubCommands(reports: readonly CallReport[]): string {
  return reports
    .flatMap(each => {
      const { report, command, findings } = each;
      const { allowed, status, warnings } = report.decision;
      const place = { file: command?.source === 'STDIN' ? undefined : command?.source, title: `${nameOf(each)} ${outcomeOf(each)}` };
      return [
        ...(allowed ? [] : [workflowCommand('error', place, stringAt(status, 'message'))]),
        ...warnings.map(text => workflowCommand('warning', place, text)),
        ...findings.map(({ webhook, message }) => workflowCommand('error', place, `${webhook} ${message}`)),
      ];
    })
    .join('');
}

function exchangesOf(reports: readonly CallReport[]): WebhookExchange[] {
  return reports.flatMap(({ exchanges }) => exchanges);
}

function curlCommand(exchange: WebhookExchange): string {
  const { body, url } = exchange.call;
  return `${curlStart(exchange)} ${shellCommand(['--data-binary', body.trimEnd(), url])}`;
}

/** Returns the curl command of a request, up to its body and URL. */
export function curlStart({ call }: Pick<WebhookExchange, 'call'>): string {
  const { hostname, port, protocol } = new URL(call.url);
  const urlPort = port === '' ? (protocol === 'http:' ? '80' : '443') : port;
  const host = hostInUrl(call.address.host);
  const elsewhere =
    hostname !== host || urlPort !== String(call.address.port)
      ? ['--connect-to', `${hostname}:${urlPort}:${joinHostPort(call.address.host, call.address.port)}`]
      : [];
  // Through stdin, because only some shells have process substitution.
  const [before, bundle]: readonly [string, readonly string[]] =
    call.caBundle === undefined
      ? ['', []]
      : [`${shellCommand(['echo', Buffer.from(call.caBundle).toString('base64')])} | base64 -d | `, ['--cacert', '/dev/stdin']];
  const limits = ['--max-time', String(call.timeoutSeconds)];
  const headers = ['-H', 'Content-Type: application/json', '-H', 'Accept: application/json, */*'];
  return `${before}${shellCommand(['curl', ...limits, ...elsewhere, ...bundle, ...headers])}`;
}

function lines(texts: readonly string[]): string {
  return texts.map(text => `${text}\n`).join('');
}
