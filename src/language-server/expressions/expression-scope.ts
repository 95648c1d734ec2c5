import { servedBy } from '../../apiserver/call/served-resources.js';
import type { VariableDeclaration } from '../../cel/check/declarations.js';
import { matchConditionEnvironment, policyEnvironment } from '../../cel/environment/admission.js';
import { type Environment, kubernetesEnvironment } from '../../cel/environment/environment.js';
import { admissionRequestType, namespaceType } from '../../cel/environment/kubernetes-types.js';
import { compileExpression } from '../../cel/program/compile.js';
import { DYN, type Type } from '../../cel/values/type.js';
import { isList, isMap, listAt, mapAt, stringAt, type Value, type ValueMap } from '../../go/value.js';
import type { ClusterState } from '../../kubernetes/api-call.js';
import type { GroupVersionKind } from '../../kubernetes/group-version.js';
import { customType } from '../types/custom-type.js';
import type { StructType } from '../types/field-type.js';
import { kindNamed, typeOfKind } from '../types/type-of-kind.js';
import { CelTypes } from './cel-types.js';
import type { ExpressionPlace } from './expression-site.js';

/** Declarations for an expression whose object has one type. */
export interface ExpressionScope {
  readonly environment: Environment;
  readonly types: CelTypes;
  /** Kind of the object; undefined if it is not known. */
  readonly kind: GroupVersionKind | undefined;
  /** Type of the object. */
  readonly object: StructType | undefined;
}

/** Max number of kinds that an expression is checked for. Source: apiserver admission/plugin/policy/validating/typechecking.go maxTypesToCheck. */
const maxKinds = 10;

/** Returns a scope for each kind that the expression is for; one without types if none is known. */
export function expressionScopes(site: ExpressionPlace, state: ClusterState): readonly ExpressionScope[] {
  if (site.role === 'rule') return [ruleScope(site, state)];
  const kinds = kindsOf(site, state).slice(0, maxKinds);
  const known = kinds.flatMap(kind => {
    const object = typeOfKind(state, kind);
    return object === undefined ? [] : [{ kind, object }];
  });
  if (known.length === 0) return [admissionScope(site, state, undefined)];
  return known.map(one => admissionScope(site, state, one));
}

/** `self` is the value whose schema has the rule. */
function ruleScope({ object, path }: ExpressionPlace, state: ClusterState): ExpressionScope {
  const place = path.slice(0, path.lastIndexOf('x-kubernetes-validations'));
  const schema = valueAt(object, place);
  const version = stringAt(
    isMap(valueAt(object, place.slice(0, 3))) ? (valueAt(object, place.slice(0, 3)) as ValueMap) : undefined,
    'name',
  );
  const kind = { group: stringAt(object, 'spec', 'group'), version, kind: stringAt(object, 'spec', 'names', 'kind') };
  const types = new CelTypes();
  const isRoot = place.at(-1) === 'openAPIV3Schema';
  const whole = isRoot ? typeOfKind({ ...state, objects: [object] }, kind) : undefined;
  const withMetadata = whole === undefined ? undefined : withNamesOnly(whole);
  const self = withMetadata ?? (isMap(schema) ? customType(schema) : undefined);
  const type = self === undefined ? DYN : types.typeOf(self);
  const variables = [
    { name: 'self', type },
    { name: 'oldSelf', type },
  ];
  const environment = kubernetesEnvironment(state.server, { variables, structs: [] });
  return { environment: withTypes(environment, types, []), types, kind, object: self?.kind === 'struct' ? self : undefined };
}

const nameField = { type: { kind: 'leaf', leaf: 'string', text: 'string' } } as const;

/** Rules of a root see the names in its metadata, and no other member. Source: apiextensions pkg/apiserver/schema/cel/model/schemas.go WithTypeAndObjectMeta. */
function withNamesOnly(root: StructType): StructType {
  const fields = new Map([
    ['name', nameField],
    ['generateName', nameField],
  ] as const);
  const metadata: StructType = { kind: 'struct', name: 'ObjectMeta', isOpen: false, fields: () => fields };
  return { ...root, fields: () => new Map([...root.fields(), ['metadata', { type: metadata }]]) };
}

