/** A pod spec in which most parts that webhooks look at are present. */
export const richPod = {
  serviceAccountName: 'default',
  nodeSelector: { 'kubernetes.io/os': 'linux' },
  securityContext: {
    runAsNonRoot: true,
    runAsUser: 1000,
    fsGroup: 2000,
    supplementalGroups: [1],
    seccompProfile: { type: 'RuntimeDefault' },
  },
  tolerations: [{ key: 'a', operator: 'Exists', effect: 'NoSchedule' }],
  affinity: {
    nodeAffinity: {
      requiredDuringSchedulingIgnoredDuringExecution: {
        nodeSelectorTerms: [{ matchExpressions: [{ key: 'a', operator: 'In', values: ['b'] }] }],
      },
    },
  },
  topologySpreadConstraints: [
    { maxSkew: 1, topologyKey: 'kubernetes.io/hostname', whenUnsatisfiable: 'DoNotSchedule', labelSelector: { matchLabels: { app: 'a' } } },
  ],
  imagePullSecrets: [{ name: 'registry' }],
  hostAliases: [{ ip: '2001:db8::1', hostnames: ['a.example.com'] }],
  initContainers: [{ name: 'init', image: 'busybox:1', command: ['true'] }],
  containers: [
    {
      name: 'web',
      image: 'registry.example.com:5000/team/web:1.2',
      imagePullPolicy: 'IfNotPresent',
      command: ['/web'],
      args: ['--a', '$(A)'],
      ports: [{ name: 'http', containerPort: 8080 }],
      env: [
        { name: 'A', value: 'b' },
        { name: 'EMPTY' },
        { name: 'POD', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } },
        { name: 'KEY', valueFrom: { secretKeyRef: { name: 'a', key: 'b' } } },
      ],
      envFrom: [{ configMapRef: { name: 'a' } }],
      resources: { requests: { cpu: '0.1', memory: '64Mi' }, limits: { cpu: '500m', memory: '128Mi', 'example.com/gpu': '1' } },
      livenessProbe: { httpGet: { path: '/', port: 'http' }, periodSeconds: 5 },
      readinessProbe: { exec: { command: ['true'] } },
      startupProbe: { tcpSocket: { port: 8080 } },
      lifecycle: { preStop: { exec: { command: ['sleep', '1'] } } },
      securityContext: {
        privileged: false,
        allowPrivilegeEscalation: false,
        readOnlyRootFilesystem: true,
        capabilities: { drop: ['ALL'] },
      },
      volumeMounts: [
        { name: 'data', mountPath: '/data' },
        { name: 'config', mountPath: '/config', readOnly: true },
      ],
    },
    { name: 'sidecar', image: 'nginx@sha256:0000000000000000000000000000000000000000000000000000000000000000' },
  ],
  volumes: [
    { name: 'data', emptyDir: {} },
    { name: 'config', configMap: { name: 'a', items: [{ key: 'k', path: 'p' }] } },
    { name: 'host', hostPath: { path: '/var/log' } },
    { name: 'all', projected: { sources: [{ secret: { name: 'a' } }] } },
  ],
};

/** Statuses that kubelets and controllers write, by kind. */
export const statuses: Readonly<Record<string, readonly object[]>> = {
  Pod: [
    {},
    {
      phase: 'Running',
      conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: '2024-01-02T03:04:05Z' }],
      podIP: '10.0.0.1',
      podIPs: [{ ip: '10.0.0.1' }, { ip: '2001:db8::1' }],
      hostIP: '10.0.0.2',
      containerStatuses: [{ name: 'a', image: 'nginx', imageID: '', ready: true, restartCount: 1, state: { running: {} } }],
    },
    { phase: 'Pending', conditions: [] },
  ],
  Node: [
    {},
    {
      capacity: { cpu: '4', memory: '8Gi' },
      addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      conditions: [{ type: 'Ready', status: 'True' }],
    },
  ],
  Service: [{}, { loadBalancer: { ingress: [{ ip: '192.0.2.1' }, { hostname: 'a.example.com' }] } }],
  Ingress: [{}, { loadBalancer: { ingress: [{ hostname: 'a.example.com' }] } }],
  Deployment: [{}, { replicas: 1, availableReplicas: 1, observedGeneration: 1, conditions: [{ type: 'Available', status: 'True' }] }],
  Namespace: [{}, { phase: 'Active' }],
};
