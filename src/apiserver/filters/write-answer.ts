import { readUnstructured } from '../../encoding/unstructured.js';
import { writeYaml } from '../../encoding/yaml-writer.js';
import { indented } from '../../go/json/indent.js';
import { isMap } from '../../go/value.js';
import { mediaTypes, type Negotiated } from '../endpoints/negotiation.js';
import { foldYaml } from './fold-yaml.js';
import { statusProtobuf } from './status-protobuf.js';

/** Body as it is sent. */
export interface Written {
  readonly contentType: string;
  readonly body: string;
  /** Bytes of a body that is not text. */
  readonly bytes?: Uint8Array;
}

/**
 * Writes a JSON document in the negotiated form; when undefined, nothing is acceptable and the document is indented. Only a Status is
 * written as protobuf; other documents stay JSON. Source: apiserver handlers/responsewriters/writers.go.
 */
export function writeAnswer(json: string, form: Negotiated | undefined): Written {
  if (form === undefined) return { contentType: mediaTypes.json, body: indented(json) };
  if (form.encoding === 'yaml') return { contentType: mediaTypes.yaml, body: foldYaml(writeYaml(readUnstructured(json))) };
  if (form.encoding === 'protobuf') {
    const document = readUnstructured(json);
    if (isMap(document) && document.get('kind') === 'Status') {
      const bytes = statusProtobuf(document);
      return { contentType: mediaTypes.protobuf, body: Buffer.from(bytes).toString('utf8'), bytes };
    }
  }
  return { contentType: mediaTypes.json, body: form.pretty ? indented(json) : `${json}\n` };
}