function admissionScope(
  site: ExpressionPlace,
  state: ClusterState,
  known: { readonly kind: GroupVersionKind; readonly object: StructType } | undefined,
): ExpressionScope {
  const types = new CelTypes();
  const { object } = site;
  const paramKind = mapAt(object, 'spec', 'paramKind');
  const paramType =
    paramKind === undefined ? undefined : typeOfKind(state, kindNamed(stringAt(paramKind, 'apiVersion'), stringAt(paramKind, 'kind')));
  const type = known === undefined ? DYN : types.typeOf(known.object);
  const typed: VariableDeclaration[] = [
    { name: 'object', type },
    { name: 'oldObject', type },
    ...(paramType === undefined ? [] : [{ name: 'params', type: types.typeOf(paramType) }]),
  ];
  const variables = site.role === 'policy' || site.role === 'mutation' ? new Map<string, Type>() : undefined;
  const names = { hasParams: paramKind !== undefined, hasAuthorizer: true, variables, hasPatchTypes: site.role === 'mutation' };
  const environment = site.role === 'webhook-condition' ? matchConditionEnvironment(state.server) : policyEnvironment(state.server, names);
  const whole = withTypes(environment, types, typed);
  if (variables !== undefined) declareVariables(site, whole, variables);
  return { environment: whole, types, kind: known?.kind, object: known?.object };
}

/** Declares the policy's variables before the expression, in their order. */
function declareVariables({ object, path }: ExpressionPlace, environment: Environment, variables: Map<string, Type>): void {
  const all = listAt(object, 'spec', 'variables');
  const count = path[1] === 'variables' && typeof path[2] === 'number' ? path[2] : all.length;
  for (const variable of all.slice(0, count)) {
    const compiled = compileExpression(stringAt(variable, 'expression'), environment);
    variables.set(stringAt(variable, 'name'), compiled.outcome === 'compiled' ? compiled.program.type : DYN);
  }
}

function withTypes(environment: Environment, types: CelTypes, variables: readonly VariableDeclaration[]): Environment {
  const own = environment.types.structs;
  const get: typeof own.get = name => types.declarationOf(name) ?? own.get(name);
  const structs = { get, has: (name: string) => get(name) !== undefined };
  const declared = new Map([...environment.variables, ...variables.map(variable => [variable.name, variable] as const)]);
  return { ...environment, variables: declared, types: { ...environment.types, structs } };
}

/** Names of the fields of the types that the API server declares; their declarations can only be asked for one. */
export const declaredFields: ReadonlyMap<string, readonly string[]> = new Map(
  [admissionRequestType, namespaceType].flatMap(type => [...fieldNames(type)]),
);

function* fieldNames(type: typeof admissionRequestType): Generator<readonly [string, readonly string[]]> {
  yield [type.name, Object.keys(type.fields)];
  for (const field of Object.values(type.fields)) {
    if ('fields' in field) yield* fieldNames(field);
    else if ('element' in field) yield* fieldNames(field.element);
  }
}

/** Returns the kinds that the rules of a policy or webhook name: not those of wildcards. */
function kindsOf({ object, path }: ExpressionPlace, state: ClusterState): GroupVersionKind[] {
  const webhook = path[0] === 'webhooks' ? listAt(object, 'webhooks')[Number(path[1])] : undefined;
  const rules = webhook === undefined ? listAt(object, 'spec', 'matchConstraints', 'resourceRules') : listAt(webhook, 'rules');
  const found = new Map<string, GroupVersionKind>();
  for (const rule of rules) {
    const [groups, versions, resources] = ['apiGroups', 'apiVersions', 'resources'].map(name => listAt(rule, name));
    for (const { group, version, resource, kind } of servedBy(state).resources) {
      const isNamed = groups?.includes(group) === true && resources?.includes(resource) === true;
      if (isNamed && (versions?.includes(version) === true || versions?.includes('*') === true))
        found.set(`${group}/${version}/${kind.kind}`, kind);
    }
  }
  return [...found.values()];
}

function valueAt(value: Value, path: readonly (string | number)[]): Value | undefined {
  let at: Value | undefined = value;
  for (const step of path) at = isMap(at) ? at.get(String(step)) : isList(at) && typeof step === 'number' ? at[step] : undefined;
  return at;
}
