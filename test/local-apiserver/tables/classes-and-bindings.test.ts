import { expect, it } from 'vitest';
import { newServedCluster } from '../support/served-cluster.js';
import { tableRows } from '../support/table-rows.js';

it('Tables mark default classes', async () => {
  const served = newServedCluster();
  const classes = [
    ['networking.k8s.io/v1', 'ingressclasses', 'ingressclass.kubernetes.io', { spec: { controller: 'example.com/x' } }],
    ['storage.k8s.io/v1', 'storageclasses', 'storageclass.beta.kubernetes.io', { provisioner: 'example.com/x' }],
  ] as const;
  for (const [version, resource, prefix, more] of classes) {
    const path = `/apis/${version}/${resource}`;
    for (const value of ['true', 'false'])
      await served.request('POST', path, {
        body: { metadata: { name: `is-${value}`, annotations: { [`${prefix}/is-default-class`]: value } }, ...more },
      });
    expect((await tableRows(served, path)).map(([name]) => name)).toEqual(['is-false', 'is-true (default)']);
  }
});

it("Tables show a policy binding's parameters as the API server prints them", async () => {
  const served = newServedCluster();
  const path = '/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings';
  const matchExpressions = [{ key: 'z', operator: 'In', values: ['x', 'w'] }];
  const references = {
    a: undefined,
    b: { name: 'p' },
    c: { name: 'p', namespace: 'default' },
    d: { namespace: 'default', selector: {} },
    e: { selector: { matchLabels: { a: 'b', c: 'd' }, matchExpressions } },
  };
  for (const [name, reference] of Object.entries(references)) {
    const paramRef = reference && { ...reference, parameterNotFoundAction: 'Deny' };
    const { status, body } = await served.request('POST', path, {
      body: { metadata: { name }, spec: { policyName: 'p', validationActions: ['Deny'], paramRef } },
    });
    expect([status, body]).toEqual([201, body]);
  }
  // Printed by kube-apiserver v1.36.3.
  expect((await tableRows(served, path)).map(([, , parameters]) => parameters)).toEqual([
    '<unset>',
    '*/p',
    'default/p',
    '&LabelSelector{MatchLabels:map[string]string{},MatchExpressions:[]LabelSelectorRequirement{},}',
    '&LabelSelector{MatchLabels:map[string]string{a: b,c: d,},MatchExpressions:[]LabelSelectorRequirement{LabelSelectorRequirement{Key:z,Operator:In,Values:[x w],},},}',
  ]);
});
