import { describe, expect, it } from 'vitest';
import { newServedCluster } from '../../../local-apiserver/support/served-cluster.js';

const label = `a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')`;

/** Recorded from kube-apiserver v1.36.3. */
describe('kinds that v1.36 validates declaratively', () => {
  const { request } = newServedCluster(['--runtime-config=api/all=true', '--feature-gates=AllAlpha=true,AllBeta=true']);
  const messageOf = async (path: string, body: object): Promise<string> => {
    const reply = await request('POST', path, { body });
    return (JSON.parse(String(reply.body)) as { message: string }).message;
  };

  it('Workload', async () => {
    const podGroupTemplates = [{ name: 'A', schedulingPolicy: { basic: {}, gang: { minCount: 1 } } }, { name: 'A' }];
    const body = { metadata: { name: 'a' }, spec: { controllerRef: { apiGroup: 'a' }, podGroupTemplates } };
    expect(await messageOf('/apis/scheduling.k8s.io/v1alpha2/namespaces/default/workloads', body)).toBe(
      `Workload.scheduling.k8s.io "a" is invalid: [${[
        'spec.controllerRef.kind: Required value',
        'spec.controllerRef.name: Required value',
        'spec.podGroupTemplates[1]: Duplicate value: {"name":"A","schedulingPolicy":{},"schedulingConstraints":null}',
        `spec.podGroupTemplates[0].name: Invalid value: "A": ${label}`,
        'spec.podGroupTemplates[0].schedulingPolicy: Invalid value: "{basic, gang}": must specify exactly one of: `basic`, `gang`',
        `spec.podGroupTemplates[1].name: Invalid value: "A": ${label}`,
        'spec.podGroupTemplates[1].schedulingPolicy: Invalid value: "": must specify one of: `basic`, `gang`',
      ].join(', ')}]`,
    );
  });

  it('ResourcePoolStatusRequest', async () => {
    const body = { metadata: { name: 'a' }, spec: { driver: '', poolName: 'a//b', limit: 2000 } };
    expect(await messageOf('/apis/resource.k8s.io/v1alpha3/resourcepoolstatusrequests', body)).toBe(
      `ResourcePoolStatusRequest.resource.k8s.io "a" is invalid: [${[
        'spec.driver: Required value',
        'spec.poolName: Invalid value: "a//b": segment 1: must not be empty',
        'spec.limit: Invalid value: 2000: must be less than or equal to 1000',
      ].join(', ')}]`,
    );
  });
});
