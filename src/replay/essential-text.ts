import { createHash } from 'node:crypto';
import { quoteMeta } from '../go/quote-meta.js';
import { generatedSuffix } from '../kubernetes/generated-names.js';

/** Members that the API server generates, as they stand in compact JSON. */
const generated =
  /"(uid|resourceVersion|creationTimestamp|deletionTimestamp|time|lastTransitionTime|lastUpdateTime|lastProbeTime|lastHeartbeatTime|renewTime|selfLink)":"[^"\\]*"|"(generation|observedGeneration)":\d+/g;

/** Returns the text of an object without the values that the API server generates: objects that differ in nothing else are equal to webhooks. */
export function essentialText(json: string): string {
  return json.replace(generated, (_, text: string | undefined, number: string | undefined) => `"${text ?? number}":0`);
}

/** The id of a token or certificate, which is new with each of them. */
const credentialId = /("authentication\.kubernetes\.io\/credential-id":\[")[^"\\]*/g;

/** Returns the text of a user without the id of the credential. */
export function essentialUser(json: string): string {
  return json.replace(credentialId, '$1');
}

const volatileWords: readonly (readonly [RegExp, string])[] = [
  [/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b/gi, '<uid>'],
  [/\bsha256:[0-9a-f]{16,}/gi, '<digest>'],
  [/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)/g, '<time>'],
  [/\b\d+(?:\.\d+)?(?:ms|µs|s)\b/g, '<duration>'],
  [/\b\d{5,}\b/g, '<number>'],
];

interface Named {
  readonly namespace: string;
  readonly name: string;
  readonly generateName?: string;
}

/** Returns a message without the parts that differ between equal failures: names of the object, ids, times. */
export function normalizedMessage(message: string, { namespace, name, generateName = '' }: Named): string {
  const ungenerated =
    generateName === '' ? message : message.replace(new RegExp(`${quoteMeta(generateName)}${generatedSuffix}`, 'g'), '<name>');
  const named = withoutWord(withoutWord(ungenerated, name, '<name>'), namespace, '<namespace>');
  return volatileWords.reduce((text, [pattern, word]) => text.replace(pattern, word), named).slice(0, 1000);
}

/** Replaces a name where it stands alone. Names of one character are parts of too many words. */
function withoutWord(text: string, name: string, word: string): string {
  if (name.length < 2) return text;
  let replaced = '';
  let from = 0;
  for (let at = text.indexOf(name); at !== -1; at = text.indexOf(name, at + 1)) {
    const end = at + name.length;
    if (at < from || endsInWord.test(text.slice(Math.max(at - 1, 0), at)) || startsInWord.test(text.slice(end, end + 2))) continue;
    replaced += text.slice(from, at) + word;
    from = end;
  }
  return replaced + text.slice(from);
}

const endsInWord = /[\w.-]$/;
const startsInWord = /^(?:[\w-]|\.\w)/;

/** Returns a short text that is equal for equal parts. */
export function keyOfCall(parts: readonly string[]): string {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(`${part.length} `).update(part);
  return hash.digest('hex').slice(0, 32);
}
