import { readUnstructured } from '../../encoding/unstructured.js';
import { copyOf, ensureMap, isMap, isRawJson, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { StatusError } from '../../kubernetes/status.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import { codecFor } from '../call/codec-for.js';
import { ConversionError } from '../conversion/conversion-error.js';
import { type ConversionWorld, converterOf } from '../conversion/converter.js';
import { DecodeError } from '../objects/codec.js';
import { type CustomCodec, isCustomCodec } from '../objects/custom-codec.js';

/** Result of converting one object. */
export type Conversion = {
  /** The object before the conversion: decoded, pruned and defaulted in its stored version. */
  readonly stored: ValueMap;
  /** `group/version` */
  readonly to: string;
} & (
  | {
      readonly outcome: 'converted';
      /** The object for the client: validated, with the unchangeable metadata restored, pruned by the schema of its version. */
      readonly object: ValueMap;
      /** Object in the webhook's response; undefined when it was not called. */
      readonly answered: ValueMap | undefined;
    }
  | {
      readonly outcome: 'failed';
      /** API server's message. */
      readonly message: string;
      /** Undefined when the webhook, or the definition, refuses the conversion. */
      readonly failureClass: FailureClass | undefined;
    }
);

/** Converts stored objects of one definition, one call after another. Does not throw for webhook failures. */
export interface StoredConversions {
  /** Converts a single object, as the API server does on a read. */
  readonly one: (object: ValueMap, to: string) => Promise<Conversion>;
  /** Converts objects of any versions as one list: one review with those that need it. */
  readonly list: (objects: readonly ValueMap[], to: string) => Promise<Conversion[]>;
}

/**
 * Converts objects as the API server does on a read in another version than the stored one: prunes and defaults in the stored version,
 * converts, prunes in the other. Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go, conversion/converter.go.
 */
export function storedConversions(server: ApiServer, definition: ValueMap, world: ConversionWorld): StoredConversions {
  let answered: readonly Value[] = [];
  const convert = converterOf(server, definition, {
    ...world,
    send: async sent => {
      const review = await world.send(sent);
      answered = listAt(mapAt(review, 'response'), 'convertedObjects');
      return review;
    },
  });
  const codec = (kind: GroupVersionKind): CustomCodec => customCodecOf(server, kind, definition);
  const convertStored = async (object: ValueMap, to: string): Promise<ValueMap | ConversionError> => {
    answered = [];
    try {
      return await convert(object, to);
    } catch (error) {
      if (error instanceof ConversionError) return error;
      // Without a client for the webhook the resource is not served.
      if (error instanceof StatusError) return new ConversionError(error.message, 'tls');
      throw error;
    }
  };
  const finished = (stored: ValueMap, to: string, { result, answer }: { result: ValueMap; answer: Value | undefined }): Conversion => {
    const object = copyOf(result);
    try {
      codec(kindOf(object)).coerce(object, 'converter');
    } catch (error) {
      if (error instanceof DecodeError) return failed(stored, to, new ConversionError(error.message, 'review'));
      throw error;
    }
    return { stored, to, outcome: 'converted', object, answered: parsedAnswer(answer) };
  };
  return {
    one: async (object, to) => {
      const stored = readStored(object, codec(kindOf(object)));
      const result = await convertStored(stored, to);
      return result instanceof ConversionError ? failed(stored, to, result) : finished(stored, to, { result, answer: answered[0] });
    },
    list: async (objects, to) => {
      const stored = objects.map(object => readStored(object, codec(kindOf(object))));
      const result = await convertStored(listOf(stored, definition), to);
      if (result instanceof ConversionError) return stored.map(object => failed(object, to, result));
      const answers = [...answered];
      const items = listAt(result, 'items').filter(isMap);
      return stored.map((object, i) => {
        const answer = stringAt(object, 'apiVersion') === to ? undefined : answers.shift();
        return finished(object, to, { result: items[i] ?? object, answer });
      });
    },
  };
}

function failed(stored: ValueMap, to: string, { message, failureClass }: ConversionError): Conversion {
  return { stored, to, outcome: 'failed', message, failureClass };
}

/** Returns a list of the items; a top-level list is named by its first item, because the API server sends items one by one. */
function listOf(items: readonly ValueMap[], definition: ValueMap): ValueMap {
  const kind = stringAt(definition, 'spec', 'names', 'listKind') || `${stringAt(definition, 'spec', 'names', 'kind')}List`;
  return new Map<string, Value>([
    ['apiVersion', stringAt(items[0], 'apiVersion')],
    ['kind', kind],
    ['metadata', new Map()],
    ['items', [...items]],
  ]);
}

function readStored(object: ValueMap, codec: CustomCodec): ValueMap {
  const stored = copyOf(object);
  // Set after decoding.
  ensureMap(stored, 'metadata').delete('resourceVersion');
  codec.coerce(stored, 'storage');
  codec.applyDefaults(stored);
  return stored;
}

function parsedAnswer(answer: Value | undefined): ValueMap | undefined {
  const value = isRawJson(answer) ? readUnstructured(answer.rawJson) : answer;
  return isMap(value) ? value : undefined;
}

function customCodecOf(server: ApiServer, kind: GroupVersionKind, definition: ValueMap): CustomCodec {
  const codec = codecFor(server, kind, definition);
  if (!isCustomCodec(codec)) throw new Error(`no custom resource: ${apiVersionOf(kind)}`);
  return codec;
}

/** Returns the versions of a definition, served or not, each as `group/version`. */
export function versionsOf(definition: ValueMap): string[] {
  const group = stringAt(definition, 'spec', 'group');
  return listAt(definition, 'spec', 'versions').map(version => apiVersionOf({ group, version: stringAt(version, 'name') }));
}

/** Returns the version of an apiVersion: `v1` of `example.com/v1`. */
export function shortVersion(apiVersion: string): string {
  return parseApiVersion(apiVersion)?.version ?? apiVersion;
}
