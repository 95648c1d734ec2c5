import path from 'node:path';
import { serviceValue } from '../../client/options/address-values.js';
import { minorValue } from '../../client/options/version-values.js';
import { readUnstructured } from '../../encoding/unstructured.js';
import { readManifests } from '../../encoding/yaml-stream.js';
import { InvalidSuite } from '../faults.js';
import { suiteStem } from '../find-suites.js';
import type { SuitePlace } from '../place.js';
import { snapshotFolder } from '../snapshot-folder.js';
import type { Suite } from '../suite.js';
import { readApiserver } from './apiserver-fields.js';
import { readCases } from './case-fields.js';
import {
  invalidField,
  invalidFieldValue,
  items,
  memberField,
  members,
  noted,
  placeOfField,
  readMember,
  type SuiteField,
  textOfField,
  unexpected,
} from './field.js';
import { parsedField, readOptions } from './option-fields.js';
import { readProcess } from './process-fields.js';
import { callFields, webhookFields } from './suite-fields.js';

export const suiteApiVersion = 'webhook-cli.dev/v1alpha1';

/** Fields of a suite other than options. */
const ownSuiteFields = [
  'apiVersion',
  'kind',
  'name',
  'services',
  'exec',
  'apiserver',
  'checks',
  'snapshot',
  'redact',
  'kubernetes-versions',
  'cases',
] as const;

/** Reads a suite file. Throws InvalidSuite with line and column, and with the other errors of the file. */
export function readSuite(bytes: Uint8Array, { file, whole }: { readonly file: string; readonly whole: boolean }): Suite {
  const root = rootOf(bytes, file);
  checkVersion(root);
  const suite = noted(root, () => suiteOf(root, { file, whole }));
  const [first, ...others] = withoutConsequences(root.source.errors);
  if (first !== undefined) throw new InvalidSuite(first.message, first.place, { ...first, others });
  if (suite === undefined) throw new Error('a suite without content and without errors');
  return suite;
}

function suiteOf(root: SuiteField, { file, whole }: { readonly file: string; readonly whole: boolean }): Suite {
  members(root, [...ownSuiteFields, ...webhookFields.byField.keys(), ...callFields.byField.keys()]);
  const stem = suiteStem(file);
  const webhook = { ...readOptions(root, webhookFields), ...readMember(root, 'services', readServices) };
  const process = readMember(root, 'exec', readProcess);
  const apiserver = noted(root, () => readApiserver(memberField(root, 'apiserver'), process));
  const versions = readMember(root, 'kubernetes-versions', list => items(list).map(version => parsedField(version, minorValue)));
  const cases = readCases(root, stem);
  checkAddress(root, cases);
  return {
    name: readMember(root, 'name', at => textOfField(at)) ?? stem,
    file,
    snapshots: { folder: path.join(path.dirname(file), snapshotFolder), scope: whole ? 'all' : [stem] },
    webhook,
    ...(process === undefined ? {} : { process }),
    ...(apiserver === undefined ? {} : { apiserver }),
    ...(versions === undefined ? {} : { kubernetesVersions: versions }),
    cases,
  };
}

/** Returns errors by their places, each once. An error of a map, such as a missing member, may come from an error of a member, and is omitted then. */
function withoutConsequences(errors: readonly InvalidSuite[]): InvalidSuite[] {
  const parents = new Set(errors.flatMap(({ pointer = '' }) => (pointer === '' ? [] : [pointer.slice(0, pointer.lastIndexOf('/'))])));
  const causes = errors.filter(({ pointer }) => pointer === undefined || !parents.has(pointer));
  const distinct = new Map(causes.map(error => [`${error.message} ${error.place.line}`, error]));
  const after = (a: SuitePlace, b: SuitePlace): number => (a.line ?? 0) - (b.line ?? 0) || (a.column ?? 0) - (b.column ?? 0);
  return [...distinct.values()].sort((a, b) => after(a.place, b.place));
}

/** A URL answers only one kind of reviews. */
function checkAddress(root: SuiteField, cases: Suite['cases']): void {
  const url = memberField(root, 'url');
  const converting = cases.find(({ conversion }) => conversion !== undefined);
  if (url === undefined || converting === undefined || cases.every(({ conversion }) => conversion !== undefined)) return;
  throw invalidField(url, `is a single URL, but the case ${JSON.stringify(converting.name)} converts while others make API calls`, {
    suggestions: ['use services: with the paths of configurations and definitions, or split the suite in two'],
  });
}

function rootOf(bytes: Uint8Array, file: string): SuiteField {
  const { documents, error } = readManifests(bytes);
  if (error !== undefined) throw new InvalidSuite(error.message.replaceAll('\n', ' '), { file, ...error.position });
  const [document, second] = documents;
  if (document === undefined) throw new InvalidSuite('the suite is empty', { file, line: 1, column: 1 });
  if (second !== undefined) throw new InvalidSuite('a suite file has exactly one document', { file, line: second.line, column: 1 });
  const [repeated] = document.repeatedKeys();
  if (repeated !== undefined) throw new InvalidSuite(repeated.message, { file, ...(repeated.position ?? { line: document.line }) });
  return { value: document.value ?? readUnstructured(document.json), name: '', pointer: '', source: { file, document, errors: [] } };
}

function checkVersion(root: SuiteField): void {
  const fields = members(root);
  const version = fields.find(([key]) => key === 'apiVersion')?.[1];
  if (version === undefined)
    throw invalidField(root, 'has no apiVersion', { suggestions: [`start it with apiVersion: ${suiteApiVersion}`] });
  const text = textOfField(version);
  if (text !== suiteApiVersion) {
    const isOurs = text.startsWith('webhook-cli.dev/');
    throw invalidField(
      version,
      `is ${JSON.stringify(text)}, ${isOurs ? 'of a newer version of webhook-cli' : 'which is not the apiVersion of a suite'}`,
      {
        suggestions: [isOurs ? 'update webhook-cli' : `write ${suiteApiVersion}`],
      },
    );
  }
  const kind = fields.find(([key]) => key === 'kind')?.[1];
  if (kind === undefined) throw invalidField(root, 'has no kind', { suggestions: ['add kind: Suite'] });
  if (kind.value !== 'Suite') throw unexpected(kind, 'Suite');
}

/** `services: {team/webhook: https://127.0.0.1:8443}` is the same as `service: [team/webhook=https://...]`. */
function readServices(field: SuiteField): Pick<Suite['webhook'], 'service'> {
  const mappings = members(field).map(([name, url]) => {
    const text = textOfField(url, 'an address such as https://127.0.0.1:8443');
    if (!/^(\*|[^/=:]+\/[^/=:]+(:\d+)?)$/.test(name)) {
      throw new InvalidSuite(`${url.name} is not a valid service`, placeOfField(url), {
        suggestions: ['write NAMESPACE/NAME, with :PORT if needed'],
        pointer: url.pointer,
      });
    }
    const mapping = serviceValue.parse(`${name}=${text}`);
    if (mapping === undefined) throw invalidFieldValue(url, JSON.stringify(text), 'an address such as https://127.0.0.1:8443');
    return mapping;
  });
  return { service: mappings };
}
