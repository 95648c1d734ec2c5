import { readUnstructured } from '../../encoding/unstructured.js';
import { writeValue } from '../../go/json/write.js';
import { ownMember } from '../../go/own-members.js';
import { copyOf, ensureMap, isMap, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { parseApiVersion } from '../../kubernetes/group-version.js';
import { ConversionRefused, type ObjectConverter } from '../answer-conversion.js';

/** Annotation for fields that a version lacks. */
const keptAnnotation = 'demo.webhook-cli.dev/kept';

/** Version other than the hub: conversion of its spec to the hub's and back. `kept` has the fields it lacks. */
interface Spoke {
  readonly toHub: (spec: ValueMap, kept: ValueMap) => ValueMap;
  readonly fromHub: (hub: ValueMap) => { readonly spec: ValueMap; readonly kept: ValueMap };
}

const nothing: ValueMap = new Map();

/**
 * Price of an offer: in v1, the hub, `{amount: 1250, currency: EUR}`; in v1beta1 `12.50 EUR`; in v1alpha1 only `cents`, and no discount.
 */
const spokes: Readonly<Record<string, Spoke>> = {
  v1: { toHub: spec => spec, fromHub: hub => ({ spec: hub, kept: nothing }) },
  v1beta1: {
    toHub: spec => withField(spec, 'price', priceOf(spec.get('price'))),
    fromHub: hub => ({ spec: withField(hub, 'price', priceText(mapAt(hub, 'price'))), kept: nothing }),
  },
  v1alpha1: {
    toHub: (spec, kept) => {
      const price = withField(withField(nothing, 'amount', spec.get('cents')), 'currency', kept.get('currency'));
      return withField(
        withField(withField(spec, 'cents', undefined), 'price', price.size === 0 ? undefined : price),
        'discount',
        kept.get('discount'),
      );
    },
    fromHub: hub => ({
      spec: withField(withField(withField(hub, 'price', undefined), 'discount', undefined), 'cents', mapAt(hub, 'price')?.get('amount')),
      kept: withField(withField(nothing, 'currency', mapAt(hub, 'price')?.get('currency')), 'discount', hub.get('discount')),
    }),
  },
};

/**
 * Converts offers (fixtures/conversion/offers.yaml) by a hub and spokes: each version to v1 and from there to the other, so none depends on
 * others than v1. Fields that a version lacks are kept in an annotation and restored. Other objects only get the new apiVersion.
 */
export const offers: ObjectConverter = (object, to) => {
  const source = spokeOf(stringAt(object, 'apiVersion'), object);
  const target = spokeOf(to, object);
  const converted = copyOf(object).set('apiVersion', to);
  const spec = mapAt(converted, 'spec');
  // Managed fields and apply convert incomplete objects.
  if (spec === undefined) return converted;
  const { spec: wanted, kept } = target.fromHub(source.toHub(spec, takeKept(converted)));
  if (kept.size > 0) ensureMap(ensureMap(converted, 'metadata'), 'annotations').set(keptAnnotation, writeValue(kept, 'sorted'));
  return converted.set('spec', wanted);
};

function spokeOf(apiVersion: string, object: ValueMap): Spoke {
  const spoke = ownMember(spokes, parseApiVersion(apiVersion)?.version ?? '');
  if (spoke === undefined) throw new ConversionRefused(`unknown kind ${stringAt(object, 'kind')} of ${apiVersion}`);
  return spoke;
}

/** Returns the kept fields of an earlier conversion and removes the annotation. */
function takeKept(object: ValueMap): ValueMap {
  const annotations = mapAt(object, 'metadata', 'annotations');
  const text = annotations?.get(keptAnnotation);
  if (annotations === undefined || typeof text !== 'string') return nothing;
  annotations.delete(keptAnnotation);
  if (annotations.size === 0) mapAt(object, 'metadata')?.delete('annotations');
  try {
    const kept = readUnstructured(text);
    return isMap(kept) ? kept : nothing;
  } catch {
    throw new ConversionRefused(`the annotation ${keptAnnotation} is not valid JSON`);
  }
}

/** Formats a price: `12.50 EUR`. */
function priceOf(text: Value | undefined): Value | undefined {
  if (text === undefined) return undefined;
  const match = typeof text === 'string' ? /^(\d+)\.(\d\d)(?: ([A-Z]{3}))?$/.exec(text) : null;
  if (match === null) throw new ConversionRefused(`invalid spec.price ${writeValue(text, 'kept')}: expected a price such as "12.50 EUR"`);
  const [, units = '', cents = '', currency] = match;
  return withField(new Map<string, Value>([['amount', BigInt(units + cents)]]), 'currency', currency);
}

function priceText(price: ValueMap | undefined): Value | undefined {
  const amount = price?.get('amount');
  if (typeof amount !== 'bigint') return undefined;
  const cents = String(amount % 100n).padStart(2, '0');
  return `${amount / 100n}.${cents} ${stringAt(price, 'currency')}`.trimEnd();
}

/** Returns a copy with the field, or without it. */
function withField(map: ValueMap, field: string, value: Value | undefined): ValueMap {
  const copy = new Map(map);
  if (value === undefined) copy.delete(field);
  else copy.set(field, value);
  return copy;
}
