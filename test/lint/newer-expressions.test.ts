import { describe, expect, it } from 'vitest';
import { matchConditionEnvironment } from '../../src/cel/environment/admission.js';
import { compileCondition } from '../../src/cel/program/compile.js';
import { apiServers } from '../../src/cli/work/api-servers/api-servers.js';
import { kubernetesMinors } from '../../src/kubernetes/kubernetes-version.js';
import { newerExpressions } from '../../src/lint/newer-expressions.js';
import { mapOf } from '../support/map-of.js';

const server = apiServers({ minor: 'v1.38' });

const policy = (expression: string) =>
  mapOf({
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingAdmissionPolicy',
    metadata: { name: 'p' },
    spec: { validations: [{ expression }] },
  });

/** Returns the oldest minor in which an expression compiles, by asking for every minor since v1.25. */
function oldestOf(expression: string): number {
  for (let minor = 25; minor < 40; minor++) if (newerExpressions(server, policy(expression), minor).length === 0) return minor;
  return 40;
}

/** Expressions, and the oldest minor that accepts them. */
const oldest: readonly (readonly [string, number])[] = [
  ["object.spec.replicas > 3 && object.metadata.name.startsWith('a')", 25],
  ["'abc'.find('b') == 'b' && url('https://a/').getHost() == 'a'", 25],
  ['[1, 2].isSorted() && [1].sum() == 1 && [1].indexOf(1) == 0', 25],
  ["authorizer.group('').resource('pods').check('get').allowed()", 28],
  ["quantity('1Gi').isGreaterThan(quantity('1Mi'))", 29],
  ["object.?spec.?host.orValue('') == ''", 29],
  ["object[?'spec'].hasValue()", 29],
  ['object.?spec.optMap(s, s.a).orValue(false) == true', 29],
  ["'%d'.format([1]) == '1'", 30],
  ['sets.contains([1, 2], [1])', 30],
  ["isIP('10.0.0.1') && ip('10.0.0.1').family() == 4", 31],
  ["cidr('10.0.0.0/8').containsIP('10.0.0.1')", 31],
  ["!format.dns1123Label().validate('a').hasValue()", 32],
  ["authorizer.group('').resource('pods').labelSelector('a=b').check('list').allowed()", 32],
  ['{1: 2}.all(k, v, k < v)', 33],
  ['[1, 2].transformList(i, v, v * i).size() == 2', 33],
  ["semver('1.2.3').major() == 1", 34],
  ['[2, 1].sort() == [1, 2]', 35],
  ['lists.range(2).size() == 2 && [1, 1].distinct().size() == 1', 35],
  ['[1].includes(1)', 38],
];

describe('the oldest Kubernetes in which an expression compiles', () => {
  it.each(oldest)('%s: %i', (expression, minor) => {
    expect(oldestOf(expression)).toBe(minor);
  });

  it.each(kubernetesMinors)('agrees with what the API server of %s accepts', minor => {
    const environment = matchConditionEnvironment(apiServers({ minor }), 'new');
    const accepted = oldest.filter(([expression]) => 'program' in compileCondition(expression, environment));
    expect(accepted).toEqual(oldest.filter(([, since]) => since <= Number(minor.slice('v1.'.length))));
  });

  it('is said with the part that needs it, at the place of the expression', () => {
    const [found, ...others] = newerExpressions(server, policy("semver('1.2.3').major() == 1 && isIP('::1')"), 29);
    expect(others).toEqual([]);
    expect(found?.place.pointer).toBe('/spec/validations/0/expression');
    expect(found?.finding.message).toBe(
      'the expression compiles since Kubernetes v1.34, not in v1.29: semantic versions (semver, isSemver) since v1.34, IP addresses (ip, isIP) since v1.31',
    );
  });

  it('is found in match conditions, variables, mutations and rules of definitions', () => {
    const expression = "quantity('1') == quantity('1')";
    const configuration = mapOf({ kind: 'ValidatingWebhookConfiguration', webhooks: [{ matchConditions: [{ name: 'a', expression }] }] });
    const mutating = mapOf({
      kind: 'MutatingAdmissionPolicy',
      spec: { variables: [{ name: 'a', expression }], mutations: [{ patchType: 'JSONPatch', jsonPatch: { expression } }] },
    });
    const schema = { type: 'object', 'x-kubernetes-validations': [{ rule: expression }] };
    const definition = mapOf({
      ...{ apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition' },
      spec: { versions: [{ name: 'v1', schema: { openAPIV3Schema: schema } }] },
    });
    const places = [configuration, mutating, definition].flatMap(object => newerExpressions(server, object, 28));
    expect(places.map(({ place }) => place.pointer)).toEqual([
      '/webhooks/0/matchConditions/0/expression',
      '/spec/variables/0/expression',
      '/spec/mutations/0/jsonPatch/expression',
      '/spec/versions/0/schema/openAPIV3Schema/x-kubernetes-validations/0/rule',
    ]);
  });
});
