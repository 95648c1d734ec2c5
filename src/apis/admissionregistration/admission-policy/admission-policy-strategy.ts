import type { Refinement, StrategyContext } from '../../../apiserver/registry/strategy.js';
import { staticNameErrors } from '../../../apiserver/registry/validation/static-name.js';
import { mapAt, sameValue, stringAt, type Value, type ValueMap, valueAt } from '../../../go/value.js';
import { type FieldError, forbiddenField } from '../../../kubernetes/field-error.js';
import { parseApiVersion } from '../../../kubernetes/group-version.js';

/**
 * Policies and bindings with parameters: the writer must be allowed to read the parameters, which is only checked for valid objects.
 * Source: kubernetes pkg/registry/admissionregistration, the files authz.go.
 */
export const admissionPolicy: Refinement = base => ({
  ...base,
  validate: (object, context) => {
    const errors = [...base.validate(object, context), ...staticNameErrors(context.server, stringAt(object, 'metadata', 'name'))];
    return orForbidden(errors, object, undefined, context);
  },
  validateUpdate: (object, old, context) => orForbidden(base.validateUpdate(object, old, context), object, old, context),
});

function orForbidden(errors: FieldError[], object: ValueMap, old: ValueMap | undefined, context: StrategyContext): FieldError[] {
  if (errors.length > 0 || context.subresource !== '' || context.user.groups.includes('system:masters')) return errors;
  const isBinding = context.resource.kind.kind.endsWith('Binding');
  const field = isBinding ? 'paramRef' : 'paramKind';
  const given = mapAt(object, 'spec', field);
  if (given === undefined || isKept(object, old, field)) return errors;
  const why = isBinding ? bindingRefusal(object, given, context) : policyRefusal(given, context);
  return why === undefined ? [] : [forbiddenField(`spec.${field}`, why)];
}

/**
 * Reports whether the reference is unchanged; selectors are compared by identity there, so that one with a selector always counts as
 * changed.
 */
function isKept(object: ValueMap, old: ValueMap | undefined, field: string): boolean {
  const [now, before] = [mapAt(object, 'spec', field), mapAt(old, 'spec', field)];
  if (now === undefined || before === undefined || !sameValue(now, before)) return false;
  if (field === 'paramKind') return true;
  const isSamePolicy = stringAt(object, 'spec', 'policyName') === stringAt(old, 'spec', 'policyName');
  return isSamePolicy && !now.has('selector') && !now.has('parameterNotFoundAction');
}

function policyRefusal(paramKind: ValueMap, context: StrategyContext): string | undefined {
  const target = targetOf(paramKind, context);
  const isAllowed = mayRead({ verb: 'get', name: '*', namespace: '*', ...target }, context);
  if (isAllowed) return undefined;
  const what = `(kind=${stringAt(paramKind, 'kind')}, apiVersion=${stringAt(paramKind, 'apiVersion')})`;
  return `user ${printedUser(context)} must have "get" permission on all objects of the referenced paramKind ${what}`;
}

function bindingRefusal(object: ValueMap, paramRef: ValueMap, context: StrategyContext): string | undefined {
  const policyName = stringAt(object, 'spec', 'policyName');
  const kind = context.resource.kind.kind.replace(/Binding$/, '');
  const policy = context.storage.find({ group: 'admissionregistration.k8s.io', kind }, '', policyName);
  const paramKind = mapAt(policy, 'spec', 'paramKind');
  const target = paramKind === undefined ? { group: '*', resource: '*' } : targetOf(paramKind, context);
  const name = stringAt(paramRef, 'name');
  const verb = name === '' ? 'list' : 'get';
  if (mayRead({ verb, name, namespace: stringAt(paramRef, 'namespace'), ...target }, context)) return undefined;
  const user = printedUser(context);
  const lacks = `to determine minimum required permissions and user ${user} does not have "${verb}" permission for all groups, versions and resources`;
  if (policy === undefined) return `unable to get policy ${policyName} ${lacks}`;
  if (paramKind !== undefined && target.resource === '*') return `unable to resolve paramKind ${printedKind(paramKind)} ${lacks}`;
  // Messages of mutating bindings have the two in swapped order.
  const [who, what] = kind.startsWith('Mutating') ? [verb, user] : [user, verb];
  return `user ${who} does not have "${what}" permission on the object referenced by paramRef`;
}

/** Returns group and resource of a kind; any resource of the group when the kind is not served. */
function targetOf(paramKind: ValueMap, { resources }: StrategyContext): { readonly group: string; readonly resource: string } {
  const version = parseApiVersion(stringAt(paramKind, 'apiVersion'));
  if (version === undefined) return { group: '*', resource: '*' };
  const found = resources.find(
    r => r.group === version.group && r.version === version.version && r.kind.kind === stringAt(paramKind, 'kind'),
  );
  return { group: version.group, resource: found?.resource ?? '*' };
}

interface Deed {
  readonly verb: string;
  readonly group: string;
  readonly resource: string;
  readonly namespace: string;
  readonly name: string;
}

function mayRead(deed: Deed, { user, authorizer }: StrategyContext): boolean {
  return authorizer().authorize({ user, subresource: '', fieldSelector: '', labelSelector: '', ...deed }).allowed;
}

/** Returns a *user.DefaultInfo as Go's %v prints it. */
function printedUser({ user }: StrategyContext): string {
  const extra = [...user.extra].sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)).map(([key, values]) => `${key}:[${values.join(' ')}]`);
  return `&{${user.username} ${user.uid} [${user.groups.join(' ')}] map[${extra.join(' ')}]}`;
}

/** Returns a *ParamKind as Go's %v prints it. */
function printedKind(paramKind: ValueMap): string {
  const text = (value: Value | undefined): string => (typeof value === 'string' ? value : '');
  return `&ParamKind{APIVersion:${text(valueAt(paramKind, 'apiVersion'))},Kind:${text(valueAt(paramKind, 'kind'))},}`;
}
