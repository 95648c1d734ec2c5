import { ownMember } from '../../go/own-members.js';
import { isMap, toValue, type ValueMap } from '../../go/value.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { richPod } from './pods.js';
import { workloadTemplates } from './workloads.js';

const meta = { name: 'a' };
const rich = {
  name: 'a',
  labels: { app: 'a', 'app.kubernetes.io/name': 'a' },
  annotations: { 'example.com/note': 'a', team: 'x' },
};

/** Valid manifests by kind: a minimal one first, then others. */
const templates: Readonly<Record<string, readonly object[]>> = {
  ...workloadTemplates(meta, rich),
  Pod: [
    { metadata: meta, spec: { containers: [{ name: 'a', image: 'nginx' }] } },
    { metadata: rich, spec: richPod },
  ],
  Service: [
    { metadata: meta, spec: { ports: [{ port: 80 }] } },
    {
      metadata: rich,
      spec: {
        type: 'NodePort',
        selector: { app: 'a' },
        ports: [
          { name: 'http', port: 80, targetPort: 'http', protocol: 'TCP' },
          { name: 'dns', port: 53, targetPort: 5353, protocol: 'UDP' },
        ],
        externalIPs: ['192.168.1.254', '2001:db8::1'],
      },
    },
    { metadata: meta, spec: { type: 'ExternalName', externalName: 'example.com' } },
    { metadata: meta, spec: { clusterIP: 'None', selector: { app: 'a' } } },
    { metadata: meta, spec: { type: 'LoadBalancer', ports: [{ port: 443, targetPort: 8443 }], loadBalancerSourceRanges: ['10.0.0.0/8'] } },
    { metadata: meta, spec: { ports: [{ port: 80 }], ipFamilies: ['IPv4'], ipFamilyPolicy: 'PreferDualStack' } },
    { metadata: meta, spec: { ports: [{ port: 80 }], sessionAffinity: 'ClientIP', externalTrafficPolicy: 'Local', type: 'LoadBalancer' } },
  ],
  ConfigMap: [
    { metadata: meta },
    { metadata: rich, data: { a: 'b', 'key.json': '{"a": 1}' }, binaryData: { bin: '//79' } },
    { metadata: meta, immutable: true, data: { 'a.yaml': 'a: 1\nb: [', empty: '' } },
    { metadata: meta, binaryData: { bin: '//79' } },
  ],
  Secret: [
    { metadata: meta },
    { metadata: rich, type: 'Opaque', data: { a: 'aGVsbG8=' } },
    { metadata: meta, stringData: { a: 'b' } },
    { metadata: meta, type: 'kubernetes.io/tls', data: { 'tls.crt': '', 'tls.key': '//79' } },
    { metadata: meta, type: 'kubernetes.io/dockerconfigjson', data: { '.dockerconfigjson': 'e30=' } },
    { metadata: meta, type: 'kubernetes.io/basic-auth', immutable: true, stringData: { username: 'ü' } },
  ],
  Namespace: [{ metadata: { name: 'a' } }, { metadata: { ...rich, name: 'team-b' }, spec: { finalizers: ['kubernetes'] } }],
  ServiceAccount: [
    { metadata: meta },
    { metadata: rich, automountServiceAccountToken: false, imagePullSecrets: [{ name: 'a' }], secrets: [{ name: 'b' }] },
  ],
  Ingress: [
    { metadata: meta, spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } } } },
    {
      metadata: rich,
      spec: {
        ingressClassName: 'nginx',
        tls: [{ hosts: ['example.com'], secretName: 'tls' }],
        rules: [
          {
            host: 'example.com',
            http: { paths: [{ path: '/a', pathType: 'Prefix', backend: { service: { name: 'a', port: { name: 'http' } } } }] },
          },
        ],
      },
    },
    { metadata: meta, spec: { rules: [{ host: '*.example.com' }] } },
    {
      metadata: meta,
      spec: {
        rules: [{ http: { paths: [{ pathType: 'ImplementationSpecific', backend: { resource: { kind: 'Bucket', name: 'a' } } }] } }],
      },
    },
    {
      metadata: meta,
      spec: { defaultBackend: { service: { name: 'a', port: { number: 80 } } }, tls: [{ secretName: 'a' }, { hosts: ['a.b'] }, {}] },
    },
  ],
  NetworkPolicy: [
    { metadata: meta, spec: { podSelector: {} } },
    {
      metadata: rich,
      spec: {
        podSelector: { matchLabels: { app: 'a' } },
        policyTypes: ['Ingress', 'Egress'],
        ingress: [
          { from: [{ ipBlock: { cidr: '2001:db8::/32', except: ['2001:db8:1::/48'] } }], ports: [{ port: 'http', protocol: 'TCP' }] },
        ],
        egress: [{ to: [{ namespaceSelector: {} }], ports: [{ port: 1000, endPort: 2000 }] }],
      },
    },
    { metadata: meta, spec: { podSelector: {}, ingress: [{}], egress: [{ ports: [{ protocol: 'UDP' }] }], policyTypes: ['Egress'] } },
    { metadata: meta, spec: { podSelector: {}, ingress: [{ from: [{ podSelector: {}, namespaceSelector: {} }] }] } },
  ],
  PersistentVolumeClaim: [
    { metadata: meta, spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } },
    {
      metadata: rich,
      spec: {
        accessModes: ['ReadWriteMany'],
        storageClassName: '',
        volumeMode: 'Block',
        resources: { requests: { storage: '1.5Ti' } },
        selector: { matchLabels: { a: 'b' } },
      },
    },
    {
      metadata: meta,
      spec: {
        accessModes: ['ReadWriteOnce'],
        resources: { requests: { storage: '1073741824' } },
        dataSource: { kind: 'PersistentVolumeClaim', name: 'b' },
      },
    },
  ],
  PersistentVolume: [
    { metadata: meta, spec: { capacity: { storage: '1Gi' }, accessModes: ['ReadWriteOnce'], hostPath: { path: '/a' } } },
    {
      metadata: rich,
      spec: { capacity: { storage: '10Gi' }, accessModes: ['ReadWriteMany'], nfs: { server: 'a', path: '/' }, storageClassName: 'a' },
    },
  ],
  Role: [
    { metadata: meta, rules: [] },
    { metadata: rich, rules: [{ apiGroups: ['', 'apps'], resources: ['pods', 'deployments/scale'], verbs: ['get', '*'] }] },
  ],
  ClusterRole: [
    { metadata: meta },
    { metadata: rich, rules: [{ nonResourceURLs: ['/metrics'], verbs: ['get'] }] },
    { metadata: meta, aggregationRule: { clusterRoleSelectors: [{ matchLabels: { a: 'b' } }] } },
  ],
  RoleBinding: [
    { metadata: meta, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    {
      metadata: rich,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'a' },
      subjects: [
        { kind: 'User', name: 'jane@example.com', apiGroup: 'rbac.authorization.k8s.io' },
        { kind: 'ServiceAccount', name: 'default', namespace: 'default' },
      ],
    },
  ],
  ClusterRoleBinding: [
    { metadata: meta, roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'view' } },
    {
      metadata: rich,
      roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
      subjects: [{ kind: 'Group', name: 'system:authenticated', apiGroup: 'rbac.authorization.k8s.io' }],
    },
  ],
  PodDisruptionBudget: [
    { metadata: meta, spec: { minAvailable: 1, selector: { matchLabels: { app: 'a' } } } },
    { metadata: rich, spec: { maxUnavailable: '50%', selector: { matchExpressions: [{ key: 'app', operator: 'Exists' }] } } },
  ],
  HorizontalPodAutoscaler: [
    { metadata: meta, spec: { scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' }, maxReplicas: 3 } },
    {
      metadata: rich,
      spec: {
        scaleTargetRef: { kind: 'Deployment', name: 'a', apiVersion: 'apps/v1' },
        minReplicas: 1,
        maxReplicas: 10,
        metrics: [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } }],
      },
    },
    {
      metadata: meta,
      spec: {
        scaleTargetRef: { kind: 'StatefulSet', name: 'a', apiVersion: 'apps/v1' },
        maxReplicas: 1,
        metrics: [
          { type: 'Resource', resource: { name: 'memory', target: { type: 'AverageValue', averageValue: '1Gi' } } },
          { type: 'Pods', pods: { metric: { name: 'a' }, target: { type: 'AverageValue', averageValue: '500m' } } },
          { type: 'External', external: { metric: { name: 'a' }, target: { type: 'Value', value: '1k' } } },
          {
            type: 'ContainerResource',
            containerResource: { name: 'cpu', container: 'a', target: { type: 'Utilization', averageUtilization: 1 } },
          },
        ],
        behavior: { scaleDown: { stabilizationWindowSeconds: 0, policies: [{ type: 'Percent', value: 10, periodSeconds: 60 }] } },
      },
    },
  ],
  LimitRange: [{ metadata: meta, spec: { limits: [{ type: 'Container', default: { cpu: '500m' }, max: { cpu: '1' } }] } }],
  ResourceQuota: [{ metadata: meta, spec: { hard: { pods: '10', 'requests.cpu': '1' } } }],
  Endpoints: [
    { metadata: meta },
    { metadata: rich, subsets: [{ addresses: [{ ip: '10.0.0.1' }, { ip: '2001:db8::1' }], ports: [{ port: 80, name: 'http' }] }] },
  ],
  EndpointSlice: [
    { metadata: meta, addressType: 'IPv6', endpoints: [{ addresses: ['2001:db8::1'] }], ports: [{ port: 80 }] },
    { metadata: rich, addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'], conditions: { ready: true } }] },
  ],
  StorageClass: [{ metadata: meta, provisioner: 'example.com/a' }],
  PriorityClass: [{ metadata: meta, value: 10 }],
  IngressClass: [{ metadata: meta, spec: { controller: 'example.com/a' } }],
  RuntimeClass: [{ metadata: meta, handler: 'a' }],
  Node: [
    { metadata: meta },
    {
      metadata: rich,
      spec: { unschedulable: true, podCIDRs: ['10.0.0.0/24', '2001:db8::/64'], taints: [{ key: 'a', effect: 'NoSchedule' }] },
    },
  ],
  Lease: [{ metadata: meta, spec: { holderIdentity: 'a', leaseDurationSeconds: 10, renewTime: '2024-01-02T03:04:05.000000Z' } }],
  Event: [{ metadata: meta, involvedObject: { kind: 'Pod', namespace: 'default', name: 'a' }, reason: 'A', type: 'Normal' }],
  CustomResourceDefinition: [
    {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', singular: 'thing', kind: 'Thing', listKind: 'ThingList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object' } } } },
          },
        ],
      },
    },
  ],
};

/** Returns valid manifests of a built-in kind, or one with a name only for a kind without a template. */
export function templatesOf({ kind, group, version, namespaced }: Resource): ValueMap[] {
  const apiVersion = group === '' ? version : `${group}/${version}`;
  const found = ownMember(templates, kind.kind) ?? [{ metadata: meta }, { metadata: rich }];
  return found.map(template => manifestOf({ apiVersion, kind: kind.kind, ...template }, namespaced));
}

function manifestOf(template: object, namespaced: boolean): ValueMap {
  const value = toValue(template);
  if (!isMap(value)) throw new Error('a template is an object');
  const metadata = value.get('metadata');
  if (namespaced && isMap(metadata)) metadata.set('namespace', 'default');
  return value;
}
