import { ownMember } from '../../go/own-members.js';
import { listAt, mapAt, numberAt, stringAt, type ValueMap } from '../../go/value.js';
import type { ApiServer } from '../../kubernetes/api-server.js';
import { firstAction, type NodeList } from '../../kubernetes/json-path/parse.js';
import { memoize } from '../../kubernetes/memoize.js';
import type { Resource } from '../../kubernetes/resource-table.js';
import { readJsonData } from '../recorded/data-file.js';

/** One column of a Table. */
export interface Column {
  readonly name: string;
  readonly type: string;
  readonly format: string;
  readonly description: string;
  /** Priority above 0: only in wide output. */
  readonly priority: number;
  /** JSONPath of a custom resource's value. */
  readonly path?: NodeList;
}

/** Columns by `group/version/resource`, in which the version may be `*`. */
type ColumnTable = Readonly<Record<string, readonly Column[]>>;

/** Returns the columns of a resource: recorded from a kube-apiserver, or from its definition. */
export function columnsOf(server: ApiServer, resource: Resource | undefined, definition: ValueMap | undefined): readonly Column[] {
  if (definition !== undefined && resource !== undefined) return customColumns(resource, definition);
  const recorded = recordedColumns(server);
  const { group = '', resource: name = '', version = '' } = resource ?? {};
  return ownMember(recorded, `${group}/${version}/${name}`) ?? ownMember(recorded, `${group}/*/${name}`) ?? [nameColumn, createdAtColumn];
}

/** Name, type, format, index of the description, priority. */
type ColumnRow = readonly [string, string, string, number, number];

interface ColumnFile {
  readonly texts: readonly string[];
  readonly resources: Readonly<Record<string, readonly ColumnRow[]>>;
}

const recordedColumns = memoize((server: ApiServer): ColumnTable => {
  const { texts, resources } = readJsonData<ColumnFile>(server, 'columns.json');
  return Object.fromEntries(
    Object.entries(resources).map(([key, rows]) => [
      key,
      rows.map(([name, type, format, text, priority]) => ({ name, type, format, description: texts[text] ?? '', priority })),
    ]),
  );
});

/** Description of the column of names. */
export const nameDescription =
  'Name must be unique within a namespace. Is required when creating resources, although some resources may allow a client to request the generation of an appropriate name automatically. Name is primarily intended for creation idempotence and configuration definition. Cannot be updated. More info: https://kubernetes.io/docs/concepts/overview/working-with-objects/names#names';

/** Description of the column of ages. */
export const createdDescription =
  'CreationTimestamp is a timestamp representing the server time when this object was created. It is not guaranteed to be set in happens-before order across separate operations. Clients may not set this value. It is represented in RFC3339 form and is in UTC.\n\nPopulated by the system. Read-only. Null for lists. More info: https://git.k8s.io/community/contributors/devel/sig-architecture/api-conventions.md#metadata';

const nameColumn: Column = { name: 'Name', type: 'string', format: 'name', description: nameDescription, priority: 0 };
const createdAtColumn: Column = { name: 'Created At', type: 'date', format: '', description: createdDescription, priority: 0 };

/** A path that cannot be parsed is the end of the columns. Source: apiextensions-apiserver pkg/registry/customresource/tableconvertor New. */
function customColumns({ version }: Resource, definition: ValueMap): readonly Column[] {
  const own = listAt(definition, 'spec', 'versions').find(v => stringAt(v, 'name') === version);
  const declared = listAt(mapAt(own), 'additionalPrinterColumns');
  if (declared.length === 0) return [nameColumn, ageColumn];
  const columns: Column[] = [nameColumn];
  for (const column of declared) {
    const jsonPath = stringAt(column, 'jsonPath');
    const path = firstAction(`{${jsonPath}}`);
    if (path === undefined) break;
    columns.push({
      name: stringAt(column, 'name'),
      type: stringAt(column, 'type'),
      format: stringAt(column, 'format'),
      description: stringAt(column, 'description') || `Custom resource definition column (in JSONPath format): ${jsonPath}`,
      priority: Number(numberAt(column, 'priority')),
      path,
    });
  }
  return columns;
}

const ageColumn: Column = {
  name: 'Age',
  type: 'date',
  format: '',
  description: createdDescription,
  priority: 0,
  path: firstAction('{.metadata.creationTimestamp}') ?? [],
};
