import type { ApiObject } from '../../../src/apiserver/objects/api-object.js';
import { builtInCodec } from '../../../src/apiserver/objects/built-in-codec.js';
import type { Codec } from '../../../src/apiserver/objects/codec.js';
import { applyConfiguration } from '../../../src/apiserver/patches/managed-fields/apply.js';
import { builtInVersions } from '../../../src/apiserver/patches/managed-fields/built-in-versions.js';
import { type FieldManager, updateManagedFields } from '../../../src/apiserver/patches/managed-fields/field-manager.js';
import { readWithFloats } from '../../../src/encoding/unstructured.js';
import { compactRaw } from '../../../src/go/json/write.js';
import { ensureMap, isMap, isRawJson, type Value } from '../../../src/go/value.js';
import { apiVersionOf, type GroupVersionKind, parseApiVersion } from '../../../src/kubernetes/group-version.js';
import { builtInResources } from '../../../src/kubernetes/resource-table.js';
import { PlainError, StatusError } from '../../../src/kubernetes/status.js';
import { server } from '../../support/server.js';
import type { CorpusCase } from '../files.js';

export async function difference(recorded: CorpusCase): Promise<string | undefined> {
  const { kind: _kind, object: _object, live: _live, before: _before, name: _name, ...expected } = recorded;
  const found = await answerOf({ ...recorded, class: recorded.name.split('/')[1] });
  if (JSON.stringify(found) === JSON.stringify(asWritten(expected))) return undefined;
  return `expected ${JSON.stringify(expected)}\nfound    ${JSON.stringify(found)}`;
}

type Question = Readonly<Record<string, unknown>>;

/** Returns the owners after a create, an apply or an update, like the table's function. */
export async function answerOf(question: Question): Promise<Readonly<Record<string, unknown>>> {
  const kind = kindOf(String(question['kind']));
  const codec = builtInCodec(server, kind);
  if (codec === undefined) throw new Error('no such kind');
  const fields: FieldManager = {
    kind,
    subresource: '',
    codec,
    versions: builtInVersions(server, kind, builtInResources(server, 'all').groups),
    filter: set => set,
  };
  const now = '2024-01-01T00:00:00Z';
  if (question['class'] === 'apply') {
    const applied = readWithFloats(String(question['object']));
    if (!isMap(applied)) throw new Error('the question makes no sense');
    return errorsAsAnswers(
      async () => (await applyConfiguration({ live: undefined, applied, manager: 'applier', force: false, now }, fields)).managedFields,
    );
  }
  const object = read(codec, question['object']);
  if (question['class'] !== 'update')
    return errorsAsAnswers(() => updateManagedFields({ live: undefined, object, manager: 'creator', now }, fields));
  const live = read(codec, question['live']);
  const before = ownersBefore(question['before'], apiVersionOf(kind));
  for (const { value } of [object, live]) ensureMap(value, 'metadata').set('managedFields', before);
  return errorsAsAnswers(() => updateManagedFields({ live, object, manager: 'updater', now }, fields));
}

function read(codec: Codec, text: unknown): ApiObject {
  return { codec, value: codec.decode(String(text)).value };
}

function ownersBefore(before: unknown, apiVersion: string): Value[] {
  const entries = (before ?? []) as Record<string, string>[];
  return entries.map(
    e =>
      new Map<string, Value>([
        ['manager', e['manager'] ?? ''],
        ['operation', e['operation'] ?? ''],
        ['apiVersion', apiVersion],
        ['time', '2023-11-14T22:13:20Z'],
        ['fieldsType', 'FieldsV1'],
        ['fieldsV1', { rawJson: e['fieldsV1'] ?? '{}' }],
      ]),
  );
}

async function errorsAsAnswers(action: () => Promise<Value[] | undefined>): Promise<Readonly<Record<string, unknown>>> {
  try {
    return { managedFields: ((await action()) ?? []).map(summary) };
  } catch (error) {
    if (error instanceof StatusError || error instanceof PlainError) return { error: error.message };
    throw error;
  }
}

function summary(entry: Value): Entry {
  const map = isMap(entry) ? entry : new Map<string, Value>();
  const fields = map.get('fieldsV1');
  return {
    fieldsV1: isRawJson(fields) ? fields.rawJson : '',
    manager: String(map.get('manager')),
    operation: String(map.get('operation')),
  };
}

interface Entry {
  readonly fieldsV1: string;
  readonly manager: string;
  readonly operation: string;
}

/** The table's texts are those of the field manager; the JSON around them escapes a little more. */
export function asWritten(answer: Question): Question {
  const entries = answer['managedFields'] as Entry[] | undefined;
  return entries === undefined
    ? answer
    : {
        ...answer,
        managedFields: entries.map(({ fieldsV1, manager, operation }) => ({ fieldsV1: compactRaw(fieldsV1), manager, operation })),
      };
}

function kindOf(text: string): GroupVersionKind {
  const at = text.lastIndexOf('/');
  return { ...(parseApiVersion(text.slice(0, at)) ?? { group: '', version: '' }), kind: text.slice(at + 1) };
}
