import type { WebhookReport } from '../../apiserver/admission/webhook-report.js';
import { pointerSteps } from '../../encoding/json-pointer.js';
import { isList, isMap, stringAt, type Value, valueAt } from '../../go/value.js';
import { withoutSecrets } from '../../redaction/secrets.js';
import { textWithoutSecrets } from '../../redaction/text-secrets.js';

/** Texts that webhooks mention, which generated values then use. */
export interface Dictionary {
  readonly texts: () => readonly string[];
  readonly add: (text: string) => void;
  /** Adds the texts of an answer: names and values of its patch, parts of its messages. */
  readonly learn: (entry: WebhookReport) => void;
}

const maxTexts = 400;
const maxLength = 120;

/** Returns a dictionary with the literals of selectors and conditions. */
export function newDictionary(first: readonly string[]): Dictionary {
  const known = new Set(first.flatMap(withCompleted));
  let texts = [...known];
  const add = (text: string): void => {
    if (text === '' || text.includes('<redacted ') || text.length > maxLength || known.has(text) || known.size >= maxTexts) return;
    known.add(text);
    texts = [...known];
  };
  const addAll = (value: Value | undefined): void => {
    if (typeof value === 'string') add(value);
    else if (isList(value)) value.forEach(addAll);
    else if (isMap(value)) {
      for (const [key, member] of value) {
        if (/[./-]/.test(key)) add(key);
        addAll(member);
      }
    }
  };
  return {
    texts: () => texts,
    add,
    learn: ({ patch, status, warnings }) => {
      for (const operation of patch) {
        addAll(withoutSecrets(valueAt(operation, 'value') ?? null));
        for (const step of pointerSteps(stringAt(operation, 'path'))) if (/[./-]/.test(step) && step !== '-') add(step);
      }
      for (const text of [status?.message ?? '', ...warnings].map(textWithoutSecrets)) {
        for (const [, word = ''] of text.matchAll(/["'`]([^"'`\s]{1,80})["'`]/g)) add(word);
        for (const [word] of text.matchAll(/[A-Za-z0-9.-]+\.[a-z]{2,}\/[A-Za-z0-9._-]+/g)) add(word);
      }
    },
  };
}

/** A prefix of keys, such as `example.com/`, also as a key. */
function withCompleted(text: string): string[] {
  return /^[a-z0-9.-]+\/$/i.test(text) ? [text, `${text}a`] : [text];
}

/** Returns the texts of webhook configurations that decide whether a webhook is called: literals of conditions, keys and values of selectors. */
export function literalsOf(configurations: readonly Value[]): string[] {
  const found: string[] = [];
  const visit = (value: Value, isSelector: boolean): void => {
    if (typeof value === 'string' && isSelector) found.push(value);
    else if (isList(value)) for (const item of value) visit(item, isSelector);
    else if (isMap(value)) {
      for (const [key, member] of value) {
        const inside = isSelector || key === 'namespaceSelector' || key === 'objectSelector';
        if (isSelector && !/^(?:matchLabels|matchExpressions|key|operator|values)$/.test(key)) found.push(key);
        if (key === 'expression' && typeof member === 'string')
          found.push(...[...member.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? ''));
        else if (key !== 'operator') visit(member, inside);
      }
    }
  };
  for (const configuration of configurations) visit(configuration, false);
  return [...new Set(found)].filter(text => text !== '');
}
