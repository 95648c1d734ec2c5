import { quote } from '../../go/quote.js';
import { listAt, mapAt, stringAt, type Value, valueAt } from '../../go/value.js';
import {
  type Check,
  type CheckedPod,
  checkedNamesOf,
  containersOfPod,
  countedNames,
  hasUserNamespace,
  inContext,
  plural,
  quoted,
  setters,
  sorted,
} from './check.js';

/** Source: pod-security-admission policy/check_appArmorProfile.go. */
export const appArmorProfile: Check = pod => {
  const profileIn = (context: Value | undefined): string | undefined => {
    const profile = mapAt(context, 'appArmorProfile');
    const type = stringAt(profile, 'type');
    return profile === undefined || type === 'RuntimeDefault' || type === 'Localhost' ? undefined : type;
  };
  const ofPod = profileIn(pod.spec.get('securityContext'));
  const containers = containersOfPod(pod).filter(c => profileIn(inContext(c)) !== undefined);
  const annotations = [...(mapAt(pod.metadata, 'annotations') ?? [])].flatMap(([key, value]) => {
    const allowed = value === '' || value === 'runtime/default' || String(value).startsWith('localhost/');
    return key.startsWith('container.apparmor.security.beta.kubernetes.io/') && !allowed ? [`${key}=${quote(String(value))}`] : [];
  });
  const who = setters(ofPod !== undefined, containers);
  if (annotations.length > 0) who.push(plural('annotation', annotations));
  if (who.length === 0) return undefined;
  const types = [ofPod, ...containers.map(c => profileIn(inContext(c)))].filter(type => type !== undefined);
  const values = [...sorted(types), ...annotations.sort()];
  return {
    reason: plural('forbidden AppArmor profile', values),
    detail: `${who.join(' and ')} must not set AppArmor profile type to ${quoted(values)}`,
  };
};

const defaultCapabilities = new Set(
  'AUDIT_WRITE CHOWN DAC_OVERRIDE FOWNER FSETID KILL MKNOD NET_BIND_SERVICE SETFCAP SETGID SETPCAP SETUID SYS_CHROOT'.split(' '),
);

/** Source: pod-security-admission policy/check_capabilities_baseline.go. */
export const capabilities: Check = pod => {
  const addedBy = (container: Value): string[] =>
    listAt(inContext(container), 'capabilities', 'add')
      .map(String)
      .filter(name => !defaultCapabilities.has(name));
  const containers = containersOfPod(pod).filter(c => addedBy(c).length > 0);
  if (containers.length === 0) return undefined;
  const names = quoted(sorted(containers.flatMap(addedBy)));
  return {
    reason: 'non-default capabilities',
    detail: `${countedNames('container', checkedNamesOf(containers))} must not include ${names} in securityContext.capabilities.add`,
  };
};

/** Source: pod-security-admission policy/check_hostNamespaces.go. */
export const hostNamespaces: Check = ({ spec }) => {
  const used = ['hostNetwork', 'hostPID', 'hostIPC'].filter(key => spec.get(key) === true);
  return used.length === 0 ? undefined : { reason: 'host namespaces', detail: used.map(key => `${key}=true`).join(', ') };
};

/** Source: pod-security-admission policy/check_hostPathVolumes.go. */
export const hostPathVolumes: Check = ({ spec }) => {
  const volumes = listAt(spec, 'volumes').filter(volume => mapAt(volume, 'hostPath') !== undefined);
  return volumes.length === 0 ? undefined : { reason: 'hostPath volumes', detail: countedNames('volume', checkedNamesOf(volumes)) };
};

/** Source: pod-security-admission policy/check_hostPorts.go. */
export const hostPorts: Check = pod => {
  const portsOf = (container: Value): string[] =>
    listAt(container, 'ports').flatMap(port => {
      const hostPort = valueAt(port, 'hostPort') ?? 0n;
      return hostPort === 0n ? [] : [String(hostPort)];
    });
  const containers = containersOfPod(pod).filter(c => portsOf(c).length > 0);
  if (containers.length === 0) return undefined;
  const ports = sorted(containers.flatMap(portsOf));
  const uses = containers.length === 1 ? 'uses' : 'use';
  return {
    reason: 'hostPort',
    detail: `${countedNames('container', checkedNamesOf(containers))} ${uses} ${plural('hostPort', ports)} ${ports.join(', ')}`,
  };
};

