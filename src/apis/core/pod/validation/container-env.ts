import type { FieldPath } from '../../../../apiserver/registry/validation/field-path.js';
import { checkName, checkNoBacksteps } from '../../../../apiserver/registry/validation/rules.js';
import {
  configMapKeyProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  labelKeyProblems,
  relaxedEnvVarNameProblems,
} from '../../../../kubernetes/name-rules.js';
import { isZeroQuantity } from '../../../../kubernetes/quantity.js';

/** Validates environment variables. Source: core/validation ValidateEnv. */
export function checkEnv(env: FieldPath): void {
  for (const variable of env.items()) {
    const name = variable.child('name');
    if (name.text() === '') name.required();
    else checkName(name, relaxedEnvVarNameProblems);
    checkValueFrom(variable);
  }
}

/** Validates sources of environment variables; some errors name the list. Source: ValidateEnvFrom. */
export function checkEnvFrom(envFrom: FieldPath): void {
  for (const source of envFrom.items()) {
    const prefix = source.child('prefix');
    if (prefix.text() !== '') checkName(prefix, relaxedEnvVarNameProblems);
    const kinds = ['configMapRef', 'secretRef'].filter(kind => source.has(kind));
    for (const kind of kinds) {
      const name = source.child(kind, 'name');
      if (name.text() === '') name.required();
      else checkName(name, prefixOfName(dns1123SubdomainProblems));
    }
    if (kinds.length === 0) envFrom.invalid('', 'must specify one of: `configMapRef` or `secretRef`');
    else if (kinds.length > 1) envFrom.invalid('', 'may not have more than one field specified at a time');
  }
}

/** Returns a rule for prefixes of names, which may end with a dash. */
function prefixOfName(rule: (text: string) => string[]): (text: string) => string[] {
  return text => rule(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
}

const sources: readonly (readonly [string, (field: FieldPath) => void])[] = [
  ['fieldRef', field => checkFieldRef(field, envFieldPaths)],
  ['resourceFieldRef', field => checkResourceFieldRef(field, false)],
  ['configMapKeyRef', checkKeyRef],
  ['secretKeyRef', checkKeyRef],
  ['fileKeyRef', checkFileKeyRef],
];

const allSources = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
const sourcesWithoutFiles = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';

function checkValueFrom(variable: FieldPath): void {
  const from = variable.child('valueFrom');
  if (!from.isSet()) return;
  const given = sources.filter(([kind]) => from.has(kind));
  for (const [kind, check] of given) check(from.child(kind));
  if (given.length === 0) {
    from.invalid('', `must specify one of: ${variable.server.isEnabled('EnvFiles') ? allSources : sourcesWithoutFiles}`);
  } else if (variable.text('value') !== '') from.invalid('', 'may not be specified when `value` is not empty');
  else if (given.length > 1) from.invalid('', 'may not have more than one field specified at a time');
}

const envFieldPaths = [
  'metadata.name',
  'metadata.namespace',
  'metadata.uid',
  'spec.nodeName',
  'spec.serviceAccountName',
  'status.hostIP',
  'status.hostIPs',
  'status.podIP',
  'status.podIPs',
];

/** Labels that the downward API supports, and additional ones that only conversion accepts. */
const convertedFieldPaths = [
  ...envFieldPaths,
  'metadata.annotations',
  'metadata.labels',
  'spec.restartPolicy',
  'spec.schedulerName',
  'status.phase',
];

/** Validates a reference to a field of the pod. Source: validateObjectFieldSelector. */
export function checkFieldRef(reference: FieldPath, supported: readonly string[]): void {
  const path = reference.child('fieldPath');
  const label = path.text();
  const version = reference.text('apiVersion');
  const missing = ['apiVersion', 'fieldPath'].find(name => reference.text(name) === '');
  if (missing !== undefined) {
    reference.child(missing).required();
    return;
  }
  const { name, subscript } = subscripted(label);
  const why = conversionProblem(version, { label, name, subscript });
  if (why !== undefined) path.invalid(`error converting fieldPath: ${why}`);
  else if (subscript === undefined) {
    const converted = label === 'spec.host' ? 'spec.nodeName' : label;
    if (!supported.includes(converted)) path.notSupportedText(converted, [...supported].sort());
  } else {
    const key = name === 'metadata.annotations' ? subscript.toLowerCase() : subscript;
    reference.invalidEach(key, labelKeyProblems(reference.server, key));
  }
}

function subscripted(label: string): { readonly name: string; readonly subscript: string | undefined } {
  const found = /^(.+?)\['(.*)'\]$/s.exec(label);
  return { name: found?.[1] ?? label, subscript: found?.[2] };
}

function conversionProblem(
  version: string,
  { label, name, subscript }: { readonly label: string; readonly name: string; readonly subscript: string | undefined },
): string | undefined {
  if (version !== 'v1') return `unsupported pod version: ${version}`;
  if (subscript !== undefined)
    return name === 'metadata.annotations' || name === 'metadata.labels' ? undefined : `field label does not support subscript: ${label}`;
  return convertedFieldPaths.includes(label) || label === 'spec.host' ? undefined : `field label not supported: ${label}`;
}

const resources = [
  'limits.cpu',
  'limits.ephemeral-storage',
  'limits.memory',
  'requests.cpu',
  'requests.ephemeral-storage',
  'requests.memory',
];

/** Validates a reference to a container's resource. Source: validateContainerResourceFieldSelector. */
export function checkResourceFieldRef(reference: FieldPath, inVolume: boolean): void {
  const resource = reference.child('resource');
  const name = resource.text();
  if (inVolume && reference.text('containerName') === '') reference.child('containerName').required();
  else if (name === '') resource.required();
  else if (!resources.includes(name) && !isHugePages(name)) resource.notSupportedText(resources);
  checkDivisor(reference.child('divisor'), name);
}

function isHugePages(name: string): boolean {
  return name.startsWith('requests.hugepages-') || name.startsWith('limits.hugepages-');
}

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function checkDivisor(divisor: FieldPath, resource: string): void {
  const text = divisor.text();
  if (text === '' || isZeroQuantity(text)) return;
  const kind = resource.slice(resource.indexOf('.') + 1);
  const complain = (supported: readonly string[], message: string, called: string): void => {
    if (!supported.includes(text)) divisor.invalid(resource, `only divisor's values ${message} are supported with the ${called} resource`);
  };
  if (kind === 'cpu') complain(['1m', '1'], '1m and 1', 'cpu');
  if (kind === 'memory') complain(byteDivisors, byteDivisors.join(', '), 'memory');
  if (kind === 'ephemeral-storage') complain(byteDivisors, byteDivisors.join(', '), 'local ephemeral storage');
  if (isHugePages(resource)) complain(byteDivisors, byteDivisors.join(', '), 'hugepages');
}

function checkKeyRef(reference: FieldPath): void {
  checkName(reference.child('name'), dns1123SubdomainProblems);
  const key = reference.child('key');
  if (key.text() === '') key.required();
  else checkName(key, configMapKeyProblems);
}

function checkFileKeyRef(reference: FieldPath): void {
  const rules: readonly (readonly [string, (field: FieldPath) => void])[] = [
    ['key', field => checkName(field, relaxedEnvVarNameProblems)],
    ['volumeName', field => checkName(field, dns1123LabelProblems)],
    ['path', checkNoBacksteps],
  ];
  for (const [name, check] of rules) {
    const member = reference.child(name);
    if (member.text() === '') member.required();
    else check(member);
  }
}
