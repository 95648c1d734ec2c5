import { internalValue } from '../../../../apiserver/registry/validation/go-value.js';
import {
  addDuplicate,
  addForbidden,
  addInvalid,
  addRequired,
  addUnsupported,
  at,
  flagAt,
  hasSet,
  indexed,
  isSet,
  itemsAt,
  lengthOf,
  type Place,
  textAt,
  textOf,
  textsOf,
} from '../../../../apiserver/registry/validation/place.js';
import { checkDescendingPath, checkKnown, checkRange } from '../../../../apiserver/registry/validation/rules.js';
import { tooLong } from '../../../../kubernetes/field-error.js';
import { checkWindowsOptions } from './windows-options.js';

/** Validates a container's security context. Source: ValidateSecurityContext. */
export function checkSecurityContext(context: Place, hostUsers: boolean): void {
  if (!isSet(context)) return;
  checkIds(context, ['runAsUser', 'runAsGroup']);
  checkProcMount(at(context, 'procMount'), hostUsers);
  checkSeccompProfile(at(context, 'seccompProfile'));
  checkEscalation(context);
  checkWindowsOptions(at(context, 'windowsOptions'));
  checkAppArmorProfile(at(context, 'appArmorProfile'));
}

/** Validates a pod's security context. Source: validatePodSpecSecurityContext. */
export function checkPodSecurityContext(spec: Place): void {
  const context = at(spec, 'securityContext');
  checkIds(context, ['fsGroup', 'runAsUser', 'runAsGroup']);
  for (const group of itemsAt(context, 'supplementalGroups')) checkRange(group, 0n, maximumId);
  if (!spec.server.since('v1.37')) checkSharedProcesses(spec, context.path);
  checkSysctls(spec);
  const change = at(context, 'fsGroupChangePolicy');
  if (isSet(change)) checkKnown(change, ['Always', 'OnRootMismatch']);
  checkSeccompProfile(at(context, 'seccompProfile'));
  checkWindowsOptions(at(context, 'windowsOptions'));
  checkAppArmorProfile(at(context, 'appArmorProfile'));
  const groups = at(context, 'supplementalGroupsPolicy');
  if (isSet(groups)) checkKnown(groups, ['Merge', 'Strict']);
  const relabel = at(context, 'seLinuxChangePolicy');
  if (isSet(relabel)) checkKnown(relabel, spec.server.isEnabled('SELinuxMount') ? ['MountOption', 'Recursive'] : ['Recursive']);
}

/** Up to v1.36 the field is named as one of the security context. Source: validateShareProcessNamespace. */
export function checkSharedProcesses(spec: Place, path: string): void {
  if (flagAt(spec, 'shareProcessNamespace') && flagAt(spec, 'hostPID'))
    addInvalid(at({ ...spec, path }, 'shareProcessNamespace'), 'ShareProcessNamespace and HostPID cannot both be enabled');
}

const maximumId = 2_147_483_647n;

function checkIds(context: Place, names: readonly string[]): void {
  for (const name of names) if (hasSet(context, name)) checkRange(at(context, name), 0n, maximumId);
}

function checkProcMount(mount: Place, hostUsers: boolean): void {
  if (!isSet(mount)) return;
  checkKnown(mount, ['Default', 'Unmasked']);
  if (hostUsers && textOf(mount) === 'Unmasked') addInvalid(mount, '`hostUsers` must be false to use `Unmasked`');
}

