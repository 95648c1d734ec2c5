import type { Report } from '../apiserver/report/report.js';
import { isList, isMap, mapAt, type Value, type ValueMap } from '../go/value.js';
import { type HideKnown, knownSecrets } from '../redaction/known-secrets.js';
import { isAboutSecret } from '../redaction/review-secrets.js';
import { everyTime, type JsonSearch } from '../redaction/secrets.js';
import type { CaseOutput } from './results.js';

interface KnownSecretsOptions {
  /** Further bodies with secrets, as JSON. */
  readonly more?: readonly string[];
  /** Whether a text of the report may quote the object of the answer: all by default. */
  readonly mayQuote?: (report: Report) => boolean;
  /** The search in bodies. */
  readonly search?: JsonSearch;
}

/**
 * Returns a function that redacts, wherever they occur, the secrets that the calls of a case send: a webhook or a policy may quote them in a message, a patch
 * or an annotation.
 */
export function knownSecretsOf(
  { calls, conversion }: CaseOutput,
  { more = [], mayQuote = () => true, search = everyTime }: KnownSecretsOptions = {},
): HideKnown {
  const made = [...calls, ...(conversion === undefined ? [] : [conversion])];
  const steps = calls.flatMap(({ report }) => report.timing?.steps ?? []).flatMap(({ after }) => after ?? []);
  const bodies = new Set([...more, ...steps, ...made.flatMap(({ exchanges }) => exchanges.map(({ call }) => call.body))]);
  const known = [...bodies].flatMap(body => knownIn(search.read(body), search));
  const objects = calls.flatMap(({ report }) => (mayQuote(report) ? knownIn(report.decision.object, search) : []));
  const hiding = [...known, ...objects];
  if (hiding.length === 0) return text => text;
  return text => hiding.reduce((rest, hide) => hide(rest), text);
}

/** Nothing for a review or an object without secrets. */
function knownIn(value: Value | undefined, { clean: cleaned }: JsonSearch): HideKnown[] {
  if (!isMap(value)) return [];
  const request = mapAt(value, 'request');
  const clean = cleaned(isAboutSecret(value) ? withKinds(value) : value);
  if (clean === value) return [];
  return [
    knownSecrets([[value, clean]], request === undefined ? new Map<string, Value>([['request', new Map([['object', value]])]]) : value),
  ];
}

/** Handwritten reviews may omit the kind of their object. */
function withKinds(review: ValueMap): ValueMap {
  const request = mapAt(review, 'request');
  if (request === undefined) return review;
  const typed = [...request].map(([key, member]): [string, Value] => {
    const isObject = (key === 'object' || key === 'oldObject') && isMap(member) && !isList(member);
    return [key, isObject ? new Map<string, Value>([...member, ['apiVersion', 'v1'], ['kind', 'Secret']]) : member];
  });
  return new Map<string, Value>([...review, ['request', new Map(typed)]]);
}
