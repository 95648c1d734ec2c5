import { countGeneration, equalIn, restore } from '../apiserver/registry/common-strategy.js';
import type { Refinement } from '../apiserver/registry/strategy.js';
import { writeValue } from '../go/json/write.js';
import { copyOf, ensureMap, isMap, listAt, mapAt, stringAt, toValue, type Value, type ValueMap } from '../go/value.js';
import { timestampOf } from '../kubernetes/timestamp.js';

/** Only the names of its secrets are kept. Source: kubernetes pkg/registry/core/serviceaccount/strategy.go. */
export const serviceAccount: Refinement = base => {
  const cleanSecrets = (object: Parameters<typeof base.prepareForCreate>[0]): void => {
    const secrets = listAt(object, 'secrets');
    if (secrets.length > 0)
      object.set(
        'secrets',
        secrets.map(s => toValue({ name: stringAt(s, 'name') })),
      );
  };
  return {
    ...base,
    prepareForCreate: object => cleanSecrets(object),
    prepareForUpdate: object => cleanSecrets(object),
  };
};

/** The name is an address. Source: kubernetes pkg/registry/networking/ipaddress/strategy.go noopNameGenerator. */
export const ipAddress: Refinement = base => ({ ...base, keepsGeneratedName: true });

/** A LimitRange may come without any name. Source: kubernetes pkg/registry/core/limitrange/strategy.go. */
export const limitRange: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const metadata = ensureMap(object, 'metadata');
    if (stringAt(metadata, 'name') === '') metadata.set('name', context.effects.uid());
  },
});

/** Source: kubernetes pkg/registry/core/node/strategy.go. */
export const node: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    mapAt(object, 'spec')?.delete('configSource');
    mapAt(object, 'status')?.delete('config');
  },
  prepareForUpdate: (object, old, context) => {
    base.prepareForUpdate(object, old, context);
    if (context.subresource === '') restore(object, old, 'status');
    // What kubelets do not read any more stays only where it is already.
    if (mapAt(old, 'spec', 'configSource') === undefined) mapAt(object, 'spec')?.delete('configSource');
    if (mapAt(old, 'status', 'config') === undefined) mapAt(object, 'status')?.delete('config');
  },
});

/** A request is made in the name of whoever posts it. Source: kubernetes pkg/registry/certificates/certificates/strategy.go. */
export const certificateSigningRequest: Refinement = base => ({
  ...base,
  prepareForCreate: (object, context) => {
    base.prepareForCreate(object, context);
    const spec = ensureMap(object, 'spec');
    const { username, uid, groups, extra } = context.user;
    spec.set('username', username);
    spec.set('uid', uid);
    spec.set('groups', [...groups]);
    if (extra.size > 0) spec.set('extra', new Map([...extra].map(([key, values]) => [key, [...values]])));
    else spec.delete('extra');
  },
  prepareForUpdate: (object, old, context) => {
    restore(object, old, 'spec');
    if (context.subresource === '') restore(object, old, 'status');
    else {
      if (context.subresource === 'status') keepDecisions(object, old);
      setConditionTimes(object, old, timestampOf(context.effects.now()));
      if (context.subresource === 'approval') keepConditionsOnly(object, old);
    }
  },
});

/** Approval and denial are not written through `status`: as many of them as before are those from before. */
function keepDecisions(object: ValueMap, old: ValueMap): void {
  const conditions = [...listAt(object, 'status', 'conditions')];
  for (const type of ['Approved', 'Denied']) {
    const stored = listAt(old, 'status', 'conditions').filter(c => stringAt(c, 'type') === type);
    const places = [...conditions.keys()].filter(i => stringAt(conditions[i], 'type') === type);
    if (places.length !== stored.length) continue;
    for (const [n, place] of places.entries()) conditions[place] = copyOf(stored[n] ?? null);
  }
  if (conditions.length > 0) ensureMap(object, 'status').set('conditions', conditions);
}

function setConditionTimes(object: ValueMap, old: ValueMap, now: string): void {
  const stored = listAt(old, 'status', 'conditions');
  for (const condition of listAt(object, 'status', 'conditions').filter(isMap)) {
    const isAlike = (other: Value): boolean => ['type', 'status'].every(key => stringAt(other, key) === stringAt(condition, key));
    const before = stored.find(other => isAlike(other) && stringAt(other, 'lastTransitionTime') !== '');
    if (stringAt(condition, 'lastUpdateTime') === '') condition.set('lastUpdateTime', now);
    if (stringAt(condition, 'lastTransitionTime') === '')
      condition.set('lastTransitionTime', stringAt(before, 'lastTransitionTime') || now);
  }
}

function keepConditionsOnly(object: ValueMap, old: ValueMap): void {
  const conditions = mapAt(object, 'status')?.get('conditions');
  restore(object, old, 'status');
  const status = ensureMap(object, 'status');
  if (conditions === undefined) status.delete('conditions');
  else status.set('conditions', conditions);
}

/** Source: kubernetes pkg/registry/discovery/endpointslice/strategy.go. */
export const endpointSlice: Refinement = base => {
  const dropDeprecated = (object: Parameters<typeof base.prepareForCreate>[0]): void => {
    for (const endpoint of listAt(object, 'endpoints')) if (isMap(endpoint)) endpoint.delete('deprecatedTopology');
  };
  return {
    ...base,
    prepareForCreate: (object, context) => {
      base.prepareForCreate(object, context);
      dropDeprecated(object);
    },
    prepareForUpdate: (object, old, { resource }) => {
      dropDeprecated(object);
      const same = ['endpoints', 'ports', 'addressType'].every(key => equalIn(resource, key, object, old)) && sameLabels(object, old);
      if (!same) countGeneration(object, old);
    },
  };
};

function sameLabels(a: Parameters<typeof mapAt>[0], b: Parameters<typeof mapAt>[0]): boolean {
  const texts = [a, b].map(o => JSON.stringify([...(mapAt(o, 'metadata', 'labels') ?? [])].sort()));
  return texts[0] === texts[1];
}

/** Counts every difference, that between an empty list and none too. Source: kubernetes pkg/registry/networking/networkpolicy/strategy.go. */
export const networkPolicy: Refinement = base => ({
  ...base,
  prepareForUpdate: (object, old) => {
    const specOf = (from: ValueMap): ValueMap => new Map<string, Value>([['podSelector', new Map()], ...(mapAt(from, 'spec') ?? [])]);
    const texts = [object, old].map(from => writeValue(specOf(from), 'sorted'));
    if (texts[0] !== texts[1]) countGeneration(object, old);
  },
});
