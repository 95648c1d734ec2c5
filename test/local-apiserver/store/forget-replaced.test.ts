import { expect, it } from 'vitest';
import type { CallContext } from '../../../src/apiserver/call/call-context.js';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { keepShown, knownObject } from '../../../src/apiserver/storage/shown-object.js';
import { toValue, type ValueMap } from '../../../src/go/value.js';
import { forgetReplaced } from '../../../src/local-apiserver/store/forget-replaced.js';
import { newStore } from '../../../src/local-apiserver/store/store.js';
import { server } from '../../support/server.js';

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };

it('frees the decoded versions of objects some writes after they were replaced', () => {
  const store = newStore(() => 0);
  forgetReplaced(store);
  const context = { server, state: { live: store }, endpoint: { resource: { kind } }, definition: undefined } as unknown as CallContext;
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new Error('no codec for ConfigMaps');
  const written: ValueMap[] = [];
  const write = (n: number): void => {
    const object = toValue({ kind: 'ConfigMap', apiVersion: 'v1', metadata: { namespace: 'default', name: 'a' }, data: { n } }) as ValueMap;
    if (n === 0) store.create(object);
    else store.update(object, String(n));
    const stored = store.find(kind, 'default', 'a') ?? new Map();
    keepShown(stored, { codec, value: stored }, context);
    written.push(stored);
  };
  const isKnown = (): boolean[] => written.map(stored => knownObject(stored, context) !== undefined);
  for (let n = 0; n < 200; n += 1) write(n);
  expect(isKnown()).toEqual(written.map(() => true));
  for (let n = 200; n < 1000; n += 1) write(n);
  expect(isKnown().slice(0, 700)).toEqual(written.slice(0, 700).map(() => false));
  expect(isKnown().at(-1)).toBe(true);
});
