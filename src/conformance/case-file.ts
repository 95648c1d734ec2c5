import { keepRawTexts } from '../apiserver/objects/raw-texts.js';
import { unstructuredOf } from '../encoding/unstructured.js';
import { readJson } from '../go/json/reader.js';
import { decodeGoUtf8 } from '../go/utf8.js';
import { isMap, listAt, mapAt, type ValueMap } from '../go/value.js';
import type { ApiServer, ApiServers } from '../kubernetes/api-server.js';
import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';

/** A file of recorded cases. */
export interface CaseFile {
  readonly servers: ApiServers;
  /** The cases, and the tables they refer to. */
  readonly document: ValueMap;
  /** Definitions by name, from crds.json in the same folder. */
  readonly definitions: ValueMap | undefined;
  /** API server to behave like, instead of the recorded one. */
  readonly minor?: KubernetesMinor | undefined;
}

/** Parses the JSON of a case file or of its definitions. Throws Error when it is not a JSON object. */
export function parseCaseDocument(server: ApiServer, bytes: Uint8Array): ValueMap {
  const text = decodeGoUtf8(bytes);
  const node = readJson(text);
  const value = unstructuredOf(node);
  if (!isMap(value)) throw new Error('not a JSON object');
  keepRawTexts(server, value, node, text);
  restoreSurrogates(value, text);
  return value;
}

/**
 * Restores the bytes that were sent for lone surrogates in the bodies of a case file: three each, which are not valid UTF-8. Go's JSON
 * reader replaces them by U+FFFD. Changes the calls of `document`, which was parsed from `text`.
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

/** Encodes a lone surrogate as UTF-8 would, if it allowed surrogates. */
function threeBytes(unit: number): Buffer {
  return Buffer.from([0xe0 | (unit >> 12), 0x80 | ((unit >> 6) & 0x3f), 0x80 | (unit & 0x3f)]);
}
