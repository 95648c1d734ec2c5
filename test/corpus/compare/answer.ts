import { createHash } from 'node:crypto';
import { firstLeaf, isObject, parseTree, printTree, sameLeaves, type Tree } from './json-tree.js';
import { masked } from './mask.js';

/** Answer in a recorded case. */
export interface RecordedAnswer {
  readonly status: number;
  readonly warnings?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Replaces a body that was too long to record. */
  readonly bodySha256?: string;
  readonly bodyLength?: number;
}

/** Answer of the project. */
export interface ProducedAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Parts that may differ between two answers. */
export interface Leeway {
  /** JSON pointers to random values and times in the body. */
  readonly volatile?: readonly string[] | undefined;
  /** Field errors may come in any order. */
  readonly unordered?: boolean | undefined;
}

/**
 * Describes how an answer differs from the recorded one; undefined if it does not. Compares status, warnings in order, and recorded
 * headers; bodies with a Status (or no JSON object) byte for byte, other objects by their leaves.
 */
export function answerDifference(recorded: RecordedAnswer, produced: ProducedAnswer | undefined, leeway: Leeway = {}): string | undefined {
  if (produced === undefined) return 'answer: none produced';
  if (recorded.status !== produced.status)
    return `status: recorded ${recorded.status}, produced ${produced.status}; ${produced.body.slice(0, 300)}`;
  const [asked, given] = [recorded.warnings ?? [], produced.warnings].map(texts => JSON.stringify(texts.map(warningText)));
  if (asked !== given) return `warnings: recorded ${asked}, produced ${given}`;
  return headersDifference(recorded, produced) ?? bodyDifference(recorded, produced.body, leeway);
}

/** The text of a warning: some recordings and products have the whole header, `299 - "..."`. */
function warningText(warning: string): string {
  const quoted = /^299 - "(.*)"$/s.exec(warning)?.[1];
  return quoted === undefined ? warning : quoted.replace(/\\(.)/gs, '$1');
}

/** Describes how two texts differ, with the values at the pointers masked; undefined if they do not. */
export function textDifference(
  what: string,
  texts: { readonly recorded: string; readonly produced: string | undefined },
  pointers: readonly string[] = [],
): string | undefined {
  if (texts.produced === undefined) return `${what}: none produced`;
  if (texts.recorded === texts.produced) return undefined;
  const a = masked(texts.recorded, pointers);
  const b = masked(texts.produced, pointers);
  return a === b ? undefined : `${what} ${firstCharacter(a, b)}`;
}

/** Describes how the leaves of two trees differ; undefined if they do not. */
export function treeDifference(what: string, recorded: Tree, produced: Tree): string | undefined {
  return sameLeaves(recorded, produced) ? undefined : `${what}${firstLeaf(recorded, produced)}`;
}

/** Reports whether the body is a Status. */
export function isStatusTree(tree: Tree): tree is { [key: string]: Tree } {
  return isObject(tree) && (tree['kind'] === 'Status' || tree['status'] === 'Failure');
}

function headersDifference(recorded: RecordedAnswer, produced: ProducedAnswer): string | undefined {
  const found = new Map(Object.entries(produced.headers).map(([name, value]) => [name.toLowerCase(), value]));
  for (const [name, value] of Object.entries(recorded.headers ?? {})) {
    const other = found.get(name.toLowerCase());
    if (other !== value) return `header ${name}: recorded ${value}, produced ${other ?? 'none'}`;
  }
  return undefined;
}

function bodyDifference(recorded: RecordedAnswer, body: string, { volatile = [], unordered = false }: Leeway): string | undefined {
  if (recorded.bodySha256 !== undefined) {
    if (createHash('sha256').update(body).digest('hex') === recorded.bodySha256) return undefined;
    return `body: another hash; length recorded ${recorded.bodyLength ?? '?'}, produced ${Buffer.byteLength(body)}; ${body.slice(0, 300)}`;
  }
  if (recorded.body === undefined || recorded.body === body || volatile.includes('')) return undefined;
  const [a, b] = unordered ? [sortedErrors(recorded.body), sortedErrors(body)] : [recorded.body, body];
  const [maskedA, maskedB] = [masked(a, volatile), masked(b, volatile)];
  // Most bodies: parsing them takes longer.
  if (maskedA === maskedB) return undefined;
  const tree = parseTree(a);
  if (isStatusTree(tree) || !isObject(tree)) return textDifference('body', { recorded: a, produced: b }, volatile);
  return treeDifference('object ', parseTree(maskedA), parseTree(maskedB));
}

/** A Status whose field errors come in random order, with its message taken apart and its causes sorted. */
function sortedErrors(text: string): string {
  const tree = parseTree(text);
  if (!isStatusTree(tree)) return text;
  const message = String(tree['message']).split(/, |[[\]]/);
  const details = tree['details'];
  const sorted: Tree = { ...tree, message: message.sort() };
  if (isObject(details)) {
    const causes = Array.isArray(details['causes']) ? details['causes'] : [];
    sorted['details'] = { ...details, causes: [...causes].sort((a, b) => (printTree(a) < printTree(b) ? -1 : 1)) };
  }
  return printTree(sorted);
}

/** Returns the first difference of two texts, with some context. */
function firstCharacter(a: string, b: string): string {
  let i = 0;
  while (i < a.length && i < b.length && a[i] === b[i]) i += 1;
  const from = Math.max(0, i - 60);
  return `at ${i}: recorded ...${JSON.stringify(a.slice(from, i + 100))}\nproduced ...${JSON.stringify(b.slice(from, i + 100))}`;
}
