import { describe, expect, it } from 'vitest';
import { write } from '../../support/written-object.js';

const group = '/apis/admissionregistration.k8s.io/v1';
const rule = { apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] };
const paths: Readonly<Record<string, string>> = {
  ValidatingAdmissionPolicy: 'validatingadmissionpolicies',
  ValidatingAdmissionPolicyBinding: 'validatingadmissionpolicybindings',
  MutatingAdmissionPolicy: 'mutatingadmissionpolicies',
};

async function written(kind: string, spec: object, name = 'p') {
  const object = { apiVersion: 'admissionregistration.k8s.io/v1', kind, metadata: { name }, spec };
  const answer = await write({ path: `${group}/${paths[kind]}`, object });
  const causes: { field: string; message: string }[] = answer.body.details?.causes ?? [];
  return { ...answer, messages: causes.map(({ field, message }) => `${field}: ${message}`) };
}

const policy = (parts: object) =>
  written('ValidatingAdmissionPolicy', { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }], ...parts });

describe('a validating policy', () => {
  it('may name parameters, the authorizer and its variables in their order', async () => {
    const { messages, notes } = await policy({
      paramKind: { apiVersion: 'v1', kind: 'ConfigMap' },
      matchConditions: [{ name: 'c', expression: 'has(params.data)' }],
      variables: [
        { name: 'count', expression: 'size(object.spec.containers)' },
        { name: 'many', expression: 'variables.count > params.most' },
      ],
      validations: [{ expression: '!variables.many', messageExpression: '"got " + string(variables.count)', reason: 'Invalid' }],
      auditAnnotations: [{ key: 'a', valueExpression: 'variables.many ? "many" : "few"' }],
    });
    expect(messages).toEqual([]);
    expect(notes).toEqual([]);
  });

  it.each([
    [{ matchConstraints: {} }, ['spec.matchConstraints.resourceRules: Required value']],
    [
      { validations: [], auditAnnotations: [] },
      [
        'spec.validations: Required value: validations or auditAnnotations must contain at least one item',
        'spec.auditAnnotations: Required value: validations or auditAnnotations must contain at least one item',
      ],
    ],
    [
      { validations: [{ expression: '1', message: 'a\nb', messageExpression: ' ', reason: 'X' }] },
      [
        'spec.validations[0].expression: Invalid value: "1": must evaluate to bool but got int',
        'spec.validations[0].messageExpression: Invalid value: " ": must be non-empty if specified',
        'spec.validations[0].message: Invalid value: "a\\nb": must not contain line breaks',
        'spec.validations[0].reason: Unsupported value: "X": supported values: "Forbidden", "Invalid", "RequestEntityTooLarge"',
      ],
    ],
    [
      { variables: [{ name: 'in', expression: '1' }], auditAnnotations: [{ key: 'a', valueExpression: '2' }] },
      [
        'spec.variables[0].name: Invalid value: "in": must be a valid CEL identifier',
        'spec.auditAnnotations[0].valueExpression: Invalid value: "2": must evaluate to one of [string null_type] but got int',
      ],
    ],
    [
      { paramKind: { apiVersion: 'A/v1', kind: '1' } },
      [
        expect.stringMatching(/^spec\.paramKind\.apiVersion: Invalid value: "A": a lowercase RFC 1123 subdomain/),
        expect.stringMatching(
          /^spec\.paramKind\.kind: Invalid value: "1": may have mixed case, but should otherwise match: a DNS-1035 label/,
        ),
      ],
    ],
  ])('is refused: %j', async (parts, messages) => {
    expect((await policy(parts)).messages).toEqual(messages);
  });

  it('has no params without paramKind, and no authorizer in messages', async () => {
    const [params, message] = (await policy({ validations: [{ expression: 'params.a', messageExpression: 'authorizer' }] })).messages;
    expect(params).toContain("undeclared reference to 'params'");
    expect(message).toContain("undeclared reference to 'authorizer'");
  });

  it('should not have a reserved name', async () => {
    const spec = { matchConstraints: { resourceRules: [rule] }, validations: [{ expression: 'true' }] };
    expect((await written('ValidatingAdmissionPolicy', spec, 'a.static.k8s.io')).warnings).toHaveLength(1);
  });
});

it('a binding has a policy, parameters and actions', async () => {
  const { messages } = await written('ValidatingAdmissionPolicyBinding', {
    paramRef: { name: 'a', selector: {} },
    validationActions: ['Deny', 'Warn', 'Warn'],
  });
  expect(messages).toEqual([
    'spec.policyName: Required value',
    'spec.paramRef.name: Forbidden: name and selector are mutually exclusive',
    'spec.paramRef.selector: Forbidden: name and selector are mutually exclusive',
    'spec.paramRef.parameterNotFoundAction: Required value',
    'spec.validationActions[2]: Duplicate value: "Warn"',
    'spec.validationActions: Invalid value: ["Deny","Warn","Warn"]: must not contain both Deny and Warn (repeating the same validation failure information in the API response and headers serves no purpose)',
  ]);
});

it('a mutating policy needs mutations, and cannot match DELETE', async () => {
  const { messages, notes } = await written('MutatingAdmissionPolicy', {
    matchConstraints: { resourceRules: [{ ...rule, operations: ['DELETE'] }] },
    mutations: [{ patchType: 'JSONPatch', applyConfiguration: { expression: 'x' } }],
    reinvocationPolicy: 'Never',
  });
  expect(messages).toEqual([
    'spec.matchConstraints.resourceRules.operations: Unsupported value: "DELETE": supported values: "*", "CONNECT", "CREATE", "UPDATE"',
    'spec.mutations[0].jsonPatch: Required value: must be specified when patchType is JSONPatch',
    'spec.mutations[0].applyConfiguration: Invalid value: "{applyConfiguration}": must not be specified when patchType is JSONPatch',
  ]);
  expect(notes).toEqual([]);
});
