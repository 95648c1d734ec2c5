import { DecodeError } from '../../apiserver/objects/codec.js';
import { type ConversionRule, type ConversionRules, zeroWhereAbsent } from '../../apiserver/objects/conversion-rules.js';
import { isAbsent } from '../../apiserver/objects/default-rules.js';
import { JsonTypeError, readUnstructured } from '../../encoding/unstructured.js';
import { goFloat, writeValue } from '../../go/json/write.js';
import { isList, isMap, isRawJson, type Value, type ValueMap } from '../../go/value.js';
import { keepPartsOfAll, membersOfAll } from './parts-of-all.js';

const schemaProps: ConversionRule = { toInternal: readEmbeddedJson };

/**
 * The internal type of a definition has embedded JSON as values, so keys are sorted afterwards. Source: apiextensions-apiserver
 * v1/conversion.go.
 */
export const apiextensionsConversions: ConversionRules = {
  'apiextensions/v1.CustomResourceDefinition': { keepUnassigned: keepPartsOfAll },
  'apiextensions/v1.CustomResourceDefinitionSpec': { internalFields: membersOfAll.map(([, ofAll]) => ofAll) },
  'apiextensions/v1.JSONSchemaProps': schemaProps,
  'apiextensions/v1beta1.JSONSchemaProps': schemaProps,
  'apiextensions/v1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'apiextensions/v1beta1.ServiceReference': zeroWhereAbsent({ port: 0n }),
  'apiextensions/v1.CustomResourceConversion': {
    toInternal: conversion => {
      const webhook = conversion.get('webhook');
      // Its two fields are separate in the internal type: without them nothing remains of it.
      if (isMap(webhook) && isAbsent(webhook, 'clientConfig') && isAbsent(webhook, 'conversionReviewVersions'))
        conversion.delete('webhook');
    },
  },
};

function readEmbeddedJson(schema: ValueMap): void {
  for (const key of ['default', 'example']) {
    const value = schema.get(key);
    if (value !== undefined) schema.set(key, canonical(value));
  }
  const allowed = schema.get('enum');
  if (isList(allowed)) schema.set('enum', allowed.map(canonical));
}

function canonical(value: Value): Value {
  if (!isRawJson(value)) return value;
  try {
    const read = readUnstructured(value.sent ?? value.rawJson);
    const rawJson = writeValue(read, 'sorted');
    const withFloats = writeValue(markedFloats(read), 'sorted');
    return rawJson === withFloats ? { rawJson } : { rawJson, sent: withFloats };
  } catch (error) {
    if (error instanceof JsonTypeError) throw new DecodeError(error.message);
    throw error;
  }
}

/**
 * Marks float64 values without a fraction, which Go's JSON does not distinguish from int64: `1.0` does not equal `1` in the internal type.
 */
function markedFloats(value: Value): Value {
  if (isList(value)) return value.map(markedFloats);
  if (isMap(value)) return new Map([...value].map(([key, member]) => [key, markedFloats(member)]));
  return typeof value === 'number' && Number.isInteger(value)
    ? { rawJson: `${goFloat(value)}${/e/.test(goFloat(value)) ? '' : '.0'}` }
    : value;
}
