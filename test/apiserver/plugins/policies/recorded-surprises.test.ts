import { describe, expect, it } from 'vitest';
import { handleCall } from '../../../../src/apiserver/handle-call.js';
import { effectsFor } from '../../../../src/cli/shell/effects.js';
import { stringAt, toValue, type ValueMap } from '../../../../src/go/value.js';
import { jsonPathProblem } from '../../../../src/kubernetes/json-path/parse.js';
import { clusterStateWith } from '../../../support/cluster-state.js';

const apiVersion = 'admissionregistration.k8s.io/v1';
const matchConstraints = {
  resourceRules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['*'], resources: ['configmaps', 'services'] }],
};

async function answer(
  kind: string,
  spec: object,
  { actions = ['Deny'], object = {} }: { actions?: readonly string[]; object?: object } = {},
) {
  const policy = { apiVersion, kind, metadata: { name: 'p' }, spec: { matchConstraints, ...spec } };
  const binding = { apiVersion, kind: `${kind}Binding`, metadata: { name: 'b' }, spec: { policyName: 'p', validationActions: actions } };
  const objects = [policy, binding].map(one => toValue(one) as ValueMap);
  const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { k: 'v' }, ...object };
  const resource = `${body.kind.toLowerCase()}s`;
  const call = {
    method: 'POST',
    path: `/api/v1/namespaces/default/${resource}`,
    contentType: 'application/json',
    userAgent: undefined,
    headers: {},
    body: Buffer.from(JSON.stringify(body)),
    user: undefined,
  };
  const effects = effectsFor(() => Promise.reject(new Error('there are no webhooks')));
  return (await handleCall(call, clusterStateWith({ objects }), effects)).answer;
}

async function mutated(expression: string, object: object = {}): Promise<string> {
  const mutations = [{ patchType: 'ApplyConfiguration', applyConfiguration: { expression } }];
  const { status, body } = await answer('MutatingAdmissionPolicy', { reinvocationPolicy: 'Never', mutations }, { object });
  const message = stringAt(toValue(JSON.parse(body)), 'message');
  return `${status} ${message.replace(/^.*typed object: /, '')}`;
}

describe('random policies give the recorded answers of kube-apiserver', () => {
  it.each([
    ['{\'k\': b"ab"}', '.data.k: expected string, got &value.valueUnstructured{Value:[]uint8{0x61, 0x62}}'],
    ["{'k': 3u}", '.data.k: expected string, got &value.valueUnstructured{Value:0x3}'],
    ["{'k': []}", '.data.k: expected string, got &value.valueUnstructured{Value:[]ref.Val{}}'],
    ["{'k': 'a1b2'.findAll('[0-9]')}", '.data.k: expected string, got &value.valueUnstructured{Value:[]string{"1", "2"}}'],
    ['null', '.data: expected map, got &{NULL_VALUE}'],
  ])('names the Go value of data: %s', async (value, message) => {
    expect(await mutated(`Object{data: ${value}}`)).toBe(`403 ${message}`);
  });

  it('fills in the default of what an ApplyConfiguration sets to an empty text', async () => {
    const service = { kind: 'Service', data: undefined, spec: { ports: [{ port: 80 }] } };
    expect(await mutated("Object{spec: Object.spec{type: ''}}", service)).toBe('201 ');
  });

  it('gives messages no authorizer, also not through variables', async () => {
    const check = "authorizer.group('').resource('pods').check('get').allowed()";
    const spec = {
      variables: [{ name: 'may', expression: check }],
      validations: [{ expression: 'false', messageExpression: 'string(variables.may)' }],
    };
    const { body } = await answer('ValidatingAdmissionPolicy', spec);
    expect(stringAt(toValue(JSON.parse(body)), 'message')).toMatch(/denied request: failed expression: false$/);
  });

  it('closes the connection for a variable that refers to itself', async () => {
    const variables = [
      { name: 'a', expression: '1' },
      { name: 'a', expression: 'variables.a + 1' },
    ];
    const { status } = await answer('ValidatingAdmissionPolicy', { variables, validations: [{ expression: 'variables.a == 2' }] });
    expect(status).toBe(0);
  });
});

describe('the JSONPath of a field reference', () => {
  it.each([
    ['{spec.validations[0].expression}', undefined],
    ["{.spec['a'][0:2]..b[?(@.x == 1)]}", undefined],
    ['{spec.validations[maple}', 'unterminated array'],
    ['{spec[x]}', 'invalid array index x'],
    ['{spec.#}', undefined],
    ['{#}', "unrecognized character in action: U+0023 '#'"],
    ['{spec', 'unclosed action'],
    ['{....a}', 'invalid multiple recursive descent'],
    ["{'a}", 'unterminated quoted string'],
    ['{[?(@.a]}', 'unterminated filter'],
  ])('%s', (text, problem) => {
    expect(jsonPathProblem(text)).toBe(problem);
  });
});
