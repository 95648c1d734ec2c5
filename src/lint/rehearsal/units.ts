import { listAt, stringAt, type ValueMap } from '../../go/value.js';
import { isDefinition, resourcesOfDefinition } from '../../kubernetes/definition-resources.js';
import { sameKind } from '../../kubernetes/group-version.js';
import { kindOf, type Storage } from '../../kubernetes/storage.js';
import { admittedRequests, ruleMatches } from '../requests.js';
import type { LintedWebhook } from '../rule.js';
import { workloadOf } from '../workload-of.js';
import type { RehearsalUnit } from './rehearsal.js';

/** What units are made of. */
export interface RehearsedFiles {
  /** Objects of the files, in their order. */
  readonly objects: readonly ValueMap[];
  readonly webhooks: readonly LintedWebhook[];
  readonly storage: Storage;
  /** Reports whether roles of the files allow the service account of a workload to remove the finalizers of an object. */
  readonly mayUpdate: (workload: ValueMap, object: ValueMap) => boolean;
}

/**
 * Returns what can be created and deleted in orders that matter: workloads that answer webhooks of the files or remove finalizers, required
 * webhooks, definitions, namespaces, and the objects that depend on them. Objects that behave alike are one unit. Empty, if no workload of the
 * files answers a required webhook or removes a finalizer.
 */
export function unitsOf(files: RehearsedFiles): readonly RehearsalUnit[] {
  const workloads = workloadsOf(files);
  if (workloads.length === 0) return [];
  const { objects } = files;
  const required = files.webhooks.filter(
    webhook => webhook.failurePolicy === 'Fail' && workloads.some(({ services }) => answers(services, serviceOf(webhook))),
  );
  const configurations = objects.filter(object => required.some(({ place }) => place.object === object));
  const dependents = dependentsOf(files, required, workloads);
  const grouped = [...groupBy(dependents, ({ signature }) => signature).values()].map(group => group.map(({ object }) => object));
  const rehearsed = [...workloads.flatMap(one => [one.workload, ...one.services]), ...grouped.flat()];
  const namespaces = objects.filter(
    object => isNamespace(object) && rehearsed.some(one => stringAt(one, 'metadata', 'namespace') === stringAt(object, 'metadata', 'name')),
  );
  const removersOf = (group: readonly ValueMap[]): readonly number[] =>
    workloads.flatMap(({ workload }, i) => (group.some(one => removes(files, workload, one)) ? [i] : []));
  const made = [
    ...workloads.map(({ workload, services }) => unit('workload', [workload, ...services.filter(one => objects.includes(one))])),
    ...configurations.map(object => unit('configuration', [object])),
    ...definitionGroups(files, dependents, workloads).map(group => unit('definition', group)),
    ...namespaces.map(object => unit('namespace', [object])),
    ...grouped.map(group => ({ ...unit('objects', group), removers: removersOf(group) })),
  ];
  const isAsked = (object: ValueMap): boolean => required.some(webhook => intercepts(webhook, object, files.storage));
  return made.map(one => ({
    ...one,
    isUnguarded: (one.kind === 'namespace' || one.kind === 'definition') && !one.objects.some(isAsked),
  }));
}

/** Returns `Deployment shop/manager`. */
export function titleOf(object: ValueMap): string {
  const [namespace, name] = [stringAt(object, 'metadata', 'namespace'), stringAt(object, 'metadata', 'name')];
  return `${stringAt(object, 'kind')} ${namespace === '' ? '' : `${namespace}/`}${name}`;
}

function unit(kind: RehearsalUnit['kind'], objects: readonly ValueMap[]): Omit<RehearsalUnit, 'isUnguarded'> {
  const [first, ...others] = objects;
  const more = kind === 'workload' || others.length === 0 ? '' : ` and ${others.length} more`;
  return { kind, name: `${first === undefined ? '' : titleOf(first)}${more}`, objects, removers: [] };
}

interface Workload {
  readonly workload: ValueMap;
  /** Services of the files through which it answers webhooks. */
  readonly services: readonly ValueMap[];
}

/** Returns the workloads that answer required webhooks or conversions, and those that remove finalizers. */
function workloadsOf(files: RehearsedFiles): readonly Workload[] {
  const { objects, webhooks, storage } = files;
  const asked = [
    ...webhooks.filter(({ failurePolicy }) => failurePolicy === 'Fail').map(serviceOf),
    ...objects.filter(isDefinition).map(conversionServiceOf),
  ];
  const found = new Map<ValueMap, ValueMap[]>();
  for (const service of objects.filter(object => stringAt(object, 'kind') === 'Service' && asked.includes(namespacedName(object)))) {
    const workload = workloadOf(storage, service);
    if (workload !== undefined) found.set(workload, [...(found.get(workload) ?? []), service]);
  }
  for (const workload of objects.filter(isWorkload))
    if (!found.has(workload) && objects.some(object => removes(files, workload, object))) found.set(workload, []);
  return [...found].map(([workload, services]) => ({ workload, services }));
}

