import type { KindRules, UpdateStep } from '../../../apiserver/registry/validation/kind-rules.js';
import {
  addInvalid,
  addProblems,
  addRequired,
  addUnsupported,
  at,
  flagAt,
  isSet,
  itemsAt,
  numberOf,
  type Place,
  textAt,
  textOf,
} from '../../../apiserver/registry/validation/place.js';
import { stringAt, type ValueMap } from '../../../go/value.js';
import { dns1035LabelProblems, dns1123SubdomainProblems, pathSegmentProblems } from '../../../kubernetes/name-rules.js';

/** Source: kube-aggregator pkg/apis/apiregistration/validation ValidateAPIService. */
export const apiServiceRules: KindRules = { create: checkApiService, update: ['changes', 'metadata', checkApiService] };

/** Source: kube-aggregator pkg/apis/apiregistration/validation ValidateAPIServiceStatus. */
export const apiServiceStatus: readonly UpdateStep[] = [
  'changes',
  service => {
    const known = ['True', 'False', 'Unknown'];
    for (const condition of itemsAt(service, 'status', 'conditions')) {
      const status = at(condition, 'status');
      if (!known.includes(textOf(status))) addUnsupported(status, known, textOf(status));
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

function checkApiService(place: Place): void {
  const spec = at(place, 'spec');
  const [group, version] = [at(spec, 'group'), at(spec, 'version')];
  if (textOf(group) !== '') addProblems(group, dns1123SubdomainProblems(textOf(group)));
  else if (textOf(version) !== 'v1') addRequired(group, 'only v1 may have an empty group and it better be legacy kube');
  addProblems(version, dns1035LabelProblems(textOf(version)), textOf(version));
  checkPriority(at(spec, 'groupPriorityMinimum'), 20_000n);
  checkPriority(at(spec, 'versionPriority'), 1000n);
  if (isSet(at(spec, 'service'))) checkService(spec, at(spec, 'service'));
  else checkLocal(spec);
}

function checkPriority(priority: Place, maximum: bigint): void {
  const value = numberOf(priority);
  if (value <= 0n || value > maximum) addInvalid(priority, `must be positive and less than ${maximum}`, value);
}

function checkLocal(spec: Place): void {
  const size = bundleSize(spec);
  if (size > 0) addInvalid(at(spec, 'caBundle'), 'local APIServices may not have a caBundle', `${size} bytes`);
  const insecure = at(spec, 'insecureSkipTLSVerify');
  if (insecure.value === true) addInvalid(insecure, 'local APIServices may not have insecureSkipTLSVerify');
}

function checkService(spec: Place, service: Place): void {
  for (const name of ['namespace', 'name']) if (textAt(service, name) === '') addRequired(at(service, name));
  const port = at(service, 'port');
  const value = numberOf(port);
  if (value < 1n || value > 65_535n) addInvalid(port, 'port is not valid: must be between 1 and 65535, inclusive', value);
  if (flagAt(spec, 'insecureSkipTLSVerify') && bundleSize(spec) > 0)
    addInvalid(at(spec, 'insecureSkipTLSVerify'), 'may not be true if caBundle is present');
}

function bundleSize(spec: Place): number {
  return Buffer.from(textAt(spec, 'caBundle'), 'base64').length;
}
