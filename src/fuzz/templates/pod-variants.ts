/** Changes of a plain pod spec and of its first container, each of which is valid. */
export const podVariants: readonly { readonly spec?: object; readonly container?: object }[] = [
  { spec: { hostNetwork: true, hostPID: true, hostIPC: true, dnsPolicy: 'ClusterFirstWithHostNet' } },
  { container: { ports: [{ containerPort: 80, hostPort: 80 }] } },
  {
    container: {
      ports: [
        { containerPort: 53, protocol: 'TCP' },
        { containerPort: 53, protocol: 'UDP' },
      ],
    },
  },
  { container: { ports: [{ name: 'http', containerPort: 80, protocol: 'SCTP', hostIP: '::1', hostPort: 1 }] } },
  { container: { securityContext: {} } },
  { container: { securityContext: { privileged: true } } },
  { container: { securityContext: { runAsUser: 0, runAsNonRoot: false, allowPrivilegeEscalation: true } } },
  { container: { securityContext: { capabilities: { add: ['SYS_ADMIN', 'NET_RAW'] } } } },
  { container: { securityContext: { capabilities: {} } } },
  { container: { securityContext: { seccompProfile: { type: 'Localhost', localhostProfile: 'a.json' }, procMount: 'Default' } } },
  { spec: { securityContext: { runAsUser: 0, supplementalGroups: [], sysctls: [{ name: 'kernel.shm_rmid_forced', value: '0' }] } } },
  { spec: { securityContext: { seLinuxOptions: { level: 's0:c1' }, fsGroupChangePolicy: 'Always' } } },
  { container: { resources: { limits: { cpu: '1', memory: '1Gi' } } } },
  { container: { resources: { requests: { cpu: '2', memory: '1e9' } } } },
  { container: { resources: { limits: { cpu: '0.5', memory: '100M' }, requests: { cpu: '1m' } } } },
  { container: { resources: { limits: { memory: '128974848000m', cpu: '100n' } } } },
  { container: { resources: { limits: { 'example.com/gpu': '2', 'ephemeral-storage': '1Ti', memory: '1Ei', cpu: '1k' } } } },
  { container: { resources: { limits: { 'hugepages-2Mi': '4Mi', memory: '0', cpu: '0' }, requests: { memory: '0' } } } },
  { container: { resources: { requests: {}, limits: {} } } },
  { container: { resources: { limits: { memory: '134217728' } } } },
  { container: { resources: { limits: { memory: '100m', cpu: '1' } } } },
  { container: { resources: { limits: { memory: '500k', cpu: '2' }, requests: { memory: '1k', cpu: '0' } } } },
  { container: { livenessProbe: { exec: { command: ['true'] } }, readinessProbe: { grpc: { port: 1 } } } },
  { container: { livenessProbe: { grpc: { port: 1 } }, startupProbe: { httpGet: { port: 1 } } } },
  { container: { livenessProbe: { httpGet: { port: 'http' } }, ports: [{ name: 'http', containerPort: 80 }] } },
  {
    container: {
      livenessProbe: { tcpSocket: { port: 80 } },
      readinessProbe: { httpGet: { port: 80, scheme: 'HTTPS', httpHeaders: [{ name: 'a', value: 'b' }] } },
    },
  },
  { container: { lifecycle: { preStop: { sleep: { seconds: 1 } }, postStart: { httpGet: { port: 80 } } } } },
  { container: { lifecycle: {} } },
  { container: { env: [{ name: 'A', value: '1' }, { name: 'A', value: '2' }, { name: 'B' }, { name: 'C', value: '$(A)' }] } },
  {
    container: {
      env: [
        { name: 'A', valueFrom: { resourceFieldRef: { resource: 'limits.cpu' } } },
        { name: 'B', valueFrom: { configMapKeyRef: { name: 'a', key: 'b', optional: true } } },
      ],
    },
  },
  { container: { env: [], args: [], command: [], ports: [], volumeMounts: [] } },
  { container: { envFrom: [{ secretRef: { name: 'a' } }, { prefix: 'P_', configMapRef: { name: 'a' } }] } },
  { container: { args: ['--flag=value', '-c', 'echo "a b" && exit 1'], workingDir: '/' } },
  { container: { imagePullPolicy: 'Never', terminationMessagePolicy: 'FallbackToLogsOnError', stdin: true, tty: true } },
  {
    container: {
      volumeMounts: [
        { name: 'a', mountPath: '/a', subPath: 'b' },
        { name: 'a', mountPath: '/b' },
      ],
    },
    spec: { volumes: [{ name: 'a', emptyDir: { medium: 'Memory', sizeLimit: '1Gi' } }] },
  },
  {
    spec: {
      volumes: [
        { name: 'a', csi: { driver: 'a.example.com' } },
        { name: 'b', secret: { secretName: 'a', defaultMode: 0 } },
        { name: 'c', downwardAPI: {} },
      ],
    },
  },
  {
    spec: {
      volumes: [
        { name: 'a', hostPath: { path: '/', type: 'Directory' } },
        { name: 'b', nfs: { server: 'a', path: '/' } },
      ],
    },
  },
  {
    spec: {
      volumes: [
        { name: 'a', persistentVolumeClaim: { claimName: 'a' } },
        { name: 'b', projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
      ],
    },
  },
  {
    spec: {
      volumes: [
        {
          name: 'a',
          ephemeral: { volumeClaimTemplate: { spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } } } },
        },
      ],
    },
  },
  {
    spec: {
      volumes: [
        { name: 'a', configMap: { name: 'a', defaultMode: 0o777, items: [{ key: 'k', path: 'p', mode: 0o4 }] } },
        { name: 'b', image: { reference: 'nginx:1' } },
      ],
    },
  },
  { spec: { initContainers: [{ name: 'init', image: 'busybox' }] } },
  { spec: { initContainers: [{ name: 'init', image: 'busybox', restartPolicy: 'Always' }] } },
  { spec: { initContainers: [{ name: 'init', image: 'busybox:latest', securityContext: { privileged: true } }] } },
  { spec: { nodeSelector: {}, tolerations: [], imagePullSecrets: [], volumes: [], initContainers: [] } },
  {
    spec: {
      tolerations: [{ operator: 'Exists' }, { key: 'a', operator: 'Equal', value: 'b', effect: 'NoExecute', tolerationSeconds: 10 }],
    },
  },
  {
    spec: {
      terminationGracePeriodSeconds: 2n ** 63n - 1n,
      tolerations: [{ operator: 'Exists', effect: 'NoExecute', tolerationSeconds: 2n ** 53n + 1n }],
    },
  },
  { spec: { affinity: {} } },
  {
    spec: {
      affinity: {
        nodeAffinity: {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [{ matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] }],
          },
        },
      },
    },
  },
  { spec: { restartPolicy: 'OnFailure', hostUsers: false, resources: { limits: { cpu: '1' } } } },
  { spec: { restartPolicy: 'Never' } },
  { spec: { affinity: { podAffinity: { requiredDuringSchedulingIgnoredDuringExecution: [{ topologyKey: 'a', labelSelector: {} }] } } } },
  {
    spec: {
      affinity: {
        podAntiAffinity: { preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 1, podAffinityTerm: { topologyKey: 'a' } }] },
      },
    },
  },
  {
    spec: {
      affinity: {
        nodeAffinity: {
          preferredDuringSchedulingIgnoredDuringExecution: [
            { weight: 1, preference: { matchExpressions: [{ key: 'a', operator: 'Exists' }] } },
          ],
        },
      },
    },
  },
  { spec: { topologySpreadConstraints: [{ maxSkew: 1, topologyKey: 'a', whenUnsatisfiable: 'ScheduleAnyway' }] } },
  { spec: { dnsPolicy: 'None', dnsConfig: { nameservers: ['2001:db8::1'], options: [{ name: 'ndots', value: '2' }, { name: 'a' }] } } },
  { spec: { hostAliases: [{ ip: '::1' }, { ip: '10.0.0.1', hostnames: ['a'] }], hostname: 'a', subdomain: 'b' } },
  {
    spec: {
      terminationGracePeriodSeconds: 0,
      activeDeadlineSeconds: 1,
      enableServiceLinks: false,
      automountServiceAccountToken: false,
      shareProcessNamespace: true,
    },
  },
  { spec: { priorityClassName: 'system-node-critical', schedulerName: 'other', nodeName: 'node-1', serviceAccountName: 'default' } },
  {
    spec: { schedulingGates: [{ name: 'a' }], readinessGates: [{ conditionType: 'a.b/c' }], overhead: { cpu: '1' }, runtimeClassName: 'a' },
  },
  { spec: { os: { name: 'windows' }, setHostnameAsFQDN: true } },
];
