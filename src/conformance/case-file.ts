import { keepRawTexts } from '../apiserver/objects/raw-texts.js';
import { unstructuredOf } from '../encoding/unstructured.js';
import { readJson } from '../go/json/reader.js';
import { decodeGoUtf8 } from '../go/utf8.js';
import { isMap, type ValueMap } from '../go/value.js';
import type { ApiServer, ApiServers } from '../kubernetes/api-server.js';
import type { KubernetesMinor } from '../kubernetes/kubernetes-version.js';
import { restoreSurrogates } from './surrogate-bodies.js';

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
