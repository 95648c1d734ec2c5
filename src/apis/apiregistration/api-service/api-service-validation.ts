import type { FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { dns1035LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';

/** Source: kube-aggregator pkg/apis/apiregistration/validation ValidateAPIService. */
export const apiServiceRules: KindRules = { create: checkApiService, update: ['changes', 'metadata', checkApiService] };

/** Source: kube-aggregator pkg/apis/apiregistration/validation ValidateAPIServiceStatus. */
export const apiServiceStatus: readonly UpdateStep[] = [
  'changes',
  service => {
    const known = ['True', 'False', 'Unknown'];
    for (const condition of service.items('status', 'conditions')) {
      const status = condition.child('status');
      if (!known.includes(status.text())) status.notSupported(status.text(), known);
    }
  },
];

/** The name consists of the version and group. */
export function apiServiceNameProblems(name: string, service: ValueMap): string[] {
  const problems = pathSegmentProblems(name);
  const required = `${stringAt(service, 'spec', 'version')}.${stringAt(service, 'spec', 'group')}`;
  if (problems.length > 0 || name === required) return problems;
  return [`must be \`spec.version+"."+spec.group\`: ${JSON.stringify(required)}`];
}

function checkApiService(field: FieldPath): void {
  const spec = field.child('spec');
  const [group, version] = [spec.child('group'), spec.child('version')];
  if (group.text() !== '') group.invalidEach(dns1123SubdomainProblems(group.text()));
  else if (version.text() !== 'v1') group.required('only v1 may have an empty group and it better be legacy kube');
  version.invalidEach(version.text(), dns1035LabelProblems(version.text()));
  checkPriority(spec.child('groupPriorityMinimum'), 20_000n);
  checkPriority(spec.child('versionPriority'), 1000n);
  if (spec.child('service').isSet()) checkService(spec, spec.child('service'));
  else checkLocal(spec);
}

function checkPriority(priority: FieldPath, maximum: bigint): void {
  const value = priority.number();
  if (value <= 0n || value > maximum) priority.invalid(value, `must be positive and less than ${maximum}`);
}

function checkLocal(spec: FieldPath): void {
  const size = bundleSize(spec);
  if (size > 0) spec.child('caBundle').invalid(`${size} bytes`, 'local APIServices may not have a caBundle');
  const insecure = spec.child('insecureSkipTLSVerify');
  if (insecure.value === true) insecure.invalid('local APIServices may not have insecureSkipTLSVerify');
}

function checkService(spec: FieldPath, service: FieldPath): void {
  for (const name of ['namespace', 'name']) if (service.text(name) === '') service.child(name).required();
  const port = service.child('port');
  const value = port.number();
  if (value < 1n || value > 65_535n) port.invalid(value, 'port is not valid: must be between 1 and 65535, inclusive');
  if (spec.flag('insecureSkipTLSVerify') && bundleSize(spec) > 0)
    spec.child('insecureSkipTLSVerify').invalid('may not be true if caBundle is present');
}

function bundleSize(spec: FieldPath): number {
  return Buffer.from(spec.text('caBundle'), 'base64').length;
}
