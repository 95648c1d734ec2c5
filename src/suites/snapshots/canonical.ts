import { isList, isMap, listAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import { inCanonicalOrder } from './patch-order.js';

/**
 * Returns a snapshot document without what may differ between two runs of the same webhook, or means nothing for the case: patch operations
 * in canonical order, sorted warnings, and no webhooks whose rules do not match, so that another webhook does not change every snapshot.
 */
export function canonicalSnapshot(document: Value): Value {
  if (!isMap(document) || !document.has('calls')) return document;
  return replaced(document, 'calls', listAt(document, 'calls').map(canonicalCall));
}

function canonicalCall(call: Value): Value {
  if (!isMap(call)) return call;
  const decision = call.get('decision');
  const webhooks = listAt(call, 'webhooks')
    .filter(entry => stringAt(entry, 'skipped') !== 'rules')
    .map(canonicalEntry);
  const canonical = call.has('webhooks') ? replaced(call, 'webhooks', webhooks) : call;
  return isMap(decision) ? replaced(canonical, 'decision', withSortedWarnings(decision)) : canonical;
}

function canonicalEntry(entry: Value): Value {
  if (!isMap(entry)) return entry;
  const patch = entry.get('patch');
  return withSortedWarnings(isList(patch) ? replaced(entry, 'patch', inCanonicalOrder(patch)) : entry);
}

function withSortedWarnings(map: ValueMap): ValueMap {
  const warnings = map.get('warnings');
  return isList(warnings) ? replaced(map, 'warnings', warnings.map(String).sort()) : map;
}

function replaced(map: ValueMap, key: string, value: Value): ValueMap {
  return new Map([...map, [key, value]]);
}
