import { printable } from '../../../writers/printable.js';
import type { Surroundings } from '../../shell/surroundings.js';
import { type ConsentSubject, formerParts, trust } from './consent.js';

/** A file that needs consent, and what in it does, a line each: `exec: go run .`. */
export interface Untrusted {
  /** Relative to the working directory. */
  readonly file: string;
  readonly subject: ConsentSubject;
  readonly parts: readonly string[];
}

/** Returns what in a file needs consent and differs from its last consent, with `+` and `-`; undefined if it never had one. */
export function changedParts({ subject, parts }: Untrusted, env: Surroundings['env']): string[] | undefined {
  const former = formerParts(subject, env);
  if (former === undefined) return undefined;
  return [
    ...former.filter(part => !parts.includes(part)).map(part => `- ${part}`),
    ...parts.filter(part => !former.includes(part)).map(part => `+ ${part}`),
  ];
}

type Asking = Pick<Surroundings, 'env' | 'stderr' | 'stdin'>;

/** Asks at a terminal whether to trust a file, and records a consent. Returns false without a terminal, and for every other answer. */
export async function askForTrust(untrusted: Untrusted, { env, stderr, stdin }: Asking): Promise<boolean> {
  if (!stdin.isTerminal || !stderr.isTerminal || stdin.keys === undefined) return false;
  const changed = changedParts(untrusted, env);
  const file = printable(untrusted.file);
  stderr.write(`${file} ${changed === undefined ? 'is not trusted yet. It sets' : 'changed since you trusted it:'}\n`);
  for (const part of changed ?? untrusted.parts) stderr.write(`  ${printable(part).trimEnd().replaceAll('\n', '\n    ')}\n`);
  stderr.write('Trust it? y: yes, any other key: no ');
  const keys = stdin.keys()[Symbol.asyncIterator]();
  try {
    const { value } = await keys.next();
    const isYes = value === 'y' || value === 'Y';
    stderr.write(`${isYes ? 'yes' : 'no'}\n`);
    return isYes && trust(untrusted.subject, env, untrusted.parts);
  } finally {
    await keys.return?.();
  }
}
