import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkName } from '../../../../apiserver/registry/validation/rules.js';
import { dns1123SubdomainProblems } from '../../../../kubernetes/name-rules.js';

/** Validates Windows options. Source: validateWindowsSecurityContextOptions. */
export function checkWindowsOptions(options: FieldPath): void {
  const [name, spec, user] = [options.child('gmsaCredentialSpecName'), options.child('gmsaCredentialSpec'), options.child('runAsUserName')];
  if (name.isSet()) checkName(name, dns1123SubdomainProblems);
  if (spec.isSet()) {
    if (spec.text() === '') spec.invalid('gmsaCredentialSpec cannot be an empty string');
    else if (Buffer.byteLength(spec.text()) > 64 * 1024) spec.invalid('gmsaCredentialSpec size must be under 64 KiB');
  }
  if (user.isSet()) checkUserName(user);
}

const domainForms = [
  /^[^\\/:*?"<>|.][^\\/:*?"<>|]{0,14}$/,
  /^(([a-zA-Z0-9]|[a-zA-Z0-9][a-zA-Z0-9-]*[a-zA-Z0-9])\.)*([A-Za-z0-9]|[A-Za-z0-9][A-Za-z0-9-]*[A-Za-z0-9])$/,
];

function checkUserName(field: FieldPath): void {
  const name = field.text();
  const parts = name.split('\\');
  if (name === '') field.invalid('runAsUserName cannot be an empty string');
  else if (/[\u0000-\u001f\u007f]/.test(name)) field.invalid('runAsUserName cannot contain control characters');
  else if (parts.length > 2) field.invalid('runAsUserName cannot contain more than one backslash');
  else checkUserParts(field, parts);
}

function checkUserParts(field: FieldPath, parts: readonly string[]): void {
  const domain = parts.length > 1 ? parts[0] : undefined;
  const user = parts.at(-1) ?? '';
  const complain = (wrong: boolean, message: string): void => {
    if (wrong) field.invalid(`runAsUserName's ${message}`);
  };
  complain(domain !== undefined && domain.length >= 256, 'Domain length must be under 256 characters');
  complain(domain !== undefined && !domainForms.some(form => form.test(domain)), "Domain doesn't match the NetBios nor the DNS format");
  complain(user === '', 'User cannot be empty');
  complain(user.length > 104, 'User length must not be longer than 104 characters');
  complain(/^[. ]+$/.test(user), 'User cannot contain only periods or spaces');
  complain(/["/\\:;|=,+*?<>@[\]]/.test(user), 'User cannot contain the following characters: "/\\:;|=,+*?<>@[]');
}

/** Validates host process containers: all containers of a pod or none. Source: validateWindowsHostProcessPod. */
export function checkHostProcess(spec: FieldPath, containers: readonly FieldPath[]): void {
  const ofPod = spec.child('securityContext', 'windowsOptions', 'hostProcess');
  let count = 0;
  for (const container of containers) {
    const own = container.child('securityContext', 'windowsOptions', 'hostProcess');
    if (ofPod.isSet() && own.isSet() && ofPod.value !== own.value)
      own.invalid(`pod hostProcess value must be identical if both are specified, was ${String(ofPod.value)}`);
    if ((own.isSet() ? own : ofPod).value === true) count += 1;
  }
  if (count === 0) return;
  if (count !== containers.length)
    spec.invalid('', 'If pod contains any hostProcess containers then all containers must be HostProcess containers');
  if (!spec.flag('hostNetwork'))
    spec.child('hostNetwork').invalid(false, 'hostNetwork must be true if pod contains any hostProcess containers');
}
