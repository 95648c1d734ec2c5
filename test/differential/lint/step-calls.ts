import type { OutageStep } from '../../../src/lint/outage/outage-step.js';
import { type Call, mergePatch, send } from './cluster.js';

function pathOf({ group, version, resource, namespace }: OutageStep): string {
  const [plural = ''] = resource.split('/', 1);
  return `${group === '' ? `/api/${version}` : `/apis/${group}/${version}`}${namespace === '' ? '' : `/namespaces/${namespace}`}/${plural}`;
}

/** Returns the call of a step, as its user. */
export function callOfStep(step: OutageStep): Call {
  const { operation, resource, name, body, username: user, groups } = step;
  const sub = resource.includes('/') ? `/${resource.slice(resource.indexOf('/') + 1)}` : '';
  const path = `${pathOf(step)}${name === '' ? '' : `/${name}`}${sub}`;
  return operation === 'CREATE'
    ? { method: 'POST', path, body, user, groups }
    : { method: 'PATCH', path, contentType: mergePatch, body, user, groups };
}

/** Creates the object that exists before a step; one that exists is left. */
export async function createExisting(step: OutageStep): Promise<void> {
  if (step.existing !== undefined) await send({ method: 'POST', path: pathOf(step), body: withoutAddress(step.existing) });
}

/** A cluster IP must be in the range of the server. */
function withoutAddress(object: Readonly<Record<string, unknown>>): object {
  if (object['kind'] !== 'Service') return object;
  const { clusterIP: _, clusterIPs: __, ...spec } = object['spec'] as Record<string, unknown>;
  return { ...object, spec };
}

/** Removes what a step needed and created, except Namespaces and ServiceAccounts. */
export async function removeExisting(step: OutageStep): Promise<void> {
  const path = pathOf(step);
  if (/\/(?:namespaces|serviceaccounts|tokenreviews|subjectaccessreviews)$/.test(path)) return;
  const { metadata } = (step.existing ?? step.body) as { metadata?: { name?: string } };
  if (metadata?.name !== undefined) await send({ method: 'DELETE', path: `${path}/${metadata.name}?gracePeriodSeconds=0` });
}
