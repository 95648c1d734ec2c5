import { memoizeStrings } from '../../kubernetes/memoize.js';

/** Clause of an Accept header. */
export interface AcceptClause {
  readonly type: string;
  readonly subtype: string;
  readonly quality: number;
  readonly parameters: ReadonlyMap<string, string>;
}

/** A call's header is read several times, and clients send few different ones. */
const headersKept = 100;

/** Parses an Accept header into clauses by preference; invalid clauses are skipped. Source: munnerz/goautoneg ParseAccept. */
export const parseAccept: (header: string) => readonly AcceptClause[] = memoizeStrings(headersKept, header => {
  const clauses = header.split(',').flatMap(clause => clauseOf(clause) ?? []);
  // Go sorts short slices by insertion; the result differs because the order is not strict.
  for (let i = 1; i < clauses.length; i += 1) {
    for (let j = i; j > 0; j -= 1) {
      const [before, clause] = [clauses[j - 1], clauses[j]];
      if (before === undefined || clause === undefined || !isPreferred(clause, before)) break;
      clauses[j - 1] = clause;
      clauses[j] = before;
    }
  }
  return clauses;
});

function isPreferred(a: AcceptClause, b: AcceptClause): boolean {
  return a.quality > b.quality || (a.type !== '*' && b.type === '*') || (a.subtype !== '*' && b.subtype === '*');
}

function clauseOf(text: string): AcceptClause | undefined {
  const [range = '', ...rest] = trimmed(text).split(';');
  const parts = range.split('/');
  const type = trimmed(parts[0] ?? '');
  if (parts.length > 2 && parts.slice(2).join('/') !== '') return undefined;
  if ((parts[1] ?? '') === '' && type !== '*') return undefined;
  const subtype = (parts[1] ?? '') === '' ? '*' : trimmed(parts[1] ?? '');
  const parameters = new Map<string, string>();
  let quality = 1;
  for (const parameter of rest) {
    const [name = '', value = '', ...more] = parameter.split('=');
    if (value === '' || more.join('=') !== '') continue;
    if (trimmed(name) === 'q') quality = floatOf(value);
    else parameters.set(trimmed(name), trimmed(value));
  }
  return { type, subtype, quality, parameters };
}

function trimmed(text: string): string {
  return text.replace(/^ +| +$/g, '');
}

/** Parses a number; an invalid one is zero. */
function floatOf(text: string): number {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : 0;
}

/** Reports whether a route that produces these types matches the header. Source: emicklei/go-restful Route.matchesAccept. */
export function matchesRoute(header: string, produced: readonly string[]): boolean {
  const accepted = (header === '' ? '*/*' : header).split(',').map(type => trimmed(type.split(';', 1)[0] ?? ''));
  return accepted.some(type => type === '*/*' || produced.includes(type));
}