function isWorkload(object: ValueMap): boolean {
  return kindOf(object).group === 'apps' && ['Deployment', 'StatefulSet', 'DaemonSet'].includes(stringAt(object, 'kind'));
}

function isNamespace(object: ValueMap): boolean {
  const { group, kind } = kindOf(object);
  return group === '' && kind === 'Namespace';
}

function removes({ mayUpdate }: RehearsedFiles, workload: ValueMap, object: ValueMap): boolean {
  return listAt(object, 'metadata', 'finalizers').length > 0 && mayUpdate(workload, object);
}

function namespacedName(object: ValueMap): string {
  return `${stringAt(object, 'metadata', 'namespace')}/${stringAt(object, 'metadata', 'name')}`;
}

function serviceOf({ clientConfig: { service } }: LintedWebhook): string {
  return service === undefined ? '' : `${service.namespace}/${service.name}`;
}

function conversionServiceOf(definition: ValueMap): string {
  if (stringAt(definition, 'spec', 'conversion', 'strategy') !== 'Webhook') return '';
  const at = ['spec', 'conversion', 'webhook', 'clientConfig', 'service'] as const;
  return `${stringAt(definition, ...at, 'namespace')}/${stringAt(definition, ...at, 'name')}`;
}

function answers(services: readonly ValueMap[], service: string): boolean {
  return services.some(one => namespacedName(one) === service);
}

/** An object for which an order matters, and what it depends on. */
interface Dependent {
  readonly object: ValueMap;
  readonly definition: ValueMap | undefined;
  readonly signature: string;
}

function dependentsOf(files: RehearsedFiles, required: readonly LintedWebhook[], workloads: readonly Workload[]): readonly Dependent[] {
  const { objects, storage } = files;
  const used = new Set(workloads.flatMap(({ workload, services }) => [workload, ...services]));
  const definitions = objects.filter(isDefinition);
  return objects.flatMap((object): Dependent[] => {
    if (used.has(object) || isDefinition(object) || isNamespace(object) || isOfAdmission(object)) return [];
    const definition = definitions.find(one => resourcesOfDefinition(one).some(({ kind }) => sameKind(kind, kindOf(object))));
    const intercepting = required.filter(webhook => intercepts(webhook, object, storage)).map(({ identity }) => identity);
    const conversion = definition === undefined ? '' : conversionServiceOf(definition);
    const isConverted = workloads.some(({ services }) => answers(services, conversion));
    const finalizers = listAt(object, 'metadata', 'finalizers').length > 0 ? String(definition && namespacedName(definition)) : '';
    if (intercepting.length === 0 && !isConverted && finalizers === '') return [];
    const version = isConverted ? stringAt(object, 'apiVersion') : '';
    const parts = [stringAt(object, 'metadata', 'namespace'), intercepting, isConverted ? conversion : '', finalizers, version];
    return [{ object, definition, signature: JSON.stringify(parts) }];
  });
}

function isOfAdmission(object: ValueMap): boolean {
  return kindOf(object).group === 'admissionregistration.k8s.io';
}

/** Reports whether rules match the creation or the deletion of an object; selectors and conditions are those of the call. */
function intercepts({ rules, matchPolicy }: LintedWebhook, object: ValueMap, storage: Storage): boolean {
  return admittedRequests(storage).some(
    request =>
      request.subresource === '' &&
      (request.operation === 'CREATE' || request.operation === 'DELETE') &&
      sameKind(request.served.kind, kindOf(object)) &&
      rules.some(rule => ruleMatches(rule, request, matchPolicy)),
  );
}

/** Returns the definitions of the dependents and those that the workloads convert, together those that behave alike. */
function definitionGroups(
  { objects }: RehearsedFiles,
  dependents: readonly Dependent[],
  workloads: readonly Workload[],
): readonly (readonly ValueMap[])[] {
  const needed = objects.filter(isDefinition).filter(definition => {
    const conversion = conversionServiceOf(definition);
    return workloads.some(({ services }) => answers(services, conversion)) || dependents.some(one => one.definition === definition);
  });
  return [...groupBy(needed, conversionServiceOf).values()];
}

function groupBy<T>(values: readonly T[], keyOfValue: (value: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const value of values) {
    const key = keyOfValue(value);
    groups.set(key, [...(groups.get(key) ?? []), value]);
  }
  return groups;
}