/** Source: pod-security-admission policy/check_hostProbesAndhostLifecycle.go. */
export const hostProbes: Check = pod => {
  const hostsOf = (container: Value): string[] => {
    const probes = ['livenessProbe', 'readinessProbe', 'startupProbe'].map(key => valueAt(container, key));
    const handlers = ['postStart', 'preStop'].map(key => valueAt(container, 'lifecycle', key));
    const asked = [...probes, ...handlers].flatMap(handler => [
      stringAt(handler, 'httpGet', 'host'),
      stringAt(handler, 'tcpSocket', 'host'),
    ]);
    return asked.filter(host => host !== '');
  };
  const containers = containersOfPod(pod).filter(c => hostsOf(c).length > 0);
  if (containers.length === 0) return undefined;
  const names = sorted(checkedNamesOf(containers));
  const uses = names.length === 1 ? 'uses' : 'use';
  const hosts = sorted(containers.flatMap(hostsOf));
  return {
    reason: 'probe or lifecycle host',
    detail: `${countedNames('container', names)} ${uses} ${countedNames('probe or lifecycle host', hosts)}`,
  };
};

/** Source: pod-security-admission policy/check_privileged.go. */
export const privilegedCheck: Check = pod => {
  const containers = containersOfPod(pod).filter(c => inContext(c, 'privileged') === true);
  if (containers.length === 0) return undefined;
  return {
    reason: 'privileged',
    detail: `${countedNames('container', checkedNamesOf(containers))} must not set securityContext.privileged=true`,
  };
};

/** Source: pod-security-admission policy/check_procMount_baseline.go. */
export const procMount: Check = pod => {
  const typeOf = (container: Value): Value => inContext(container, 'procMount') ?? 'Default';
  const containers = containersOfPod(pod).filter(c => typeOf(c) !== 'Default');
  if (containers.length === 0) return undefined;
  const types = quoted(sorted(containers.map(c => String(typeOf(c)))));
  return {
    reason: 'procMount',
    detail: `${countedNames('container', checkedNamesOf(containers))} must not set securityContext.procMount to ${types}`,
  };
};

/** From 1.35 on it is allowed in a user namespace. */
export const procMountOutsideUserNamespaces: Check = pod => (hasUserNamespace(pod) ? undefined : procMount(pod));

const linuxTypes = ['', 'container_t', 'container_init_t', 'container_kvm_t'];

/** Source: pod-security-admission policy/check_seLinuxOptions.go. */
export const seLinuxOptions = seLinuxCheck(new Set(linuxTypes));
export const seLinuxOptionsWithEngine = seLinuxCheck(new Set([...linuxTypes, 'container_engine_t']));

function seLinuxCheck(allowed: ReadonlySet<string>): Check {
  const isWrong = (options: Value | undefined): boolean =>
    !allowed.has(stringAt(options, 'type')) || stringAt(options, 'user') !== '' || stringAt(options, 'role') !== '';
  return pod => {
    const ofPod = valueAt(pod.spec, 'securityContext', 'seLinuxOptions');
    const containers = containersOfPod(pod).filter(c => isWrong(inContext(c, 'seLinuxOptions')));
    const who = setters(isWrong(ofPod), containers);
    if (who.length === 0) return undefined;
    const all = [ofPod, ...containers.map(c => inContext(c, 'seLinuxOptions'))];
    const types = sorted(all.map(options => stringAt(options, 'type')).filter(type => !allowed.has(type)));
    const what = [
      ...(types.length > 0 ? [countedNames('type', types)] : []),
      ...['user', 'role'].filter(key => all.some(options => stringAt(options, key) !== '')).map(key => `${key} may not be set`),
    ];
    return { reason: 'seLinuxOptions', detail: `${who.join(' and ')} set forbidden securityContext.seLinuxOptions: ${what.join('; ')}` };
  };
}

