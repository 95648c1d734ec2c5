import type { KindDefinition } from '../../../apiserver/registry/kind-definition.js';
import { badValueOf, type FieldPath } from '../../../apiserver/registry/validation/field-path.js';
import type { KindRules } from '../../../apiserver/registry/validation/kind-rules.js';
import { checkName } from '../../../apiserver/registry/validation/rules.js';
import { dns1035LabelProblems, dns1123SubdomainProblems, labelKeyProblems } from '../../../kubernetes/name-rules.js';

/** An update of the object itself is not validated: its spec is empty. Source: apiserverinternal/validation ValidateStorageVersion. */
const storageVersionRules: KindRules = { create: version => checkStatus(version.child('status')), update: [] };

/** Validates a name of the form `<group>.<resource>`. Source: ValidateStorageVersionName. */
function storageVersionNameProblems(name: string): string[] {
  const dot = name.lastIndexOf('.');
  if (dot < 0) return ['name must be in the form of <group>.<resource>'];
  return [
    ...dns1123SubdomainProblems(name.slice(0, dot)).map(problem => `the group segment ${problem}`),
    ...dns1035LabelProblems(name.slice(dot + 1)).map(problem => `the resource segment ${problem}`),
  ];
}

function checkStatus(status: FieldPath): void {
  const servers = status.items('storageVersions');
  const seen = new Set<string>();
  for (const server of servers) {
    const id = server.child('apiServerID');
    if (seen.has(id.text())) id.duplicate();
    seen.add(id.text());
    checkServer(server);
  }
  checkCommonVersion(status.child('commonEncodingVersion'), servers);
  checkConditions(status.child('conditions').shownAt(status.path));
}

function checkServer(server: FieldPath): void {
  checkName(server.child('apiServerID'), dns1123SubdomainProblems);
  const encoding = server.child('encodingVersion');
  const decodable = server.child('decodableVersions');
  checkApiVersion(encoding);
  for (const version of decodable.items()) checkApiVersion(version);
  const known = decodable.texts();
  if (!known.includes(encoding.text()))
    decodable.invalid(badValueOf(decodable.value ?? null), `decodableVersions must include encodingVersion ${encoding.text()}`);
  for (const served of server.items('servedVersions')) {
    checkApiVersion(served);
    if (!known.includes(served.text()))
      served.invalid(`individual served version : ${served.text()} must be included in decodableVersions : [${known.join(' ')}]`);
  }
}

function checkApiVersion(field: FieldPath): void {
  const problems = apiVersionProblems(field.text());
  if (problems.length > 0) field.invalid(field.text(), problems.join(','));
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

function checkCommonVersion(common: FieldPath, servers: readonly FieldPath[]): void {
  const [first, ...others] = servers.map(server => server.text('encodingVersion'));
  const agreed = others.every(version => version === first) ? first : undefined;
  if (agreed === undefined) {
    const message =
      'should be nil if servers do not agree on the same encoding version, or if there is no server reporting the supported versions yet';
    if (common.isSet()) common.invalid(message);
  } else if (!common.isSet()) common.invalid(null, `the common encoding version is ${agreed}`);
  else if (common.text() !== agreed) common.invalid(`the actual common encoding version is ${agreed}`);
}

/** Validates conditions; the path is that of items of the status itself. */
function checkConditions(conditions: FieldPath): void {
  const seen = new Map<string, number>();
  for (const [index, condition] of conditions.items().entries()) {
    const type = condition.child('type');
    const before = seen.get(type.text());
    if (before !== undefined) type.invalid(`the type of the condition is not unique, it also appears in conditions[${before}]`);
    seen.set(type.text(), index);
    for (const name of ['type', 'status']) checkName(condition.child(name), text => labelKeyProblems(conditions.server, text));
    for (const name of ['reason', 'message']) if (condition.text(name) === '') condition.child(name).required();
  }
}

/** StorageVersion. */
export const storageVersionKind: KindDefinition = {
  validation: storageVersionRules,
  subresources: { status: { update: [version => checkStatus(version.child('status'))] } },
  nameProblems: storageVersionNameProblems,
  resetsStatus: true,
  keepsMetadataInStatus: true,
  resetFields: { status: ['spec', 'metadata'] },
};
