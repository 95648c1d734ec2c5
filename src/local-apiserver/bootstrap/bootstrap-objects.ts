import { hostname } from 'node:os';
import { storeKeyOf } from '../../encoding/compact-object.js';
import { ownMember } from '../../go/own-members.js';
import { ensureMap, stringAt, toValue, type Value, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import type { Effects } from '../../kubernetes/effects.js';
import { kindOf } from '../../kubernetes/storage.js';
import { timestampOf } from '../../kubernetes/timestamp.js';
import { readData } from '../recorded/data-file.js';
import { definitionsFirst, kindName } from '../store/collection-names.js';
import type { Store } from '../store/store.js';

/** Initial objects in addition to those of a new API server. */
export interface InitialObjects {
  readonly server: ApiServer;
  /** Address of the API server for the cluster, in the endpoints of the service `kubernetes`. */
  readonly advertised: Advertised;
  /** Addresses of services. */
  readonly serviceCidr: string;
  /** Objects of the user, which override bootstrap objects of the same name. */
  readonly objects: readonly ValueMap[];
  readonly effects: Effects;
}

/** An address of the API server. */
export interface Advertised {
  readonly address: string;
  readonly port: number;
}

/** Fills an empty store with the recorded bootstrap objects of an API server, and with the user's objects. */
export function loadBootstrapObjects(store: Store, initial: InitialObjects): void {
  const { objects, effects } = initial;
  const own = new Set(objects.map(object => `${kindName(kindOf(object))}/${storeKeyOf(object)}`));
  for (const object of bootstrapObjects(initial)) {
    if (own.has(`${kindName(kindOf(object))}/${storeKeyOf(object)}`)) continue;
    store.create(withIdentity(object, effects));
  }
  for (const object of definitionsFirst(objects)) store.create(withIdentity(object, effects));
}

function bootstrapObjects({ server, effects, advertised, serviceCidr }: InitialObjects): ValueMap[] {
  const now = effects.now();
  const identity = effects.uid().replaceAll('-', '').slice(0, 26);
  const replacements: Readonly<Record<string, string>> = {
    time: timestampOf(now),
    microtime: `${now.toISOString().slice(0, -1)}000Z`,
    date: now.toISOString().slice(0, 10),
    address: advertised.address,
    port: String(advertised.port),
    host: hostname().toLowerCase(),
    uid: effects.uid(),
    identity,
  };
  const text = readData(server, 'bootstrap.jsonl')
    .toString('utf8')
    .replace(/\{\{(\w+)\}\}/g, (all, word: string) => ownMember(replacements, word) ?? all)
    .replaceAll(`"${recordedCidr}"`, `"${serviceCidr}"`)
    .replaceAll(`"${secondAddress(recordedCidr)}"`, `"${secondAddress(serviceCidr)}"`);
  return text
    .split('\n')
    .filter(line => line !== '')
    .map(line => toValue(JSON.parse(line)) as ValueMap);
}

/** Range of the API server whose objects were recorded. */
const recordedCidr = '10.0.0.0/16';

/** That of the service `kubernetes`. */
function secondAddress(cidr: string): string {
  return cidr.replace(/(\d+)\/\d+$/, (_, last: string) => String(Number(last) + 1));
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
