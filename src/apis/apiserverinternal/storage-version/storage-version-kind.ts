import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import type { Place } from '../../../apiserver/registry/validation/place.js';
import {
  addDuplicate,
  addInvalid,
  addRequired,
  at,
  badValueOf,
  indexed,
  isSet,
  itemsAt,
  shownAt,
  textAt,
  textOf,
  textsOf,
} from '../../../apiserver/registry/validation/place.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1035LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** Source: apiserverinternal/validation ValidateStorageVersion. */
const storageVersionRules: KindRules = { create: version => checkStatus(at(version, 'status')), update: [] };

/** Validates a name of the form `<group>.<resource>`. Source: ValidateStorageVersionName. */
function storageVersionNameProblems(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dns1123SubdomainProblems(name.slice(0, dot)).map(problem => `the group segment ${problem}`),
    ...dns1035LabelProblems(name.slice(dot + 1)).map(problem => `the resource segment ${problem}`),
  ];
}

function checkStatus(status: Place): void {
  const servers = itemsAt(status, 'storageVersions');
  const seen = new Set<string>();
  for (const server of servers) {
    const id = at(server, 'apiServerID');
    if (seen.has(textOf(id))) addDuplicate(id);
    seen.add(textOf(id));
    checkServer(server);
  }
  checkCommonVersion(at(status, 'commonEncodingVersion'), servers);
  checkConditions(shownAt(at(status, 'conditions'), status.path));
}

function checkServer(server: Place): void {
  checkName(at(server, 'apiServerID'), dns1123SubdomainProblems);
  const encoding = at(server, 'encodingVersion');
  const decodable = at(server, 'decodableVersions');
  checkApiVersion(encoding);
  for (const version of indexed(decodable)) checkApiVersion(version);
  const known = textsOf(decodable);
  if (!known.includes(textOf(encoding)))
    addInvalid(decodable, `decodableVersions must include encodingVersion ${textOf(encoding)}`, badValueOf(decodable.value ?? null));
  for (const served of itemsAt(server, 'servedVersions')) {
    checkApiVersion(served);
    if (!known.includes(textOf(served)))
      addInvalid(served, `individual served version : ${textOf(served)} must be included in decodableVersions : [${known.join(' ')}]`);
  }
}

function checkApiVersion(place: Place): void {
  const problems = apiVersionProblems(textOf(place));
  if (problems.length > 0) addInvalid(place, problems.join(','), textOf(place));
}

const formProblem =
  "an apiVersion is a DNS-1035 label, which must consist of lower case alphanumeric characters or '-', start with an alphabetic character, and end with an alphanumeric character (e.g. 'my-name',  or 'abc-123', regex used for validation is '[a-z]([-a-z0-9]*[a-z0-9])?') with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyVersion')";

function apiVersionProblems(text: string): string[] {
  const parts = text.split('/');
  if (parts.length > 2) return [formProblem];
  const [version = '', group] = parts.reverse();
  const partProblems = (name: string, part: string, rule: (text: string) => string[]): string[] =>
    part === '' ? [`${name} part: must be non-empty`] : rule(part).map(problem => `${name} part: ${problem}`);
  return [
    ...(group === undefined ? [] : partProblems('group', group, dns1123SubdomainProblems)),
    ...partProblems('version', version, dns1035LabelProblems),
  ];
}

function checkCommonVersion(common: Place, servers: readonly Place[]): void {
  const [first, ...others] = servers.map(server => textAt(server, 'encodingVersion'));
  const agreed = others.every(version => version === first) ? first : undefined;
  if (agreed === undefined) {
    const message =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    if (isSet(common)) addInvalid(common, message);
  } else if (!isSet(common)) addInvalid(common, `the common encoding version is ${agreed}`, null);
  else if (textOf(common) !== agreed) addInvalid(common, `the actual common encoding version is ${agreed}`);
}

/** Validates conditions; the path is that of items of the status itself. */
function checkConditions(conditions: Place): void {
  const seen = new Map<string, number>();
  for (const [index, condition] of indexed(conditions).entries()) {
    const type = at(condition, 'type');
    const before = seen.get(textOf(type));
    if (before !== undefined) addInvalid(type, `the type of the condition is not unique, it also appears in conditions[${before}]`);
    seen.set(textOf(type), index);
    for (const name of ['type', 'status']) checkName(at(condition, name), text => labelKeyProblems(conditions.server, text));
    for (const name of ['reason', 'message']) if (textAt(condition, name) === '') addRequired(at(condition, name));
  }
}

/** StorageVersion. */
export const storageVersionKind: KindDefinition = {
  validation: storageVersionRules,
  nameProblems: storageVersionNameProblems,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
};
