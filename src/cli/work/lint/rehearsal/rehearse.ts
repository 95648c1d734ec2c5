import { rbacAuthorizer } from '../../../../apiserver/authorization/rbac.js';
import { stringAt, type ValueMap } from '../../../../go/value.js';
import { isDefinition, resourcesOfDefinition } from '../../../../kubernetes/definition-resources.js';
import { sameKind } from '../../../../kubernetes/group-version.js';
import { kindOf, type Storage } from '../../../../kubernetes/storage.js';
import { serviceAccountOfStep } from '../../../../lint/outage/outage-step.js';
import { rehearseInstallation } from '../../../../lint/rehearsal/installation.js';
import { namedOrders } from '../../../../lint/rehearsal/orders.js';
import type { RehearsalProblem } from '../../../../lint/rehearsal/problem.js';
import { rehearsalRules } from '../../../../lint/rehearsal/rehearsal-rules.js';
import { rehearseRemoval } from '../../../../lint/rehearsal/removal.js';
import { unitsOf } from '../../../../lint/rehearsal/units.js';
import type { FoundByRule, LintSubject } from '../../../../lint/rule.js';
import { newRehearsal } from './new-rehearsal.js';

/** Result of a rehearsal. */
export interface RehearsalResult {
  readonly found: readonly FoundByRule[];
  /** What was not rehearsed, in one sentence each. */
  readonly notes: readonly string[];
}

/** Situations of an installation or a removal that are looked at. */
const maxSituations = 1024;

/** Creates and deletes the objects of files in every order that matters, in a cluster in memory. */
export async function rehearse({ server, webhooks, storage }: LintSubject, objects: readonly ValueMap[]): Promise<RehearsalResult> {
  const units = unitsOf({ objects, webhooks, storage, mayUpdate: (workload, object) => mayUpdate(workload, object, storage) });
  if (units.length === 0)
    return { found: [], notes: ['nothing to rehearse: the files have no workload that answers a required webhook or a conversion'] };
  const world = newRehearsal(server, units);
  const options = { orders: namedOrders(units, objects), limit: maxSituations };
  const installation = await rehearseInstallation(world, options);
  const { installed } = installation;
  const removal = 'refusal' in installed ? undefined : await rehearseRemoval(world, installed, options);
  const notes = [
    ...('refusal' in installed ? [`removal was not rehearsed: ${installed.refusal}`] : []),
    ...(installation.isComplete && removal?.isComplete !== false ? [] : [`only the first ${maxSituations} situations were rehearsed`]),
  ];
  return { found: [...installation.problems, ...(removal?.problems ?? [])].map(foundByRehearsal), notes };
}

function foundByRehearsal({ rule, culprit, message, fix }: RehearsalProblem): FoundByRule {
  const known = rehearsalRules.find(({ id }) => id === rule);
  if (known === undefined) throw new Error(`there is no rule ${rule}`);
  const finding = {
    rule,
    severity: known.severity,
    configuration: stringAt(culprit.object, 'metadata', 'name'),
    webhook: culprit.webhook,
    message,
  };
  return { finding: { ...finding, reason: known.reason, fix: fix ?? known.fix }, place: culprit };
}

/** Reports whether the roles of the files allow the service account of a workload to change an object of a definition of the files. */
function mayUpdate(workload: ValueMap, object: ValueMap, storage: Storage): boolean {
  const definitions = storage.list({ group: 'apiextensions.k8s.io', kind: 'CustomResourceDefinition' }).filter(isDefinition);
  const resource = definitions.flatMap(resourcesOfDefinition).find(({ kind }) => sameKind(kind, kindOf(object)));
  if (resource === undefined) return false;
  const account = stringAt(workload, 'spec', 'template', 'spec', 'serviceAccountName') || 'default';
  const user = { ...serviceAccountOfStep(stringAt(workload, 'metadata', 'namespace'), account), uid: '', extra: new Map() };
  const { group, resource: plural, version } = resource;
  const parts = { group, version, resource: plural, subresource: '', namespace: stringAt(object, 'metadata', 'namespace'), name: '' };
  return ['update', 'patch'].some(
    verb => rbacAuthorizer(storage).authorize({ user, verb, ...parts, fieldSelector: '', labelSelector: '' }).allowed,
  );
}
