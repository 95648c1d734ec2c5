import type { JsonObject } from '../calls/scene.js';
import type { Random } from '../random.js';
import { anyExpression, boolExpression, type Names, objectExpression, patchExpression, textExpression } from './expressions.js';
import { type ParamKind, paramKinds, paramRef } from './params.js';
import type { Subject } from './subjects.js';

/** A policy with its bindings, as posted. */
export interface RandomPolicy {
  readonly phase: 'validating' | 'mutating';
  readonly policy: JsonObject;
  readonly bindings: readonly JsonObject[];
  readonly paramKind: ParamKind | undefined;
}

/** Where a policy applies. */
interface Place {
  readonly name: string;
  readonly namespace: string;
}

/** A random policy about a resource in one namespace. */
export function randomPolicy(r: Random, subject: Subject, place: Place): RandomPolicy {
  const phase = r.chance(50) ? 'validating' : 'mutating';
  const paramKind = r.chance(40) ? r.pick(paramKinds) : undefined;
  const names: Names = { variables: r.chance(50) ? r.below(3) + 1 : 0, params: paramKind, kind: subject.kind };
  const kind = phase === 'validating' ? 'ValidatingAdmissionPolicy' : 'MutatingAdmissionPolicy';
  const conditions = r.chance(30) ? r.below(2) + 1 : 0;
  const part = phase === 'validating' ? validatingPart(r, names) : mutatingPart(r, names);
  const { auditAnnotations } = part;
  const spec = {
    ...(r.chance(90) ? { failurePolicy: r.pick(['Fail', 'Fail', 'Ignore']) } : {}),
    ...(paramKind === undefined ? {} : { paramKind: { apiVersion: paramKind.apiVersion, kind: paramKind.kind } }),
    matchConstraints: constraints(r, subject, { ...place, phase }),
    matchConditions: Array.from({ length: conditions }, (_, i) => ({
      name: `c${i}`,
      expression: boolExpression(r, { ...names, variables: 0 }, 1),
    })),
    variables: Array.from({ length: names.variables }, (_, i) => ({
      name: `v${i}`,
      expression: anyExpression(r, { ...names, variables: i }, 2),
    })),
    ...part,
  };
  const apiVersion = 'admissionregistration.k8s.io/v1';
  const binding = (name: string, actions: string[]): JsonObject => ({
    apiVersion,
    kind: `${kind}Binding`,
    metadata: { name },
    spec: {
      policyName: place.name,
      ...(paramKind !== undefined && r.chance(90) ? { paramRef: paramRef(r, paramKind, place.namespace) } : {}),
      ...(phase === 'validating' ? { validationActions: actions } : {}),
      ...(r.chance(25) ? { matchResources: bindingResources(r, subject, { ...place, phase }) } : {}),
    },
  });
  const first = binding(`${place.name}-binding`, r.pick([['Deny'], ['Deny'], ['Warn'], ['Deny', 'Audit'], ['Warn', 'Audit'], ['Audit']]));
  // Bindings are in random order: a second one must not refuse, nor change anything. Errors of parameters and annotations always refuse.
  const isHarmless = phase === 'validating' && paramKind === undefined && Array.isArray(auditAnnotations) && auditAnnotations.length === 0;
  const second = isHarmless && r.chance(15) ? [binding(`${place.name}-second`, ['Warn'])] : [];
  return { phase, policy: { apiVersion, kind, metadata: { name: place.name }, spec }, bindings: [first, ...second], paramKind };
}

type Phased = Place & { readonly phase: string };

function constraints(r: Random, subject: Subject, { namespace, phase }: Phased): JsonObject {
  return {
    namespaceSelector: { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
    ...(r.chance(10) ? { objectSelector: objectSelector(r) } : {}),
    ...(r.chance(30) ? { matchPolicy: r.pick(['Exact', 'Equivalent']) } : {}),
    resourceRules: [rule(r, subject, phase), ...(r.chance(10) ? [rule(r, subject, phase)] : [])],
    ...(r.chance(8) ? { excludeResourceRules: [{ ...rule(r, subject, phase), resourceNames: [r.pick(['web', 'stored'])] }] } : {}),
  };
}

function bindingResources(r: Random, subject: Subject, { namespace, phase }: Phased): JsonObject {
  return {
    ...(r.chance(60) ? { resourceRules: [rule(r, subject, phase)] } : {}),
    ...(r.chance(20) ? { excludeResourceRules: [rule(r, subject, phase)] } : {}),
    ...(r.chance(30) ? { objectSelector: objectSelector(r) } : {}),
    ...(r.chance(30)
      ? {
          namespaceSelector: r.pick<JsonObject>([
            { matchLabels: { team: 'web' } },
            { matchLabels: { 'kubernetes.io/metadata.name': namespace } },
          ]),
        }
      : {}),
    ...(r.chance(30) ? { matchPolicy: r.pick(['Exact', 'Equivalent']) } : {}),
  };
}

function objectSelector(r: Random): JsonObject {
  return r.pick<JsonObject>([
    { matchLabels: { app: 'web' } },
    { matchExpressions: [{ key: 'app', operator: r.pick(['Exists', 'DoesNotExist']) }] },
  ]);
}

function rule(r: Random, { group, version, otherVersion = version, resource }: Subject, phase: string): JsonObject {
  const all = phase === 'validating' ? ['CREATE', 'UPDATE', 'DELETE'] : ['CREATE', 'UPDATE'];
  const resources = r.pick([
    [resource],
    [resource],
    [resource],
    [resource, `${resource}/*`],
    ['*'],
    ['*/*'],
    [`${resource}/status`, resource],
  ]);
  return {
    // All resources of all groups include addresses, which the API server creates for the services of other cases.
    apiGroups: [r.chance(90) || resources[0] !== resource ? group : '*'],
    apiVersions: [r.chance(90) ? r.pick([version, otherVersion]) : '*'],
    operations: r.chance(70) ? all : [r.pick([...all, '*'])],
    resources,
    ...(r.chance(10) ? { resourceNames: r.pick([['web'], ['stored', 'other']]) } : {}),
    ...(r.chance(15) ? { scope: r.pick(['Namespaced', 'Cluster', '*']) } : {}),
  };
}

function validatingPart(r: Random, names: Names): JsonObject {
  const validations = Array.from({ length: r.below(3) + 1 }, () => ({
    expression: boolExpression(r, names, 3),
    ...(r.chance(40) ? { message: r.pick(['no', ' spaced ', 'é<&>']) } : {}),
    ...(r.chance(40) ? { messageExpression: textExpression(r, names, 2) } : {}),
    ...(r.chance(30) ? { reason: r.pick(['Forbidden', 'Invalid', 'RequestEntityTooLarge', 'Unauthorized']) } : {}),
  }));
  const auditAnnotations = Array.from({ length: r.chance(35) ? r.below(2) + 1 : 0 }, (_, i) => ({
    key: `k${i}`,
    valueExpression: r.chance(80) ? textExpression(r, names, 2) : 'null',
  }));
  return { validations, auditAnnotations };
}

function mutatingPart(r: Random, names: Names): JsonObject {
  const mutations = Array.from({ length: r.below(2) + 1 }, () =>
    r.chance(50)
      ? { patchType: 'ApplyConfiguration', applyConfiguration: { expression: objectExpression(r, names) } }
      : { patchType: 'JSONPatch', jsonPatch: { expression: patchExpression(r, names) } },
  );
  return { mutations, reinvocationPolicy: r.pick(['Never', 'IfNeeded']) };
}
