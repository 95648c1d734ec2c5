import type { JsonObject } from '../calls/scene.js';
import type { Random } from '../random.js';

/** A kind of parameters of random policies. */
export interface ParamKind {
  readonly apiVersion: string;
  readonly kind: string;
  /** Collection in a namespace, or in the cluster; undefined if no such kind is served. */
  readonly path: ((namespace: string) => string) | undefined;
  readonly isNamespaced: boolean;
  /** Expressions that read a parameter: a number, and a text. */
  readonly number: string;
  readonly text: string;
  /** What the parameter contains besides its metadata. */
  readonly contents: JsonObject;
}

export const paramKinds: readonly ParamKind[] = [
  {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    path: namespace => `/api/v1/namespaces/${namespace}/configmaps`,
    isNamespaced: true,
    number: "int(params.data['max'])",
    text: 'string(params.data.max)',
    contents: { data: { max: '3' } },
  },
  ...['v1', 'v1alpha1'].map(version => ({
    apiVersion: `rules.example.com/${version}`,
    kind: 'Limit',
    path: (namespace: string) => `/apis/rules.example.com/v1/namespaces/${namespace}/limits`,
    isNamespaced: true,
    number: 'params.spec.max',
    text: 'string(params.spec.prefix)',
    contents: { spec: { max: 3, prefix: 'a', allowed: ['web', 'x'] } },
  })),
  {
    apiVersion: 'rules.example.com/v1',
    kind: 'Ceiling',
    path: () => '/apis/rules.example.com/v1/ceilings',
    isNamespaced: false,
    number: 'params.spec.max',
    text: 'params.spec.allowed.join()',
    contents: { spec: { max: 2, allowed: ['web'] } },
  },
  {
    apiVersion: 'rules.example.com/v1',
    kind: 'Nothing',
    path: undefined,
    isNamespaced: true,
    number: 'params.spec.max',
    text: 'string(params.spec.prefix)',
    contents: {},
  },
];

/** The parameter of a case. Its name and label are unique among objects outside namespaces. */
export function parameter({ apiVersion, kind, contents }: ParamKind, namespace: string): JsonObject {
  return {
    apiVersion: apiVersion.replace('alpha1', ''),
    kind,
    metadata: { name: `limits-${namespace}`, labels: { param: namespace } },
    ...contents,
  };
}

/** A reference of a binding: by name or selector, found or not. */
export function paramRef(r: Random, { isNamespaced }: ParamKind, namespace: string): JsonObject {
  // Parameters found by a selector are in random order, so that at most one is found.
  const found = r.pick<JsonObject>([
    { name: `limits-${namespace}` },
    { name: `limits-${namespace}` },
    { name: 'none' },
    { selector: { matchLabels: { param: namespace } } },
    { selector: { matchExpressions: [{ key: 'param', operator: 'In', values: [namespace, 'x'] }] } },
    { selector: { matchLabels: { param: 'none' } } },
  ]);
  const givesNamespace = r.chance(isNamespaced ? 30 : 5);
  return {
    ...found,
    parameterNotFoundAction: r.pick(['Allow', 'Deny']),
    ...(givesNamespace ? { namespace: r.pick([namespace, namespace, 'default']) } : {}),
  };
}
