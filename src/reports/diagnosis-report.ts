import type { ErrorFault } from '../client/errors/known-error.js';
import type { FailureClass } from '../kubernetes/webhook-call.js';
import { printable, withoutCommands } from '../writers/printable.js';
import type { Palette } from './palette.js';
import { wrappedLines } from './wrapped.js';

/** Explanation of an API server error. */
export interface Diagnosis {
  /** The API server's own message, without the prefix of a client or log. */
  readonly message: string;
  /** Stable id of the cause: scripts may rely on it. */
  readonly cause: string;
  /** As in the reports of `review`; null if no call to a webhook failed. */
  readonly class: FailureClass | null;
  /** Component at fault; null if the text does not show it. */
  readonly fault: ErrorFault;
  readonly why: string;
  readonly try: string;
  /** Parts of the message; null if it does not contain them. */
  readonly webhook: string | null;
  readonly url: string | null;
  /** `NS/NAME:PORT` */
  readonly service: string | null;
  /** Whether failurePolicy Ignore allows such a call; null if the policy does not apply. */
  readonly ignorable: boolean | null;
  readonly reproduce: Reproduction;
}

/** The command that reproduces the error here, and where to get files that the message does not name. */
export interface Reproduction {
  readonly command: string;
  readonly files: readonly { readonly name: string; readonly from: string }[];
}

/** Text report: the message, and below it the explanation. */
export function diagnosisText(diagnoses: readonly Diagnosis[], palette: Palette): string {
  return `${diagnoses.map(diagnosis => linesOf(diagnosis, palette).join('\n')).join('\n\n')}\n`;
}

/** JSON report: a Diagnosis, or a DiagnosisList of several. */
export function diagnosisJson(diagnoses: readonly Diagnosis[]): string {
  const apiVersion = 'webhook-cli.dev/v1alpha1';
  const items = diagnoses.map(diagnosis => ({ apiVersion, kind: 'Diagnosis', ...diagnosis }));
  const document = items.length === 1 ? items[0] : { apiVersion, kind: 'DiagnosisList', items };
  return `${withoutCommands(JSON.stringify(document, undefined, 2))}\n`;
}

function linesOf(
  { message, cause, class: failureClass, fault, why, try: attempt, ignorable, reproduce }: Diagnosis,
  palette: Palette,
): string[] {
  const policy =
    ignorable === null
      ? []
      : [['policy', ignorable ? 'with failurePolicy Ignore, the call succeeds' : 'the call fails with any failurePolicy']];
  const rows = [
    ['cause', `${why} [${failureClass === null ? cause : `${failureClass}: ${cause}`}]`],
    ['fault', fault ?? 'not shown by this text'],
    ['try', attempt],
    ...policy,
    ['reproduce', reproduce.command],
    ...reproduce.files.map(({ name, from }) => ['', `${name} is ${from}`]),
  ];
  const messageLines = printable(message)
    .split('\n')
    .map(line => palette.strong(line));
  return [...messageLines, ...rows.flatMap(([label = '', text = '']) => rowLines(label, printable(text), palette))];
}

/** Commands are not wrapped: they are copied. */
function rowLines(label: string, text: string, { columns, place, quiet }: Palette): string[] {
  const start = `  ${label.padEnd(10)} `;
  if (label === 'reproduce') return [start + place(text)];
  const lines = wrappedLines(start + text, columns, start.length);
  return label === 'cause' ? lines.map(line => line.replace(/\[[^\]]*\]$/, id => quiet(id))) : lines;
}
