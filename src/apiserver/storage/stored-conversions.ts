import { readUnstructured } from '../../encoding/unstructured.js';
import { copyOf, ensureMap, isMap, isRawJson, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../kubernetes/group-version.js';
import { StatusError } from '../../kubernetes/status.js';
import { kindOf } from '../../kubernetes/storage.js';
import type { FailureClass } from '../../kubernetes/webhook-call.js';
import { ConversionError } from '../conversion/conversion-error.js';
import { type ConversionWorld, converterOf } from '../conversion/converter.js';
import { codecFor } from '../endpoints/codec-for.js';
import { DecodeError } from '../objects/codec.js';
import { type CustomCodec, isCustomCodec } from '../objects/custom/custom-codec.js';

/** What came of converting one object. */
export type Conversion = {
  /** The object as the API server holds it before: read, pruned and defaulted in the version it is stored in. */
  readonly stored: ValueMap;
  /** `group/version` */
  readonly to: string;
} & (
  | {
      readonly outcome: 'converted';
      /** As a client gets it: checked, with the metadata that may not change, pruned by the schema of its version. */
      readonly object: ValueMap;
      /** As the webhook answered; undefined where it was not asked. */
      readonly answered: ValueMap | undefined;
    }
  | {
      readonly outcome: 'failed';
      /** The API server's words. */
      readonly message: string;
      /** Undefined: the webhook, or the definition, says itself that it cannot be. */
      readonly failureClass: FailureClass | undefined;
    }
);

/** Converts stored objects of one definition, one call after another. None of it throws for what a webhook does. */
export interface StoredConversions {
  /** An object alone, as the API server converts what it reads. */
  readonly one: (object: ValueMap, to: string) => Promise<Conversion>;
  /** Objects of any of the versions as one list: one review with those that need it. */
  readonly list: (objects: readonly ValueMap[], to: string) => Promise<Conversion[]>;
}

/**
 * Converts as the API server does when objects are read in another version than they are stored in: prune and default in the stored
 * version, convert, prune in the other.
 * Source: apiextensions-apiserver pkg/apiserver/customresource_handler.go, conversion/converter.go.
 */
export function storedConversions(definition: ValueMap, world: ConversionWorld): StoredConversions {
  let answered: readonly Value[] = [];
  const convert = converterOf(definition, {
    ...world,
    send: async (body, version) => {
      const review = await world.send(body, version);
      answered = listAt(mapAt(review, 'response'), 'convertedObjects');
      return review;
    },
  });
  const codec = (kind: GroupVersionKind): CustomCodec => customCodecOf(kind, definition);
  const converted = async (object: ValueMap, to: string): Promise<ValueMap | ConversionError> => {
    answered = [];
    try {
      return await convert(object, to);
    } catch (error) {
      if (error instanceof ConversionError) return error;
      // Without a client for the webhook the resource is not served at all.
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
    return { stored, to, outcome: 'converted', object, answered: parsed(answer) };
  };
  return {
    one: async (object, to) => {
      const stored = readStored(object, codec(kindOf(object)));
      const result = await converted(stored, to);
      return result instanceof ConversionError ? failed(stored, to, result) : finished(stored, to, { result, answer: answered[0] });
    },
    list: async (objects, to) => {
      const stored = objects.map(object => readStored(object, codec(kindOf(object))));
      const result = await converted(listOf(stored, definition), to);
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

/** A list of its own is named by its first item: the API server itself sends items one by one. */
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
  // It is filled in after reading.
  ensureMap(stored, 'metadata').delete('resourceVersion');
  codec.coerce(stored, 'storage');
  codec.applyDefaults(stored);
  return stored;
}

function parsed(answer: Value | undefined): ValueMap | undefined {
  const value = isRawJson(answer) ? readUnstructured(answer.rawJson) : answer;
  return isMap(value) ? value : undefined;
}

function customCodecOf(kind: GroupVersionKind, definition: ValueMap): CustomCodec {
  const codec = codecFor(kind, definition);
  if (!isCustomCodec(codec)) throw new Error(`no custom resource: ${apiVersionOf(kind)}`);
  return codec;
}

/** Returns the versions of a definition, served or not, each as `group/version`. */
export function versionsOf(definition: ValueMap): string[] {
  const group = stringAt(definition, 'spec', 'group');
  return listAt(definition, 'spec', 'versions').map(version => apiVersionOf({ group, version: stringAt(version, 'name') }));
}

/** `v1` of `example.com/v1`. */
export function shortVersion(apiVersion: string): string {
  return parseApiVersion(apiVersion)?.version ?? apiVersion;
}
