import { expect, it } from 'vitest';
import type { CallContext } from '../../../src/apiserver/call/call-context.js';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import { storedForm } from '../../../src/apiserver/storage/commit.js';
import { keepShown, labelsOfShown, textOfShownObject } from '../../../src/apiserver/storage/shown-object.js';
import type { CompactObject } from '../../../src/encoding/compact-object.js';
import { sameValue, toValue, type ValueMap } from '../../../src/go/value.js';
import { newStore } from '../../../src/local-apiserver/store/store.js';
import { server } from '../../support/server.js';

const kind = { group: '', version: 'v1', kind: 'ConfigMap' };

it('shows a written object by its stored text, and reads its members only when they are asked for', () => {
  const store = newStore(() => 0);
  const context = { server, state: { live: store }, endpoint: { resource: { kind } }, definition: undefined } as unknown as CallContext;
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new Error('no codec for ConfigMaps');
  const shown = Array.from({ length: 20 }, (_, n) => {
    const metadata = { namespace: 'default', name: `a${n}`, uid: 'b', labels: { app: `a-value-of-a-label-${n}` } };
    const value = toValue({ kind: 'ConfigMap', apiVersion: 'v1', metadata, data: { n: '<é>' } }) as ValueMap;
    const { stored, textAt } = storedForm({ codec, value });
    expect(store.create(stored, textAt)).toBe(String(n + 1));
    const found = store.find(kind, 'default', `a${n}`) as CompactObject;
    const object = keepShown(found, { codec, value: stored }, context);
    expect([found.isCompact, found.text]).toEqual([true, textOfShownObject(object, 'full')]);
    expect(labelsOfShown(object)).toEqual(new Map([['app', `a-value-of-a-label-${n}`]]));
    return { object, stored, found };
  });
  for (const { object, stored, found } of shown) {
    const { value } = object;
    expect(sameValue(value, stored)).toBe(true);
    expect(value).not.toBe(stored);
    expect(object.value).toBe(value);
    expect(found.isCompact).toBe(true);
    expect(sameValue(found, codec.toUnstructured(stored))).toBe(true);
  }
  expect(store.listLabelled(kind, undefined, 'app', ['a-value-of-a-label-7'])).toEqual([shown[7]?.found]);
});
