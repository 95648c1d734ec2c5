import { describe, expect, it } from 'vitest';
import { ConversionError } from '../../../src/apiserver/conversion/conversion-error.js';
import { storedConversions, versionsOf } from '../../../src/apiserver/storage/stored-conversions.js';
import { type AnswerPath, parseFieldPath } from '../../../src/client/field-path.js';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { writeValue } from '../../../src/go/json/write.js';
import { copyOf, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../../../src/go/value.js';
import { type ConversionChecks, type ConversionFinding, checkConversions } from '../../../src/suites/conversions/checks.js';
import { server } from '../../support/server.js';

const schema = {
  openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
};
const definition = map({
  spec: {
    group: 'example.com',
    names: { kind: 'Lamp', plural: 'lamps' },
    conversion: { strategy: 'Webhook', webhook: { conversionReviewVersions: ['v1'] } },
    versions: ['v1', 'v2'].map(name => ({ name, served: true, storage: name === 'v1', schema })),
  },
});
const lamp = map({ apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'a' }, spec: { list: [1, 2], text: 'x' } });

function map(value: object): ValueMap {
  const made = toValue(value);
  if (!isMap(made)) throw new Error('no object');
  return made;
}

/** Findings for a webhook that modifies the objects of a review. */
async function checks(
  answer: (objects: ValueMap[], to: string) => Value[],
  objects = [lamp],
  ignored: readonly string[] = [],
): Promise<ConversionChecks> {
  const conversions = storedConversions(server, definition, {
    uid: () => 'u',
    send: async ({ body }) => {
      const request = mapAt(readUnstructured(body), 'request');
      const answered = answer(listAt(request, 'objects').filter(isMap).map(copyOf), stringAt(request, 'desiredAPIVersion'));
      const convertedObjects = answered.map(object => ({ rawJson: writeValue(object, 'sorted') }));
      const response = new Map<string, Value>([
        ['uid', 'u'],
        ['convertedObjects', convertedObjects],
        ['result', map({ status: 'Success' })],
      ]);
      return new Map<string, Value>([
        ['apiVersion', 'apiextensions.k8s.io/v1'],
        ['kind', 'ConversionReview'],
        ['response', response],
      ]);
    },
  });
  return checkConversions(
    objects,
    versionsOf(definition),
    conversions,
    ignored.map(path => parseFieldPath(path) as AnswerPath),
  );
}

async function findings(answer: (objects: ValueMap[], to: string) => Value[], objects = [lamp]): Promise<readonly ConversionFinding[]> {
  return (await checks(answer, objects)).findings;
}

function renamed(objects: ValueMap[], to: string): ValueMap[] {
  return objects.map(object => object.set('apiVersion', to));
}

describe('the checks of a conversion webhook', () => {
  it('find nothing in a lossless webhook', async () => {
    expect(await findings(renamed)).toEqual([]);
  });

  it('list harmless differences apart', async () => {
    const answer = (objects: ValueMap[], to: string): Value[] => renamed(objects, to).map(object => object.set('spec', map({ text: to })));
    const { findings: found, harmless } = await checks(answer, [lamp], ['spec']);
    expect(found.filter(({ check }) => check === 'round-trip')).toEqual([]);
    expect(harmless).toContainEqual({ field: 'spec.text', reason: 'ignored by --ignore-field' });
  });

  it('reports a field lost in a round trip', async () => {
    const found = await findings((objects, to) =>
      renamed(objects, to).map(object => {
        if (to.endsWith('v2')) mapAt(object, 'spec')?.set('list', [1n]);
        return object;
      }),
    );
    expect(found).toMatchObject([
      {
        check: 'round-trip',
        object: 'Lamp a',
        versions: ['v1', 'v2', 'v1'],
        message: 'spec.list[1] is lost',
        fields: [{ field: 'spec.list[1]', outcome: 'lost', before: '2', after: null }],
      },
    ]);
  });

  it('find an answer that differs between calls', async () => {
    let calls = 0n;
    const found = await findings((objects, to) =>
      renamed(objects, to).map(object => {
        calls += 1n;
        mapAt(object, 'spec')?.set('count', calls);
        return object;
      }),
    );
    expect(found.map(({ check }) => check)).toContain('repeated');
  });

  it('find a list whose order changes', async () => {
    const other = map({ apiVersion: 'example.com/v1', kind: 'Lamp', metadata: { name: 'b' } });
    const found = await findings((objects, to) => renamed(objects, to).reverse(), [lamp, other]);
    expect(found).toMatchObject([
      { check: 'list', message: expect.stringContaining('must have the same name: a != b') },
      { check: 'list', message: expect.stringContaining('must have the same name: a != b') },
    ]);
  });

  it('find a webhook that requires a spec', async () => {
    const found = await findings((objects, to) => {
      if (objects.some(object => !object.has('spec'))) throw new ConversionError('no spec');
      return renamed(objects, to);
    });
    expect(found).toMatchObject([
      {
        check: 'partial',
        versions: ['v1', 'v2'],
        message: 'an object with metadata only: conversion webhook for example.com/v1, Kind=Lamp failed: no spec',
      },
    ]);
  });

  it('stop when the webhook is unreachable', async () => {
    let calls = 0;
    const found = await findings(() => {
      calls += 1;
      throw new ConversionError('dial tcp: refused', 'tcp');
    });
    expect([found.length, calls]).toEqual([1, 1]);
  });
});
