import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import { checkDescendingPath, checkKnown, checkRange } from '../../../../apiserver/registry/validation/rules.js';
import { checkWindowsOptions } from './windows-options.js';

/** Validates a container's security context. Source: ValidateSecurityContext. */
export function checkSecurityContext(context: FieldPath, hostUsers: boolean): void {
  if (!context.isSet()) return;
  checkIds(context, ['runAsUser', 'runAsGroup']);
  checkProcMount(context.child('procMount'), hostUsers);
  checkSeccompProfile(context.child('seccompProfile'));
  checkEscalation(context);
  checkWindowsOptions(context.child('windowsOptions'));
  checkAppArmorProfile(context.child('appArmorProfile'));
}

/** Validates a pod's security context. Source: validatePodSpecSecurityContext. */
export function checkPodSecurityContext(spec: FieldPath): void {
  const context = spec.child('securityContext');
  checkIds(context, ['fsGroup', 'runAsUser', 'runAsGroup']);
  for (const group of context.items('supplementalGroups')) checkRange(group, 0n, maximumId);
  if (!spec.server.since('v1.37')) checkSharedProcesses(spec, context.path);
  checkSysctls(spec);
  const change = context.child('fsGroupChangePolicy');
  if (change.isSet()) checkKnown(change, ['Always', 'OnRootMismatch']);
  checkSeccompProfile(context.child('seccompProfile'));
  checkWindowsOptions(context.child('windowsOptions'));
  checkAppArmorProfile(context.child('appArmorProfile'));
  const groups = context.child('supplementalGroupsPolicy');
  if (groups.isSet()) checkKnown(groups, ['Merge', 'Strict']);
  const relabel = context.child('seLinuxChangePolicy');
  if (relabel.isSet()) checkKnown(relabel, spec.server.isEnabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive']);
}

/** Up to v1.36 the field is named as one of the security context. Source: validateShareProcessNamespace. */
export function checkSharedProcesses(spec: FieldPath, path: string): void {
  if (spec.flag('shareProcessNamespace') && spec.flag('hostPID'))
    spec.shownAt(path).child('shareProcessNamespace').invalid('ShareProcessNamespace and HostPID cannot both be enabled');
}

const maximumId = 2_147_483_647n;

function checkIds(context: FieldPath, names: readonly string[]): void {
  for (const name of names) if (context.has(name)) checkRange(context.child(name), 0n, maximumId);
}

function checkProcMount(mount: FieldPath, hostUsers: boolean): void {
  if (!mount.isSet()) return;
  checkKnown(mount, ['Default', 'Unmasked']);
  if (hostUsers && mount.text() === 'Unmasked') mount.invalid('`hostUsers` must be false to use `Unmasked`');
}

function checkEscalation(context: FieldPath): void {
  if (context.child('allowPrivilegeEscalation').value !== false) return;
  const whole = (): ReturnType<typeof internalValue> => internalValue(context.server, 'core/v1.SecurityContext', context.value);
  if (context.flag('privileged')) context.invalid(whole(), 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
  for (const capability of context.child('capabilities', 'add').texts())
    if (capability === 'CAP_SYS_ADMIN')
      context.invalid(whole(), 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN');
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function checkSeccompProfile(profile: FieldPath): void {
  if (!profile.isSet()) return;
  const [type, local] = [profile.child('type'), profile.child('localhostProfile')];
  const known = profile.server.isEnabled('SecurityProfileOCI') ? [...profileTypes, 'OCI'] : profileTypes;
  if (type.text() === '') type.required('type is required when seccompProfile is set');
  else if (!known.includes(type.text())) type.notSupported(known);
  if (type.text() === 'Localhost') {
    if (!local.isSet()) local.required('must be set when seccomp type is Localhost');
    else checkDescendingPath(local);
  } else if (local.isSet()) {
    local.invalid(internalValue(profile.server, 'core/v1.SeccompProfile', profile.value), 'can only be set when seccomp type is Localhost');
  }
}

/** Container runtimes apply no seccomp profile to privileged containers. Source: validatePrivilegedContainersSeccompOCI. */
export function checkPrivilegedProfiles(spec: FieldPath, containers: readonly FieldPath[]): void {
  if (!spec.server.isEnabled('SecurityProfileOCI')) return;
  const ofPod = spec.child('securityContext', 'seccompProfile');
  for (const container of containers) {
    const context = container.child('securityContext');
    const own = context.child('seccompProfile');
    if (!context.flag('privileged') || (own.isSet() ? own : ofPod).text('type') !== 'OCI') continue;
    const advice = 'set a seccompProfile of another type on the container';
    context.child('privileged').forbidden(`privileged containers cannot use a seccomp profile of type OCI; ${advice}`);
  }
}

function checkAppArmorProfile(profile: FieldPath): void {
  if (!profile.isSet()) return;
  const [type, local] = [profile.child('type'), profile.child('localhostProfile')];
  if (type.text() === 'Localhost') checkLocalAppArmor(local);
  else if (type.text() === '') type.required('type is required when appArmorProfile is set');
  else if (!profileTypes.includes(type.text())) type.notSupported(profileTypes);
  else if (local.isSet()) local.invalid('can only be set when AppArmor type is Localhost');
}

function checkLocalAppArmor(local: FieldPath): void {
  const name = local.text();
  if (!local.isSet() || name === '') {
    local.required('must be set when AppArmor type is Localhost');
    return;
  }
  if (name.trim() !== name) local.invalid('must not be padded with whitespace');
  if (Buffer.byteLength(name) > 4095) local.tooLong(4095);
}

const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function checkSysctls(spec: FieldPath): void {
  const names = new Set<string>();
  for (const sysctl of spec.child('securityContext', 'sysctls').items()) {
    const field = sysctl.child('name');
    const name = sysctl.text('name');
    if (name === '') field.required();
    else if (name.length > 253 || !new RegExp(sysctlPattern).test(name))
      field.invalid(`must have at most 253 characters and match regex ${sysctlPattern}`);
    else if (names.has(name)) field.duplicate();
    checkNamespacedSysctl(field, spec);
    names.add(name);
  }
}

/** Validates sysctls of a namespace that the pod shares with its node. Source: ValidateHostSysctl. */
function checkNamespacedSysctl(field: FieldPath, spec: FieldPath): void {
  const name = field.text().replace(/\//g, '.');
  if (spec.flag('hostNetwork') && name.startsWith('net.')) field.invalid("may not be specified when 'hostNetwork' is true");
  else if (spec.flag('hostIPC') && /^(kernel\.sem$|kernel\.(shm|msg)|fs\.mqueue\.)/.test(name))
    field.invalid("may not be specified when 'hostIPC' is true");
}

/** Validates that settings unsupported on Windows are absent. Source: validateWindows. */
export function checkForbiddenOnWindows(spec: FieldPath, containers: readonly FieldPath[]): void {
  const message = 'cannot be set for a windows pod';
  const context = spec.child('securityContext');
  const ofContext = (names: readonly string[]): void => {
    for (const name of names) if (context.has(name)) context.child(name).forbidden(message);
  };
  ofContext(['appArmorProfile', 'seLinuxOptions']);
  const ofHost = (): void => {
    if (spec.has('hostUsers')) spec.child('hostUsers').forbidden(message);
    for (const name of ['hostPID', 'hostIPC']) if (spec.flag(name)) spec.child(name).forbidden(message);
  };
  if (!spec.server.since('v1.37')) ofHost();
  ofContext(['seccompProfile', 'fsGroup', 'fsGroupChangePolicy']);
  if (context.child('sysctls').length() > 0) context.child('sysctls').forbidden(message);
  const ofProcesses = (): void => {
    if (spec.has('shareProcessNamespace')) spec.child('shareProcessNamespace').forbidden(message);
  };
  if (!spec.server.since('v1.37')) ofProcesses();
  ofContext(['runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy']);
  if (spec.server.since('v1.37')) {
    ofHost();
    ofProcesses();
  }
  for (const container of containers) {
    const own = container.child('securityContext');
    for (const name of linuxOnly) if (own.has(name)) own.child(name).forbidden(message);
  }
}

const linuxOnly = [
  'appArmorProfile',
  'seLinuxOptions',
  'seccompProfile',
  'capabilities',
  'readOnlyRootFilesystem',
  'privileged',
  'allowPrivilegeEscalation',
  'procMount',
  'runAsUser',
  'runAsGroup',
];
