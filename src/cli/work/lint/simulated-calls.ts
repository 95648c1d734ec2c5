import { isMap, listAt, mapAt, toValue, type Value, type ValueMap } from '../../../go/value.js';
import { defaultServerOptions } from '../../../kubernetes/server-options.js';
import type { LintedWebhook } from '../../../lint/rule.js';

/** Options without in-tree plugins that need objects which the files do not have. */
export const withoutPlugins = {
  ...defaultServerOptions,
  disabledPlugins: ['ServiceAccount', 'LimitRanger', 'PodSecurity', 'ResourceQuota', 'Priority', 'DefaultTolerationSeconds'],
};

/** Returns the configuration of a webhook, reduced to it and with changes, and called at an address that needs no Service. */
export function onlyWebhook({ place: { object, pointer } }: LintedWebhook, changes: Readonly<Record<string, Value>> = {}): ValueMap {
  const own: Value = listAt(object, 'webhooks')[Number(pointer.split('/').at(-1))] ?? new Map();
  if (!isMap(own)) return object;
  const webhook = new Map([...own, ['clientConfig', toValue({ url: 'https://webhook.invalid/' })], ...Object.entries(changes)]);
  return new Map([...object, ['webhooks', [webhook]]]);
}

/** Returns an object as it is stored. */
export function simulatedObject(data: Readonly<Record<string, unknown>>): ValueMap {
  const object = toMap(data);
  const facts = { uid: '00000000-0000-4000-8000-000000000001', resourceVersion: '1', creationTimestamp: '2026-01-01T00:00:00Z' };
  for (const [key, value] of Object.entries(facts)) mapAt(object, 'metadata')?.set(key, value);
  return object;
}

/** Returns an object of plain data as a map. */
export function toMap(data: Readonly<Record<string, unknown>>): ValueMap {
  const value = toValue(data);
  if (!isMap(value)) throw new Error('a step without an object');
  return value;
}
