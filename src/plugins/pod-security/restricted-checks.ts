import { isMap, listAt, mapAt, stringAt, type Value, valueAt } from '../../go/value.js';
import { forbiddenSeccompProfile } from './baseline-checks.js';
import {
  type Check,
  checkedNamesOf,
  containersOfPod,
  countedNames,
  hasUserNamespace,
  inContext,
  isWindows,
  quoted,
  setters,
  sorted,
} from './check.js';

/** Source: pod-security-admission policy/check_allowPrivilegeEscalation.go. */
export const allowPrivilegeEscalation: Check = pod => {
  const containers = containersOfPod(pod).filter(c => inContext(c, 'allowPrivilegeEscalation') !== false);
  if (containers.length === 0) return undefined;
  const detail = `${countedNames('container', checkedNamesOf(containers))} must set securityContext.allowPrivilegeEscalation=false`;
  return { reason: 'allowPrivilegeEscalation != false', detail };
};

/** Source: pod-security-admission policy/check_capabilities_restricted.go. */
export const restrictedCapabilities: Check = pod => {
  const containers = containersOfPod(pod);
  const addedBy = (container: Value): string[] =>
    listAt(inContext(container), 'capabilities', 'add')
      .map(String)
      .filter(name => name !== 'NET_BIND_SERVICE');
  const keeping = containers.filter(c => !listAt(inContext(c), 'capabilities', 'drop').includes('ALL'));
  const adding = containers.filter(c => addedBy(c).length > 0);
  const details = [];
  if (keeping.length > 0)
    details.push(`${countedNames('container', checkedNamesOf(keeping))} must set securityContext.capabilities.drop=["ALL"]`);
  if (adding.length > 0) {
    const names = quoted(sorted(adding.flatMap(addedBy)));
    details.push(`${countedNames('container', checkedNamesOf(adding))} must not include ${names} in securityContext.capabilities.add`);
  }
  return details.length === 0 ? undefined : { reason: 'unrestricted capabilities', detail: details.join('; ') };
};

const allowedSources = 'configMap csi downwardAPI emptyDir ephemeral image persistentVolumeClaim projected secret'.split(' ');
const restrictedSources =
  'hostPath gcePersistentDisk awsElasticBlockStore gitRepo nfs iscsi glusterfs rbd flexVolume cinder cephfs flocker fc azureFile vsphereVolume quobyte azureDisk photonPersistentDisk portworxVolume scaleIO storageos'.split(
    ' ',
  );

/** Source: pod-security-admission policy/check_restrictedVolumes.go. */
export const restrictedVolumes: Check = ({ spec }) => {
  const has = (volume: Value, source: string): boolean => isMap(valueAt(volume, source));
  const volumes = listAt(spec, 'volumes').filter(volume => !allowedSources.some(source => has(volume, source)));
  if (volumes.length === 0) return undefined;
  const types = sorted(volumes.map(volume => restrictedSources.find(source => has(volume, source)) ?? 'unknown'));
  const uses = volumes.length === 1 ? 'uses' : 'use';
  return {
    reason: 'restricted volume types',
    detail: `${countedNames('volume', checkedNamesOf(volumes))} ${uses} ${countedNames('restricted volume type', types)}`,
  };
};

/** Source: pod-security-admission policy/check_runAsNonRoot.go. */
export const runAsNonRoot: Check = pod => {
  const reason = 'runAsNonRoot != true';
  const ofPod = valueAt(pod.spec, 'securityContext', 'runAsNonRoot');
  const saying = (value: boolean | undefined): Value[] => containersOfPod(pod).filter(c => inContext(c, 'runAsNonRoot') === value);
  const who = setters(ofPod === false, saying(false));
  if (who.length > 0) return { reason, detail: `${who.join(' and ')} must not set securityContext.runAsNonRoot=false` };
  const silent = ofPod === true ? [] : saying(undefined);
  if (silent.length === 0) return undefined;
  return { reason, detail: `pod or ${countedNames('container', checkedNamesOf(silent))} must set securityContext.runAsNonRoot=true` };
};

/** Source: pod-security-admission policy/check_runAsUser.go. */
export const runAsUser: Check = pod => {
  const ofPod = valueAt(pod.spec, 'securityContext', 'runAsUser') === 0n;
  const who = setters(
    ofPod,
    containersOfPod(pod).filter(c => inContext(c, 'runAsUser') === 0n),
  );
  return who.length === 0 ? undefined : { reason: 'runAsUser=0', detail: `${who.join(' and ')} must not set runAsUser=0` };
};

/** Source: pod-security-admission policy/check_seccompProfile_restricted.go. */
export const restrictedSeccompProfile: Check = pod => {
  const forbidden = forbiddenSeccompProfile(pod);
  if (forbidden !== undefined) return forbidden;
  if (stringAt(pod.spec, 'securityContext', 'seccompProfile', 'type') !== '') return undefined;
  const silent = containersOfPod(pod).filter(c => mapAt(inContext(c), 'seccompProfile') === undefined);
  if (silent.length === 0) return undefined;
  const names = countedNames('container', checkedNamesOf(silent));
  return {
    reason: 'seccompProfile',
    detail: `pod or ${names} must set securityContext.seccompProfile.type to "RuntimeDefault" or "Localhost"`,
  };
};

/** Exempts pods for Windows from a check, from 1.25 on. */
export function unlessWindows(check: Check): Check {
  return pod => (isWindows(pod) ? undefined : check(pod));
}

/** Exempts pods in a user namespace from checks about root, from 1.35 on. */
export function unlessUserNamespace(check: Check): Check {
  return pod => (hasUserNamespace(pod) ? undefined : check(pod));
}
