import { hostname } from 'node:os';
import { ensureMap, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { Effects } from '../../kubernetes/effects.js';
import { kindOf } from '../../kubernetes/storage.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { readData } from '../data-file.js';
import { keyOf, kindName, type Store } from '../store/store.js';

/** Initial objects in addition to those of a new API server. */
export interface InitialObjects {
  /** Objects of the user, which override bootstrap objects of the same name. */
  readonly objects: readonly ValueMap[];
  readonly effects: Effects;
}

/** Fills an empty store with the recorded bootstrap objects of an API server, and with the user's objects. */
export function loadBootstrapObjects(store: Store, { objects, effects }: InitialObjects): void {
  const own = new Set(objects.map(object => `${kindName(kindOf(object))}/${keyOf(object)}`));
  for (const object of bootstrapObjects(effects)) {
    if (own.has(`${kindName(kindOf(object))}/${keyOf(object)}`)) continue;
    store.create(withIdentity(object, effects));
  }
  for (const object of objects) store.create(withIdentity(object, effects));
}

function bootstrapObjects(effects: Effects): ValueMap[] {
  const now = effects.now();
  const identity = effects.uid().replaceAll('-', '').slice(0, 26);
  const words: Readonly<Record<string, string>> = {
    time: timestampOf(now),
    microtime: `${now.toISOString().slice(0, -1)}000Z`,
    date: now.toISOString().slice(0, 10),
    // An address that is valid in Endpoints, in which loopback addresses are not allowed.
    address: '192.0.2.2',
    port: '6443',
    host: hostname().toLowerCase(),
    uid: effects.uid(),
    identity,
  };
  const text = readData('bootstrap.jsonl')
    .toString('utf8')
    .replace(/\{\{(\w+)\}\}/g, (all, word: string) => words[word] ?? all);
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => toValue(JSON.parse(line)) as ValueMap);
}

function withIdentity(object: ValueMap, { uid, now }: Effects): ValueMap {
  const metadata = ensureMap(object, 'metadata');
  const missing = (key: string, value: () => Value): void => {
    if (stringAt(metadata, key) === '') metadata.set(key, value());
  };
  missing('uid', uid);
  missing('creationTimestamp', () => timestampOf(now()));
  return object;
}