function checkEscalation(context: Place): void {
  if (at(context, 'allowPrivilegeEscalation').value !== false) return;
  const whole = (): ReturnType<typeof internalValue> => internalValue(context.server, 'core/v1.SecurityContext', context.value);
  if (flagAt(context, 'privileged'))
    addInvalid(context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true', whole());
  for (const capability of textsOf(at(context, 'capabilities', 'add')))
    if (capability === 'CAP_SYS_ADMIN')
      addInvalid(context, 'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN', whole());
}

const profileTypes = ['Localhost', 'RuntimeDefault', 'Unconfined'];

function checkSeccompProfile(profile: Place): void {
  if (!isSet(profile)) return;
  const [type, local] = [at(profile, 'type'), at(profile, 'localhostProfile')];
  const known = profile.server.isEnabled('SecurityProfileOCI') ? [...profileTypes, 'OCI'] : profileTypes;
  if (textOf(type) === '') addRequired(type, 'type is required when seccompProfile is set');
  else if (!known.includes(textOf(type))) addUnsupported(type, known);
  if (textOf(type) === 'Localhost') {
    if (!isSet(local)) addRequired(local, 'must be set when seccomp type is Localhost');
    else checkDescendingPath(local);
  } else if (isSet(local)) {
    addInvalid(
      local,
      'can only be set when seccomp type is Localhost',
      internalValue(profile.server, 'core/v1.SeccompProfile', profile.value),
    );
  }
}

/** Container runtimes apply no seccomp profile to privileged containers. Source: validatePrivilegedContainersSeccompOCI. */
export function checkPrivilegedProfiles(spec: Place, containers: readonly Place[]): void {
  if (!spec.server.isEnabled('SecurityProfileOCI')) return;
  const ofPod = at(spec, 'securityContext', 'seccompProfile');
  for (const container of containers) {
    const context = at(container, 'securityContext');
    const own = at(context, 'seccompProfile');
    if (!flagAt(context, 'privileged') || textAt(isSet(own) ? own : ofPod, 'type') !== 'OCI') continue;
    const advice = 'set a seccompProfile of another type on the container';
    addForbidden(at(context, 'privileged'), `privileged containers cannot use a seccomp profile of type OCI; ${advice}`);
  }
}

function checkAppArmorProfile(profile: Place): void {
  if (!isSet(profile)) return;
  const [type, local] = [at(profile, 'type'), at(profile, 'localhostProfile')];
  if (textOf(type) === 'Localhost') checkLocalAppArmor(local);
  else if (textOf(type) === '') addRequired(type, 'type is required when appArmorProfile is set');
  else if (!profileTypes.includes(textOf(type))) addUnsupported(type, profileTypes);
  else if (isSet(local)) addInvalid(local, 'can only be set when AppArmor type is Localhost');
}

function checkLocalAppArmor(local: Place): void {
  const name = textOf(local);
  if (!isSet(local) || name === '') {
    addRequired(local, 'must be set when AppArmor type is Localhost');
    return;
  }
  if (name.trim() !== name) addInvalid(local, 'must not be padded with whitespace');
  if (Buffer.byteLength(name) > 4095) local.errors.push(tooLong(local.path, 4095));
}

const sysctlPattern = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function checkSysctls(spec: Place): void {
  const names = new Set<string>();
  for (const sysctl of indexed(at(spec, 'securityContext', 'sysctls'))) {
    const place = at(sysctl, 'name');
    const name = textAt(sysctl, 'name');
    if (name === '') addRequired(place);
    else if (name.length > 253 || !new RegExp(sysctlPattern).test(name))
      addInvalid(place, `must have at most 253 characters and match regex ${sysctlPattern}`);
    else if (names.has(name)) addDuplicate(place);
    checkNamespacedSysctl(place, spec);
    names.add(name);
  }
}

/** Validates sysctls of a namespace that the pod shares with its node. Source: ValidateHostSysctl. */
function checkNamespacedSysctl(place: Place, spec: Place): void {
  const name = textOf(place).replace(/\//g, '.');
  if (flagAt(spec, 'hostNetwork') && name.startsWith('net.')) addInvalid(place, "may not be specified when 'hostNetwork' is true");
  else if (flagAt(spec, 'hostIPC') && /^(kernel\.sem$|kernel\.(shm|msg)|fs\.mqueue\.)/.test(name))
    addInvalid(place, "may not be specified when 'hostIPC' is true");
}

/** Validates that settings unsupported on Windows are absent. Source: validateWindows. */
export function checkForbiddenOnWindows(spec: Place, containers: readonly Place[]): void {
  const message = 'cannot be set for a windows pod';
  const context = at(spec, 'securityContext');
  const ofContext = (names: readonly string[]): void => {
    for (const name of names) if (hasSet(context, name)) addForbidden(at(context, name), message);
  };
  ofContext(['appArmorProfile', 'seLinuxOptions']);
  const ofHost = (): void => {
    if (hasSet(spec, 'hostUsers')) addForbidden(at(spec, 'hostUsers'), message);
    for (const name of ['hostPID', 'hostIPC']) if (flagAt(spec, name)) addForbidden(at(spec, name), message);
  };
  if (!spec.server.since('v1.37')) ofHost();
  ofContext(['seccompProfile', 'fsGroup', 'fsGroupChangePolicy']);
  if (lengthOf(at(context, 'sysctls')) > 0) addForbidden(at(context, 'sysctls'), message);
  const ofProcesses = (): void => {
    if (hasSet(spec, 'shareProcessNamespace')) addForbidden(at(spec, 'shareProcessNamespace'), message);
  };
  if (!spec.server.since('v1.37')) ofProcesses();
  ofContext(['runAsUser', 'runAsGroup', 'supplementalGroups', 'supplementalGroupsPolicy', 'seLinuxChangePolicy']);
  if (spec.server.since('v1.37')) {
    ofHost();
    ofProcesses();
  }
  for (const container of containers) {
    const own = at(container, 'securityContext');
    for (const name of linuxOnly) if (hasSet(own, name)) addForbidden(at(own, name), message);
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
