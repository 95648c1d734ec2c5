import { addInvalid, at, flagAt, isSet, type Place, textOf } from '../../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';

/** Validates Windows options. Source: validateWindowsSecurityContextOptions. */
export function checkWindowsOptions(options: Place): void {
  const [name, spec, user] = [at(options, 'gmsaCredentialSpecName'), at(options, 'gmsaCredentialSpec'), at(options, 'runAsUserName')];
  if (isSet(name)) checkName(name, dns1123SubdomainProblems);
  if (isSet(spec)) {
    if (textOf(spec) === '') addInvalid(spec, 'gmsaCredentialSpec cannot be an empty string');
    else if (Buffer.byteLength(textOf(spec)) > 64 * 1024) addInvalid(spec, 'gmsaCredentialSpec size must be under 64 KiB');
  }
  if (isSet(user)) checkUserName(user);
}

const domainForms = [
  /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/,
  /^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9])$/,
];

function checkUserName(place: Place): void {
  const name = textOf(place);
  const parts = name.split('\\');
  if (name === '') addInvalid(place, 'runAsUserName cannot be an empty string');
  else if (/[\u0000-\u001f\u007f]/.test(name)) addInvalid(place, 'runAsUserName cannot contain control characters');
  else if (parts.length > 2) addInvalid(place, 'runAsUserName cannot contain more than one backslash');
  else checkUserParts(place, parts);
}

function checkUserParts(place: Place, parts: readonly string[]): void {
  const domain = parts.length > 1 ? parts[0] : undefined;
  const user = parts.at(-1) ?? '';
  const complain = (wrong: boolean, message: string): void => {
    if (wrong) addInvalid(place, `runAsUserName's ${message}`);
  };
  complain(domain !== undefined && domain.length >= 256, 'Domain length must be under 256 characters');
  complain(domain !== undefined && !domainForms.some(form => form.test(domain)), "Domain doesn't match the NetBios nor the DNS format");
  complain(user === '', 'User cannot be empty');
  complain(user.length > 104, 'User length must not be longer than 104 characters');
  complain(/^[. ]+$/.test(user), 'User cannot contain only periods or spaces');
  complain(/["/\\:;|=,+*?<>@[\]]/.test(user), 'User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
}

/** Validates host process containers: all containers of a pod or none. Source: validateWindowsHostProcessPod. */
export function checkHostProcess(spec: Place, containers: readonly Place[]): void {
  const ofPod = at(spec, 'securityContext', 'windowsOptions', 'hostProcess');
  let count = 0;
  for (const container of containers) {
    const own = at(container, 'securityContext', 'windowsOptions', 'hostProcess');
    if (isSet(ofPod) && isSet(own) && ofPod.value !== own.value)
      addInvalid(own, `pod hostProcess value must be identical if both are specified, was ${String(ofPod.value)}`);
    if ((isSet(own) ? own : ofPod).value === true) count += 1;
  }
  if (count === 0) return;
  if (count !== containers.length)
    addInvalid(spec, 'If pod contains any hostProcess containers then all containers must be HostProcess containers', '');
  if (!flagAt(spec, 'hostNetwork'))
    addInvalid(at(spec, 'hostNetwork'), 'hostNetwork must be true if pod contains any hostProcess containers', false);
}
