import type { Random } from '../../random.js';
import { isObject, type Json, type JsonObject } from '../scene.js';

const levels = ['privileged', 'baseline', 'baseline', 'restricted', 'restricted', 'bad'];
const versions = [
  'latest',
  'v1.0',
  'v1.8',
  'v1.19',
  'v1.22',
  'v1.25',
  'v1.27',
  'v1.29',
  'v1.31',
  'v1.34',
  'v1.35',
  'v1.36',
  'v1.99',
  'x',
  '',
];

/** Labels of a namespace for Pod Security admission. */
export function podSecurityLabels(r: Random): JsonObject {
  const modes = ['enforce', 'warn', 'audit'].filter(() => r.chance(60));
  const labels = modes.flatMap(mode => [
    [`pod-security.kubernetes.io/${mode}`, r.pick(levels.slice(0, r.chance(5) ? 6 : 5))] as const,
    ...(r.chance(60) ? [[`pod-security.kubernetes.io/${mode}-version`, r.pick(versions.slice(0, r.chance(5) ? 15 : 13))] as const] : []),
  ]);
  return Object.fromEntries(labels);
}

const restricted = {
  allowPrivilegeEscalation: false,
  capabilities: { drop: ['ALL'] },
  runAsNonRoot: true,
  seccompProfile: { type: 'RuntimeDefault' },
};

const podContexts: readonly JsonObject[] = [
  ...[{}, { runAsNonRoot: true }, { runAsUser: 0 }, { runAsUser: 1000 }, { runAsNonRoot: false }, { fsGroup: 5, supplementalGroups: [1] }],
  ...[{ seccompProfile: { type: 'RuntimeDefault' } }, { seccompProfile: { type: 'Unconfined' } }],
  ...[{ seccompProfile: { type: 'Localhost', localhostProfile: 'x' } }, { sysctls: [{ name: 'kernel.msgmax', value: '1' }] }],
  {
    sysctls: [
      { name: 'net.ipv4.ip_unprivileged_port_start', value: '0' },
      { name: 'net.ipv4.tcp_rmem', value: '1' },
    ],
  },
  ...[{ seLinuxOptions: { type: 'container_t' } }, { seLinuxOptions: { type: 'bad_t', user: 'u', role: 'r' } }],
  ...[
    { windowsOptions: { hostProcess: true } },
    { appArmorProfile: { type: 'Unconfined' } },
    { appArmorProfile: { type: 'RuntimeDefault' } },
  ],
  { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
];

const containerContexts: readonly JsonObject[] = [
  ...[{}, { privileged: true }, { privileged: false }, { allowPrivilegeEscalation: false }, { allowPrivilegeEscalation: true }, restricted],
  ...[
    { capabilities: { drop: ['ALL'] } },
    { capabilities: { add: ['NET_ADMIN', 'SYS_TIME'] } },
    { capabilities: { add: ['CHOWN', 'KILL'] } },
  ],
  ...[{ capabilities: { add: ['NET_BIND_SERVICE'], drop: ['ALL'] } }, { procMount: 'Unmasked' }, { runAsUser: 0 }, { runAsNonRoot: true }],
  ...[{ runAsNonRoot: false }, { seccompProfile: { type: 'Unconfined' } }, { seccompProfile: { type: 'RuntimeDefault' } }],
  ...[
    { seLinuxOptions: { level: 's0', type: 'x' } },
    { windowsOptions: { hostProcess: true } },
    { appArmorProfile: { type: 'Unconfined' } },
  ],
];

const volumes: readonly Json[] = [
  [{ name: 'v', hostPath: { path: '/' } }],
  [{ name: 'v', emptyDir: {} }],
  [{ name: 'v', nfs: { server: 's', path: '/' } }],
  [
    { name: 'a', hostPath: { path: '/a' } },
    { name: 'b', hostPath: { path: '/b' } },
    { name: 'c', configMap: { name: 'c' } },
  ],
  [{ name: 'v', csi: { driver: 'd' } }],
  [{ name: 'v', iscsi: { targetPortal: '1.2.3.4', iqn: 'iqn.2001-04.com.example:x', lun: 0 } }],
  [{ name: 'v', image: { reference: 'x' } }],
];

const ports: readonly Json[] = [
  [{ containerPort: 80, hostPort: 80 }],
  [{ containerPort: 80 }],
  [
    { containerPort: 80, hostPort: 8080, hostIP: '10.0.0.1' },
    { containerPort: 81, hostPort: 81 },
  ],
];

const probes: readonly Json[] = [
  { httpGet: { port: 80, host: '10.0.0.1' } },
  { tcpSocket: { port: 80, host: 'h' } },
  { httpGet: { port: 80 } },
];

/** Makes one change of a pod spec that Pod Security may notice. */
export function securityChanges(r: Random, spec: JsonObject): void {
  const containers = ['containers', 'initContainers'].flatMap(list => (Array.isArray(spec[list]) ? spec[list].filter(isObject) : []));
  const inAll = (name: string, choices: readonly Json[]): void => {
    for (const container of containers) if (r.chance(75)) container[name] = structuredClone(r.pick(choices));
  };
  r.pick<() => void>([
    () => Object.assign(spec, { securityContext: structuredClone(r.pick(podContexts)) }),
    () => Object.assign(spec, { securityContext: structuredClone(r.pick(podContexts)) }),
    () => inAll('securityContext', containerContexts),
    () => inAll('securityContext', containerContexts),
    () => inAll('securityContext', [restricted]),
    () => inAll('ports', ports),
    () => inAll('livenessProbe', probes),
    () => inAll('lifecycle', [{ preStop: { httpGet: { port: 80, host: 'h' } } }, { postStart: { exec: { command: ['x'] } } }]),
    () => Object.assign(spec, { volumes: structuredClone(r.pick(volumes)) }),
    () =>
      Object.assign(spec, r.pick([{ hostNetwork: true }, { hostPID: true }, { hostIPC: true }, { hostUsers: false }, { hostUsers: true }])),
    () => Object.assign(spec, { os: { name: r.pick(['windows', 'linux']) } }),
    () =>
      Object.assign(spec, {
        initContainers: [{ name: 'init-x', image: 'i', securityContext: structuredClone(r.pick(containerContexts)) }],
      }),
    () => Object.assign(spec, { runtimeClassName: 'none' }),
  ])();
}
