import { parseTree, type Tree } from '../compare/json-tree.js';
import type { RecordedReview } from '../compare/reviews.js';

/** Review in a conversion case, with the endpoint's reply. */
export interface ConversionReview extends RecordedReview {
  readonly path: string;
  readonly reply?: Reply;
}

export interface Reply {
  readonly kind: 'http' | 'slow' | 'partial' | 'close';
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly base64?: string;
  readonly seconds?: number;
}

/**
 * A recorded reply's body for the review received: values that the recorded review had at volatile places are replaced by the received
 * ones.
 */
export function bodyFor({ body: recorded, volatile = [], reply }: ConversionReview, received: string): Buffer {
  const change = (text: string): string => substituted(text, { recorded, received, volatile });
  if (reply?.base64 !== undefined) return inBytes(Buffer.from(reply.base64, 'base64'), change);
  const text = (reply?.body ?? '').replace(/\{\{repeat:(.):(\d+)\}\}/g, (_, letter: string, times: string) => letter.repeat(Number(times)));
  return Buffer.from(change(text).replaceAll('{{uid}}', /"request":\{"uid":"([^"]*)"/.exec(received)?.[1] ?? ''));
}

function inBytes(bytes: Buffer, change: (text: string) => string): Buffer {
  const uidIn = (text: string): string => change(text);
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe)
    return Buffer.concat([bytes.subarray(0, 2), Buffer.from(uidIn(bytes.subarray(2).toString('utf16le')), 'utf16le')]);
  return Buffer.from(uidIn(bytes.toString('latin1')), 'latin1');
}

interface Bodies {
  readonly recorded: string;
  readonly received: string;
  readonly volatile: readonly string[];
}

function substituted(text: string, { recorded, received, volatile }: Bodies): string {
  const [before, after] = [parseTree(recorded), parseTree(received)];
  let out = text;
  for (const pointer of volatile) {
    const [old, now] = [at(before, pointer), at(after, pointer)];
    if (typeof old === 'string' && typeof now === 'string' && old.length > 4) out = out.replaceAll(old, now);
  }
  return out.replaceAll('{{uid}}', String(at(after, '/request/uid') ?? ''));
}

function at(tree: Tree, pointer: string): Tree | undefined {
  let found: Tree | undefined = tree;
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(found)) found = found[Number(key)];
    else if (typeof found === 'object' && found !== null) found = (found as Record<string, Tree>)[key];
    else return undefined;
  }
  return found;
}