/** Before 1.19 profiles were annotations. Source: pod-security-admission policy/check_seccompProfile_baseline.go. */
export const seccompAnnotations: Check = pod => {
  const keys = [
    'seccomp.security.alpha.kubernetes.io/pod',
    ...checkedNamesOf(containersOfPod(pod)).map(n => `container.seccomp.security.alpha.kubernetes.io/${n}`),
  ];
  const forbidden = keys.flatMap(key => {
    const value = valueAt(pod.metadata, 'annotations', key);
    const allowed =
      typeof value !== 'string' || value === 'runtime/default' || value === 'docker/default' || value.startsWith('localhost/');
    return allowed ? [] : [`${key}=${quote(value)}`];
  });
  if (forbidden.length === 0) return undefined;
  const each = sorted(forbidden);
  return { reason: 'seccompProfile', detail: `forbidden ${plural('annotation', each)} ${each.join(', ')}` };
};

export const seccompProfile: Check = pod => forbiddenSeccompProfile(pod);

/** Returns an explicit profile of the pod or a container that is not allowed. */
export function forbiddenSeccompProfile(pod: CheckedPod): ReturnType<Check> {
  const wrongIn = (context: Value | undefined): string | undefined => {
    const profile = mapAt(context, 'seccompProfile');
    const type = stringAt(profile, 'type');
    return profile === undefined || type === 'RuntimeDefault' || type === 'Localhost' ? undefined : type;
  };
  const ofPod = wrongIn(pod.spec.get('securityContext'));
  const containers = containersOfPod(pod).filter(c => wrongIn(inContext(c)) !== undefined);
  const who = setters(ofPod !== undefined, containers);
  if (who.length === 0) return undefined;
  const types = sorted([ofPod, ...containers.map(c => wrongIn(inContext(c)))].filter(type => type !== undefined));
  return { reason: 'seccompProfile', detail: `${who.join(' and ')} must not set securityContext.seccompProfile.type to ${quoted(types)}` };
}

const sysctlsByMinor: readonly (readonly [number, readonly string[]])[] = [
  [0, ['kernel.shm_rmid_forced', ...inIpv4('ip_local_port_range tcp_syncookies ping_group_range ip_unprivileged_port_start')]],
  [27, inIpv4('ip_local_reserved_ports')],
  [29, inIpv4('tcp_keepalive_time tcp_fin_timeout tcp_keepalive_intvl tcp_keepalive_probes')],
  [32, inIpv4('tcp_rmem tcp_wmem')],
  [37, inIpv4('tcp_slow_start_after_idle tcp_notsent_lowat')],
];

function inIpv4(names: string): string[] {
  return names.split(' ').map(name => `net.ipv4.${name}`);
}

/** Returns the safe sysctls; every version adds some. Source: pod-security-admission policy/check_sysctls.go. */
export function sysctlsSafeIn(minor: number): Check {
  const safe = new Set(sysctlsByMinor.filter(([from]) => from <= minor).flatMap(([, names]) => names));
  return ({ spec }) => {
    const names = checkedNamesOf(listAt(spec, 'securityContext', 'sysctls')).filter(name => !safe.has(name));
    return names.length === 0 ? undefined : { reason: 'forbidden sysctls', detail: names.join(', ') };
  };
}

/** Source: pod-security-admission policy/check_windowsHostProcess.go. */
export const windowsHostProcess: Check = pod => {
  const ofPod = valueAt(pod.spec, 'securityContext', 'windowsOptions', 'hostProcess') === true;
  const who = setters(
    ofPod,
    containersOfPod(pod).filter(c => inContext(c, 'windowsOptions', 'hostProcess') === true),
  );
  if (who.length === 0) return undefined;
  return { reason: 'hostProcess', detail: `${who.join(' and ')} must not set securityContext.windowsOptions.hostProcess=true` };
};
