import { describe, expect, it } from 'vitest';
import { subresourceRulesOf } from '../../src/apiserver/registry/generic/validation-of.js';
import { updateErrors } from '../../src/apiserver/registry/object-errors.js';
import { isMap, toValue, type ValueMap } from '../../src/go/value.js';
import { printFieldError } from '../../src/kubernetes/field-error.js';
import { builtInResources } from '../../src/kubernetes/resource-table.js';
import { encodedRequest } from '../support/certificate-request-maker.js';
import { server } from '../support/server.js';

const certificateRequest = encodedRequest();
const metadata = { name: 'x', namespace: 'team', uid: 'u', resourceVersion: '1' };
const complete = { type: 'Complete', status: 'True' };
const container = { name: 'c', image: 'i', terminationMessagePolicy: 'File', imagePullPolicy: 'Always' };
const pod = {
  spec: {
    containers: [{ ...container, resources: { requests: { cpu: '1' } } }],
    restartPolicy: 'Never',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    ephemeralContainers: [{ ...container, name: 'debug' }],
  },
  status: { qosClass: 'Burstable', containerStatuses: [{ name: 'c', state: { terminated: { exitCode: 1 } } }] },
};

/** Resource, subresource, stored object, replaced parts, error message. */
const cases: readonly (readonly [string, string, object, object, readonly string[]])[] = [
  [
    'deployments.apps',
    'status',
    { status: { collisionCount: 2 } },
    { status: { replicas: 1, readyReplicas: 2, availableReplicas: 3, collisionCount: 1 } },
    [
      'status.readyReplicas: Invalid value: 2: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than status.replicas',
      'status.availableReplicas: Invalid value: 3: cannot be greater than readyReplicas',
      'status.collisionCount: Invalid value: 1: cannot be decremented',
    ],
  ],
  [
    'statefulsets.apps',
    'status',
    {},
    { status: { replicas: 2, readyReplicas: 1, availableReplicas: 2 } },
    ['status.availableReplicas: Invalid value: 2: cannot be greater than status.readyReplicas'],
  ],
  [
    'jobs.batch',
    'status',
    { spec: { completions: 3, completionMode: 'Indexed' }, status: { failed: 2 } },
    { status: { failed: 1, completedIndexes: '0,2-1', conditions: [complete] } },
    [
      'status.completionTime: Required value: completionTime is required for Complete jobs',
      'status.conditions: Invalid value: cannot set Complete=True condition without the SuccessCriteriaMet=true condition',
      'status.startTime: Required value: startTime is required for finished job',
      'status.completedIndexes: Invalid value: "0,2-1": error parsing completedIndexes: non-increasing order, previous: 2, current: 1',
      'status.failed: Invalid value: 1: cannot decrease the failed counter',
    ],
  ],
  [
    'services.',
    'status',
    { spec: { type: 'ClusterIP' } },
    { status: { loadBalancer: { ingress: [{ ip: '1.2.3.4' }] } } },
    ["status.loadBalancer.ingress: Forbidden: may only be used when `spec.type` is 'LoadBalancer'"],
  ],
  [
    'namespaces.',
    'status',
    {},
    { status: { phase: 'Terminating' } },
    ['status.Phase: Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty'],
  ],
  [
    'persistentvolumeclaims.',
    'status',
    { spec: { accessModes: ['ReadWriteOnce'] } },
    { status: { allocatedResources: { cpu: '1' } } },
    ['status.allocatedResources: Unsupported value: "cpu": supported values: "storage"'],
  ],
  [
    'pods.',
    'status',
    pod,
    { status: { qosClass: 'Guaranteed', containerStatuses: [{ name: 'c', state: { running: {} } }], podIPs: [{ ip: '10.0.0.x' }] } },
    [
      'status.qosClass: Invalid value: "Guaranteed": field is immutable',
      'status.containerStatuses[0].state: Forbidden: may not be transitioned to non-terminated state',
      'status.podIPs[0]: Invalid value: "10.0.0.x": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
  ],
  [
    'pods.',
    'ephemeralcontainers',
    pod,
    { spec: { ...pod.spec, ephemeralContainers: [] } },
    ['spec.ephemeralContainers: Forbidden: existing ephemeral containers "debug" may not be removed\n'],
  ],
  [
    'pods.',
    'resize',
    pod,
    { spec: { ...pod.spec, containers: [container] } },
    [
      'spec: Invalid value: "Burstable": Pod QOS Class may not change as a result of resizing',
      'spec.containers[0].resources.requests: Forbidden: resource requests cannot be removed',
    ],
  ],
  [
    'pods.',
    'resize',
    pod,
    { spec: { ...pod.spec, containers: [...pod.spec.containers, { ...container, name: 'd' }] } },
    ['spec.containers: Forbidden: containers may not be added or removed on resize'],
  ],
  [
    'certificatesigningrequests.certificates.k8s.io',
    'approval',
    request([{ type: 'Approved', status: 'True' }]),
    request([{ type: 'Denied', status: 'False' }]),
    [
      'status.conditions[0].status: Unsupported value: "False": supported values: "True"',
      'status.conditions: Forbidden: updates may not remove a condition of type "Approved"',
    ],
  ],
];

function request(conditions: readonly object[]): object {
  const spec = { request: certificateRequest, usages: ['client auth'], signerName: 'a.b/c' };
  return { spec, status: { conditions } };
}

describe('updates of subresources', () => {
  it.each(cases)('%s/%s %#', (name, subresource, stored, sent, expected) => {
    const resource = builtInResources(server, 'all').resources.find(r => `${r.resource}.${r.group}` === name);
    if (resource === undefined) throw new Error(name);
    const rules = subresourceRulesOf(server, resource, subresource);
    if (rules === undefined || rules === 'object') throw new Error('no rules');
    const own = resource.namespaced ? metadata : { name: metadata.name };
    const errors = updateErrors(server, objectOf({ metadata: own, ...stored, ...sent }), objectOf({ metadata: own, ...stored }), {
      resource,
      steps: rules.update,
    });
    expect(errors.map(printFieldError)).toEqual(expected);
  });
});

function objectOf(parts: object): ValueMap {
  const value = toValue(parts);
  if (!isMap(value)) throw new Error('no object');
  return value;
}
