import { readUnstructured } from '../../encoding/unstructured.js';
import { isList, isMap, type Value } from '../../go/value.js';
import { markers } from '../../redaction/marker.js';

/**
 * Returns forms of a message without what differs from call to call: addresses, uids, times and numbers; in the second form also texts of the
 * reviewed objects. Findings with the same check and webhook and a form in common are one.
 */
export function normalizedForms(message: string, bodies: readonly (string | undefined)[]): string[] {
  if (message === '') return [''];
  const general = message
    .replace(/(?:Post|Get) "(?:[^"\\]|\\.)*": /g, '')
    .replace(/ "(?:[^"\\]|\\.)*" (is (?:invalid|forbidden):)/g, ' "..." $1')
    .replace(/https?:\/\/[^\s"']+/g, 'URL')
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/gi, 'UID')
    .replace(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:?\d\d)?/g, 'TIME')
    .replace(/0x[0-9a-f]+/gi, 'N')
    .replace(markers, 'SECRET')
    .replace(/\/(labels|annotations|data|binaryData|nodeSelector|limits|requests)\/[^"'`]+/g, '/$1/KEY');
  const texts = bodies.flatMap(textsIn).filter(text => text.length > 2 && general.includes(text));
  const longestFirst = [...new Set(texts)].sort((a, b) => b.length - a.length).slice(0, maxReplaced);
  const replaced = longestFirst.reduce((text, value) => text.replaceAll(value, '...'), general);
  return [...new Set([general, replaced].map(finished))];
}

/** Returns the second form. */
export function normalizedFindingMessage(message: string, bodies: readonly (string | undefined)[]): string {
  return normalizedForms(message, bodies).at(-1) ?? '';
}

function finished(text: string): string {
  return text
    .replace(/(["'`])(?:(?!\1)[^\\]|\\.)*[^\w.\-/'"` ](?:(?!\1)[^\\]|\\.)*\1/g, '$1...$1')
    .replace(/\d+/g, 'N')
    .slice(0, maxLength);
}

const maxReplaced = 40;
const maxLength = 300;

function textsIn(body: string | undefined): string[] {
  if (body === undefined || body.length > 100_000) return [];
  const found: string[] = [];
  const visit = (value: Value): void => {
    if (typeof value === 'string') found.push(value);
    else if (isList(value)) value.forEach(visit);
    else if (isMap(value)) {
      for (const [key, member] of value) {
        if (!/^[a-z][A-Za-z0-9]*$/.test(key)) found.push(key);
        visit(member);
      }
    }
  };
  const review = readUnstructured(body);
  const request = isMap(review) ? review.get('request') : undefined;
  if (!isMap(request)) return [];
  for (const key of ['name', 'namespace', 'object', 'oldObject', 'userInfo']) visit(request.get(key) ?? null);
  return found;
}
