import { isIP } from 'node:net';
import { readUnstructured } from '../../encoding/unstructured.js';
import { quoteMeta } from '../../go/quote-meta.js';
import { isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { generatedSuffix } from '../../kubernetes/generated-names.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';
import { differencesBetween, shownDifference } from './differences.js';
import type { WebhooksAtFault } from './webhook-at-fault.js';

/** An answer to compare: of this program or of a cluster. */
export interface ComparedAnswer {
  readonly status: number;
  readonly warnings: readonly string[];
  readonly body: string;
}

/** Differences; each is printed as a finding. */
const maxDifferences = 20;
const longestCause = 300;

/** Two answers to one call. */
export interface ComparedAnswers {
  readonly mine: ComparedAnswer;
  readonly theirs: ComparedAnswer;
  /** Text of the request and of the stored object. */
  readonly given: string;
  readonly webhooks: WebhooksAtFault;
}

/** A difference: the webhook that it is about, empty for none, and a sentence, which continues its name. */
export interface AnswerDifference {
  readonly webhook: string;
  readonly message: string;
}

/**
 * Returns the differences between a cluster's answer and ours. Values that only the API server can know are ignored: those that neither the
 * request nor the stored object contains.
 */
export function answerDifferences({ mine, theirs, given, webhooks }: ComparedAnswers): AnswerDifference[] {
  const [here, there] = [documentIn(mine.body), documentIn(theirs.body)];
  if (mine.status !== theirs.status) {
    const message = `the cluster answers ${summaryOf(theirs, there)}, and here the answer is ${summaryOf(mine, here)}`;
    const webhook = webhooks.ofMessages([there, here].map(document => stringAt(document, 'message')));
    return [{ webhook, message: webhook === '' ? message : `decides otherwise: ${message}` }];
  }
  const warnings = warningDifferences(mine, theirs, webhooks);
  if (here === undefined || there === undefined) {
    if (mine.body === theirs.body) return warnings;
    return [ofNone(`the cluster answers ${JSON.stringify(theirs.body)}, and here the answer is ${JSON.stringify(mine.body)}`)];
  }
  const generateName = /"generateName"\s*:\s*"([^"\\]+)"/.exec(given)?.[1] ?? '';
  const isList = there.has('items');
  const causes = causeDifferences(here, there, text => maskedText(text, given, generateName)).map(ofNone);
  const found = differencesBetween(withoutCauses(there), withoutCauses(here)).filter(
    ({ path, a, b }) => !isServersOwn({ path, theirs: a, mine: b, given, generateName, isList }),
  );
  const fields = found.slice(0, maxDifferences).map(({ path, a, b }): AnswerDifference => {
    const webhook = path === '' ? '' : webhooks.ofField(path);
    const values = `is ${shownDifference(a)} in the cluster, and ${shownDifference(b)} here`;
    return { webhook, message: webhook === '' ? `${path === '' ? 'the answer' : path} ${values}` : `changes ${path}, which ${values}` };
  });
  const more = found.length - maxDifferences;
  return [...warnings, ...causes, ...fields, ...(more > 0 ? [ofNone(`${more} more fields differ`)] : [])];
}

function ofNone(message: string): AnswerDifference {
  return { webhook: '', message };
}

function documentIn(body: string): ValueMap | undefined {
  try {
    const document = readUnstructured(body);
    return isMap(document) ? document : undefined;
  } catch {
    return undefined;
  }
}

function summaryOf({ status }: ComparedAnswer, document: ValueMap | undefined): string {
  const message = stringAt(document, 'message');
  return message === '' ? String(status) : `${status} ${JSON.stringify(message)}`;
}

