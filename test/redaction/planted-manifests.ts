import type { Planted } from './planted-secrets.js';

const base64 = (text: string): string => Buffer.from(text).toString('base64');

/** Objects of which the policy quotes every value in its message: those of a kind share one, unless it is an annotation. */
export function manifestsOf(secrets: readonly Planted[]): object[] {
  const groups = [...new Set(secrets.map(({ kind }) => kind))].map(kind => secrets.filter(secret => secret.kind === kind));
  const named = (kind: string, i: number) => ({ apiVersion: 'v1', kind, metadata: { name: `${kind.toLowerCase()}-${i}` } });
  return groups.flatMap((group, i): object[] => {
    const annotated = group.flatMap(({ pod }) => (pod?.annotation === undefined ? [] : [pod.annotation]));
    if (annotated.length > 0) return annotated.map((text, j) => podOf(`annotated-${i}-${j}`, [{}], { [lastApplied]: text }));
    const containers = group.flatMap(({ pod }) => (pod === undefined ? [] : [pod]));
    if (containers.length > 0) return [podOf(`pod-${i}`, containers)];
    const texts = group.flatMap(({ data }) => (data === undefined ? [] : [data]));
    if (texts.length > 0) return [{ ...named('ConfigMap', i), data: Object.fromEntries(texts.map((text, j) => [`text${j}`, text])) }];
    const [{ ofSecret = 'data' } = {}] = group;
    const values = group.map(({ secret }, j) => [`value${j}`, ofSecret === 'data' ? base64(secret) : secret]);
    return [{ ...named('Secret', i), [ofSecret]: Object.fromEntries(values) }];
  });
}

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration';

function podOf(name: string, given: readonly NonNullable<Planted['pod']>[], annotations?: object): object {
  const containers = given.map(({ env, args = [] }, i) => ({ name: `app-${i}`, image: 'app', env: env === undefined ? [] : [env], args }));
  return { apiVersion: 'v1', kind: 'Pod', metadata: { name, ...(annotations === undefined ? {} : { annotations }) }, spec: { containers } };
}

/** Refuses every object and quotes its values. */
const policy = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicy',
  metadata: { name: 'quote' },
  spec: {
    matchConstraints: {
      resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods', 'configmaps', 'secrets'] }],
    },
    validations: [
      {
        expression: 'false',
        messageExpression:
          "'refused: ' + (has(object.data) ? object.data.map(k, string(object.data[k])).join(' ') : '') + (has(object.spec) ? object.spec.containers.map(c, c.env.map(e, e.value).join(' ') + ' ' + c.args.join(' ')).join(' ') : '')",
      },
    ],
  },
};
const binding = {
  apiVersion: 'admissionregistration.k8s.io/v1',
  kind: 'ValidatingAdmissionPolicyBinding',
  metadata: { name: 'quote' },
  spec: { policyName: 'quote', validationActions: ['Deny'] },
};

const list = (items: readonly object[]): string => JSON.stringify({ apiVersion: 'v1', kind: 'List', items });

/** The objects as a list. */
export const manifestsText = (secrets: readonly Planted[]): string => list(manifestsOf(secrets));

/** State with the policy that quotes. */
export const quotingState = list([policy, binding]);

/** Returns a function that finds the kinds of secrets that are in a text, as they are or in base64. */
export function searchFor(planted: readonly Planted[]): (text: string) => string[] {
  const forms = planted.map(({ kind, secret }) => ({ kind, texts: [secret, base64(secret).replace(/=+$/, '')] }));
  return text => [...new Set(forms.filter(({ texts }) => texts.some(form => text.includes(form))).map(({ kind }) => kind))];
}
