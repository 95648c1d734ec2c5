import {
  addInvalid,
  addProblems,
  addRequired,
  addUnsupportedText,
  at,
  hasSet,
  indexed,
  isSet,
  type Place,
  textAt,
  textOf,
} from '../../../../apiserver/registry/validation/place.js';
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
export function checkEnv(env: Place): void {
  for (const variable of indexed(env)) {
    const name = at(variable, 'name');
    if (textOf(name) === '') addRequired(name);
    else checkName(name, relaxedEnvVarNameProblems);
    checkValueFrom(variable);
  }
}

/** Validates sources of environment variables; some errors name the list. Source: ValidateEnvFrom. */
export function checkEnvFrom(envFrom: Place): void {
  for (const source of indexed(envFrom)) {
    const prefix = at(source, 'prefix');
    if (textOf(prefix) !== '') checkName(prefix, relaxedEnvVarNameProblems);
    const kinds = ['configMapRef', 'secretRef'].filter(kind => hasSet(source, kind));
    for (const kind of kinds) {
      const name = at(source, kind, 'name');
      if (textOf(name) === '') addRequired(name);
      else checkName(name, prefixOfName(dns1123SubdomainProblems));
    }
    if (kinds.length === 0) addInvalid(envFrom, 'must specify one of: `configMapRef` or `secretRef`', '');
    else if (kinds.length > 1) addInvalid(envFrom, 'may not have more than one field specified at a time', '');
  }
}

/** Returns a rule for prefixes of names, which may end with a dash. */
function prefixOfName(rule: (text: string) => string[]): (text: string) => string[] {
  return text => rule(text.length > 1 && text.endsWith('-') ? `${text.slice(0, -1)}a` : text);
}

const sources: readonly (readonly [string, (place: Place) => void])[] = [
  ['fieldRef', place => checkFieldRef(place, envFieldPaths)],
  ['resourceFieldRef', place => checkResourceFieldRef(place, false)],
  ['configMapKeyRef', checkKeyRef],
  ['secretKeyRef', checkKeyRef],
  ['fileKeyRef', checkFileKeyRef],
];

const allSources = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef`, `secretKeyRef` or `fileKeyRef`';
const sourcesWithoutFiles = '`fieldRef`, `resourceFieldRef`, `configMapKeyRef` or `secretKeyRef`';

function checkValueFrom(variable: Place): void {
  const from = at(variable, 'valueFrom');
  if (!isSet(from)) return;
  const given = sources.filter(([kind]) => hasSet(from, kind));
  for (const [kind, check] of given) check(at(from, kind));
  if (given.length === 0) {
    addInvalid(from, `must specify one of: ${variable.server.isEnabled('EnvFiles') ? allSources : sourcesWithoutFiles}`, '');
  } else if (textAt(variable, 'value') !== '') addInvalid(from, 'may not be specified when `value` is not empty', '');
  else if (given.length > 1) addInvalid(from, 'may not have more than one field specified at a time', '');
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
export function checkFieldRef(reference: Place, supported: readonly string[]): void {
  const path = at(reference, 'fieldPath');
  const label = textOf(path);
  const version = textAt(reference, 'apiVersion');
  const missing = ['apiVersion', 'fieldPath'].find(name => textAt(reference, name) === '');
  if (missing !== undefined) {
    addRequired(at(reference, missing));
    return;
  }
  const { name, subscript } = subscripted(label);
  const why = conversionProblem(version, { label, name, subscript });
  if (why !== undefined) addInvalid(path, `error converting fieldPath: ${why}`);
  else if (subscript === undefined) {
    const converted = label === 'spec.host' ? 'spec.nodeName' : label;
    if (!supported.includes(converted)) addUnsupportedText(path, [...supported].sort(), converted);
  } else {
    const key = name === 'metadata.annotations' ? subscript.toLowerCase() : subscript;
    addProblems(reference, labelKeyProblems(reference.server, key), key);
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
export function checkResourceFieldRef(reference: Place, inVolume: boolean): void {
  const resource = at(reference, 'resource');
  const name = textOf(resource);
  if (inVolume && textAt(reference, 'containerName') === '') addRequired(at(reference, 'containerName'));
  else if (name === '') addRequired(resource);
  else if (!resources.includes(name) && !isHugePages(name)) addUnsupportedText(resource, resources);
  checkDivisor(at(reference, 'divisor'), name);
}

function isHugePages(name: string): boolean {
  return name.startsWith('requests.hugepages-') || name.startsWith('limits.hugepages-');
}

const byteDivisors = ['1', '1k', '1M', '1G', '1T', '1P', '1E', '1Ki', '1Mi', '1Gi', '1Ti', '1Pi', '1Ei'];

function checkDivisor(divisor: Place, resource: string): void {
  const text = textOf(divisor);
  if (text === '' || isZeroQuantity(text)) return;
  const kind = resource.slice(resource.indexOf('.') + 1);
  const complain = (supported: readonly string[], message: string, called: string): void => {
    if (!supported.includes(text))
      addInvalid(divisor, `only divisor's values ${message} are supported with the ${called} resource`, resource);
  };
  if (kind === 'cpu') complain(['1m', '1'], '1m and 1', 'cpu');
  if (kind === 'memory') complain(byteDivisors, byteDivisors.join(', '), 'memory');
  if (kind === 'ephemeral-storage') complain(byteDivisors, byteDivisors.join(', '), 'local ephemeral storage');
  if (isHugePages(resource)) complain(byteDivisors, byteDivisors.join(', '), 'hugepages');
}

function checkKeyRef(reference: Place): void {
  checkName(at(reference, 'name'), dns1123SubdomainProblems);
  const key = at(reference, 'key');
  if (textOf(key) === '') addRequired(key);
  else checkName(key, configMapKeyProblems);
}

function checkFileKeyRef(reference: Place): void {
  const rules: readonly (readonly [string, (place: Place) => void])[] = [
    ['key', place => checkName(place, relaxedEnvVarNameProblems)],
    ['volumeName', place => checkName(place, dns1123LabelProblems)],
    ['path', checkNoBacksteps],
  ];
  for (const [name, check] of rules) {
    const member = at(reference, name);
    if (textOf(member) === '') addRequired(member);
    else check(member);
  }
}
