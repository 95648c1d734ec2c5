import { printable } from '../../../writers/printable.js';
import type { Verified, VerifySettings } from './verify-certificates.js';

/** Prints the JSON document. */
export function verificationJson(results: readonly Verified[], { at, minDays }: VerifySettings): string {
  const findings = results.filter(isFinding).length;
  const webhooks = results.map(({ message, why, try: fix, ...rest }) => ({
    ...rest,
    message: message ?? null,
    why: why ?? null,
    try: fix ?? null,
  }));
  return `${JSON.stringify({ apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'CertificateReport', at: at.toISOString(), minDays, findings, webhooks }, null, 2)}\n`;
}

/** Prints text: a line per webhook; for refused ones the API server's message, why, and what to do. */
export function verificationText(results: readonly Verified[], { minDays }: VerifySettings): string {
  const lines = results.flatMap(result => linesOf(result, minDays));
  const findings = results.filter(isFinding).length;
  const closing = findings === 0 ? 'no findings' : `${findings} ${findings === 1 ? 'finding' : 'findings'}`;
  return [...lines, closing].map(line => `${printable(line)}\n`).join('');
}

function isFinding({ outcome }: Verified): boolean {
  return outcome !== 'accepted' && outcome !== 'unfilled';
}

const marks = {
  accepted: 'ok       ',
  refused: 'refused  ',
  endsSoon: 'ends soon',
  unreachable: 'no answer',
  unfilled: 'unfilled ',
} as const;

function linesOf({ name, serverName, source, outcome, message, why, try: fix, notes }: Verified, minDays: number): string[] {
  const whom = serverName === '' ? '' : `: ${serverName}`;
  const where = source === '' ? '' : ` (${source})`;
  return [
    `${marks[outcome]}  ${name}${whom}${where}`,
    ...(message === undefined ? [] : [`           ${outcome === 'endsSoon' ? `in ${minDays} days: ` : ''}${message}`]),
    ...(why === undefined ? [] : [`           why: ${why}`]),
    ...(fix === undefined ? [] : [`           try: ${fix}`]),
    ...notes.map(note => `           note: ${note}`),
  ];
}
