import { isMap, listAt, mapAt, type ValueMap } from '../../go/value.js';

/**
 * Gives the bodies of a case file back the bytes that were sent for half surrogate pairs: three each, though they are no UTF-8. Reading JSON
 * as Go does makes U+FFFD of them. Changes the calls of `document`, which was read from `text`.
 */
export function restoreSurrogates(document: ValueMap, text: string): void {
  if (!/\\ud[89a-f]/i.test(text)) return;
  const sent: { readonly cases?: readonly { readonly call?: { readonly body?: unknown } }[] } = JSON.parse(text);
  for (const [index, entry] of listAt(document, 'cases').entries()) {
    const body = sent.cases?.[index]?.call?.body;
    const call = isMap(entry) ? mapAt(entry, 'call') : undefined;
    if (typeof body !== 'string' || call === undefined || !loneSurrogate.test(body)) continue;
    call.delete('body');
    call.set('bodyBase64', bytesOf(body).toString('base64'));
  }
}

const loneSurrogate = /(?<![\ud800-\udbff])([\udc00-\udfff])|([\ud800-\udbff])(?![\udc00-\udfff])/;

function bytesOf(text: string): Buffer {
  const parts = text.split(loneSurrogate).filter(part => part !== undefined);
  return Buffer.concat(parts.map(part => (loneSurrogate.test(part) ? threeBytes(part.charCodeAt(0)) : Buffer.from(part))));
}

/** UTF-8's form of a number that it does not allow. */
function threeBytes(unit: number): Buffer {
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
}
