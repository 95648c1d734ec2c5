import { expect, it } from 'vitest';
import { write } from '../../support/written-object.js';

const rule = {
  subjects: [{ kind: 'User', user: { name: 'jane' } }],
  resourceRules: [{ verbs: ['get'], apiGroups: ['*'], resources: ['pods'], namespaces: ['*'] }],
};

function schema(parts: object, ...rules: object[]): object {
  return {
    apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
    kind: 'FlowSchema',
    metadata: { name: 'f' },
    spec: { matchingPrecedence: 500, priorityLevelConfiguration: { name: 'p' }, rules, ...parts },
  };
}

const messagesOf = async (object: object): Promise<string[]> => {
  const { body } = await write({ path: '/apis/flowcontrol.apiserver.k8s.io/v1/flowschemas', object });
  const causes: { field: string; message: string }[] = body.details?.causes ?? [];
  return causes.map(({ field, message }) => `${field}: ${message}`);
};

it.each([
  [schema({}, rule), []],
  [
    schema({ matchingPrecedence: 1, distinguisherMethod: { type: 'X' }, priorityLevelConfiguration: {} }),
    [
      `spec.matchingPrecedence: Invalid value: 1: only the schema named 'exempt' may have matchingPrecedence 1`,
      'spec.distinguisherMethod.type: Unsupported value: {"Type":"X"}: supported values: "ByNamespace", "ByUser"',
      'spec.priorityLevelConfiguration.name: Required value: must reference a priority level',
    ],
  ],
  [
    schema({}, { subjects: [{ kind: 'Group', user: { name: 'jane' } }, { kind: 'X' }] }),
    [
      `spec.rules[0].subjects[0].group: Required value: group is required when subject kind is 'Group'`,
      `spec.rules[0].subjects[0].user: Forbidden: user is forbidden when subject kind is not 'User'`,
      'spec.rules[0].subjects[1].kind: Unsupported value: "X": supported values: "Group", "ServiceAccount", "User"',
      'spec.rules[0]: Required value: at least one of resourceRules and nonResourceRules has to be non-empty',
    ],
  ],
  [
    schema(
      {},
      {
        ...rule,
        resourceRules: [{ verbs: ['fly'], apiGroups: ['*', 'a'], resources: [] }],
        nonResourceRules: [{ verbs: ['*'], nonResourceURLs: ['x', '/a*', '/b/*'] }],
      },
    ),
    [
      'spec.rules[0].resourceRules[0].verbs: Unsupported value: ["fly"]: supported values: "create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch"',
      `spec.rules[0].resourceRules[0].apiGroups: Invalid value: ["*","a"]: if '*' is present, must not specify other api groups`,
      'spec.rules[0].resourceRules[0].resources: Required value: resource rules must supply at least one resource',
      'spec.rules[0].resourceRules[0].namespaces: Required value: resource rules that are not cluster scoped must supply at least one namespace',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[0]: Invalid value: "x": must start with slash',
      'spec.rules[0].nonResourceRules[0].nonResourceURLs[1]: Invalid value: "/a*": wildcard can only do suffix matching',
    ],
  ],
])('a flow schema %#', async (object, messages) => {
  expect(await messagesOf(object)).toEqual(messages);
});
