import { CliError, printLocation } from '../../client/cli-error.js';
import { printable } from '../../writers/printable.js';
import { type ExitCode, exitCodeOfError, exitCodes } from './exit-codes.js';
import type { Surroundings } from './surroundings.js';

/** Prints an error as one sentence on stderr or as an Error document on stdout, and returns the exit code. */
export function printError(error: unknown, asJson: boolean, surroundings: Surroundings): ExitCode {
  const known = error instanceof CliError ? error : undefined;
  if (asJson) surroundings.stdout.write(`${JSON.stringify(errorDocument(error), null, 2)}\n`);
  else if (known !== undefined) surroundings.stderr.write(`${sentencesOf(known).join('\n')}\n`);
  if (known === undefined) surroundings.stderr.write(bugReport(error));
  return known === undefined ? exitCodes.bug : exitCodeOfError(known);
}

/** Reports whether the arguments request JSON. Works for invalid arguments, too: their error is printed in the same format. */
export function asksForJson(argv: readonly string[], env: Surroundings['env']): boolean {
  const end = argv.indexOf('--');
  const flags = end < 0 ? argv : argv.slice(0, end);
  const given = flags.flatMap((word, i) => {
    if (word === '-o' || word === '--output') return [flags[i + 1] ?? ''];
    const joined = /^(?:--output=|-o=?)(.+)$/.exec(word);
    return joined === null ? [] : [joined[1] ?? ''];
  });
  return (given.at(-1) ?? env['WEBHOOK_CLI_OUTPUT']) === 'json';
}

const maxSentences = 20;

function sentencesOf(error: CliError): string[] {
  const sentences = [error, ...error.others].map(sentenceOf);
  const more = sentences.length - maxSentences;
  return more > 0 ? [...sentences.slice(0, maxSentences), `... and ${more} more ${more === 1 ? 'error' : 'errors'}`] : sentences;
}

/** `error: pod.yaml:4:3: found a tab; indent with spaces` */
export function sentenceOf({ message, location, suggestions }: CliError): string {
  const where = location === undefined ? '' : `${printLocation(location)}: `;
  const advice = suggestions.length === 0 ? '' : `; ${suggestions.join(', or ')}`;
  return printable(`error: ${where}${message}${advice}`);
}

/** Returns the Error document of an exception. */
export function errorDocument(error: unknown): object {
  const base = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'Error' };
  if (!(error instanceof CliError)) return { ...base, code: 'bug', message: messageOf(error), location: null, suggestions: [] };
  const { code, message, location, suggestions, others } = error;
  const place = location === undefined ? null : { file: location.file, line: location.line ?? null, column: location.column ?? null };
  const further = others.length === 0 ? {} : { others: others.map(errorDocument) };
  return { ...base, code, message, location: place, suggestions, ...further };
}

function bugReport(error: unknown): string {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return `bug: ${messageOf(error)}\nThis is a bug in webhook-cli: please report it to the maintainers, with the command and this output.\n${stack}\n`;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