/** Webhooks run in parallel, so the order of their warnings is ignored. */
function warningDifferences(mine: ComparedAnswer, theirs: ComparedAnswer, webhooks: WebhooksAtFault): AnswerDifference[] {
  const missing = theirs.warnings.filter(text => !mine.warnings.includes(text));
  const surplus = mine.warnings.filter(text => !theirs.warnings.includes(text));
  return [
    ...missing.map(text => ofNone(`the cluster warns ${JSON.stringify(text)}, and nothing does here`)),
    ...surplus.map((text): AnswerDifference => {
      const webhook = webhooks.ofWarning(text);
      const warning = JSON.stringify(text);
      return {
        webhook,
        message: webhook === '' ? `the warning ${warning} is not the cluster's` : `warns ${warning}, and not in the cluster`,
      };
    }),
  ];
}

/** Several field errors are in the random order of Go's maps. */
function causeDifferences(here: ValueMap, there: ValueMap, masked: (text: string) => string): string[] {
  const [own, others] = [here, there].map(document => causesOf(document).map(masked));
  return [
    ...(others ?? [])
      .filter(cause => own?.includes(cause) !== true)
      .map(cause => `the cluster refuses ${shortened(cause)}, and that is not refused here`),
    ...(own ?? [])
      .filter(cause => others?.includes(cause) !== true)
      .map(cause => `${shortened(cause)} is refused here, and not in the cluster`),
  ];
}

/** Some messages contain whole objects. */
function shortened(message: string): string {
  const text = textWithoutSecrets(message);
  return text.length > longestCause ? `${text.slice(0, longestCause)}...` : text;
}

function causesOf(document: ValueMap): string[] {
  return listAt(document, 'details', 'causes').map(cause => `${stringAt(cause, 'field')}: ${stringAt(cause, 'message')}`);
}

/** Causes are compared on their own, and so is the message that is made of them. */
function withoutCauses(document: ValueMap): ValueMap {
  if (stringAt(document, 'kind') !== 'Status' || causesOf(document).length === 0) return document;
  const details = new Map([...(mapAt(document, 'details') ?? [])].filter(([key]) => key !== 'causes'));
  return new Map<string, Value>([...[...document].filter(([key]) => key !== 'message'), ['details', details]]);
}

/** A field that differs between two answers. */
interface DifferentField {
  /** JSON pointer. */
  readonly path: string;
  readonly theirs: Value | undefined;
  readonly mine: Value | undefined;
  /** Text of all inputs of both answers. */
  readonly given: string;
  readonly generateName: string;
  /** Is it a field of a list? */
  readonly isList: boolean;
}

/** Reports whether two values differ only in server-generated parts: uids, times, random names, allocated addresses and ports. */
function isServersOwn({ path, theirs, mine, given, generateName, isList }: DifferentField): boolean {
  if (typeof theirs === 'bigint' && typeof mine === 'bigint') return allocatedPorts.test(path) && !given.includes(String(theirs));
  // The version of a list is that of the whole cluster.
  if (path === '/metadata/resourceVersion' && isList) return true;
  if (typeof theirs !== 'string' || typeof mine !== 'string') return false;
  if (allocatedAddresses.test(path)) return isIP(theirs) !== 0 && isIP(mine) === isIP(theirs) && !given.includes(`"${theirs}"`);
  const masked = (text: string): string => maskedText(text, given, generateName);
  return masked(theirs) === masked(mine);
}

const allocatedPorts = /^\/spec\/(?:healthCheckNodePort|ports\/\d+\/nodePort)$/;
const allocatedAddresses = /^\/spec\/(?:clusterIP|clusterIPs\/\d+)$/;

const uid = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g;
const tokenVolume = new RegExp(`\\bkube-api-access-${generatedSuffix}\\b`, 'g');

/** Masks uids, times and random names. Values that were given are kept: they must be the same. */
function maskedText(text: string, given: string, generateName: string): string {
  const unlessGiven = (mask: string) => (found: string) => (given.includes(found) ? found : mask);
  const masked = text
    .replace(uid, unlessGiven('<uid>'))
    .replace(time, unlessGiven('<time>'))
    .replace(tokenVolume, unlessGiven('kube-api-access-<suffix>'));
  if (generateName === '') return masked;
  return masked.replace(new RegExp(`${quoteMeta(generateName)}${generatedSuffix}(?![a-z0-9])`, 'g'), `${generateName}<suffix>`);
}
