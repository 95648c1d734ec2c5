import { listMetadata } from '../../apiserver/handlers/list-body.js';
import { partialObject } from '../../apiserver/handlers/partial-object.js';
import type { ApiObject } from '../../apiserver/objects/api-object.js';
import type { TableOptions } from '../../apiserver/report/other-forms.js';
import type { ShownToServing } from '../../apiserver/report/serving.js';
import { textOfShownObject } from '../../apiserver/storage/shown-object.js';
import { goString, writeValue } from '../../go/json/write.js';
import { stringAt, type Value, valueAt } from '../../go/value.js';
import { badRequest } from '../../kubernetes/status-errors.js';
import { cellsOf } from './cells.js';
import { type Column, columnsOf } from './columns.js';
import { isDefault } from './other-cells.js';
import { isScale, scaleColumns } from './scale-table.js';

/**
 * Returns the response as a Table, which `kubectl get` prints. Throws a 400 for an invalid `includeObject`. Source: apiserver
 * handlers/response.go, rest/table.go.
 */
export function printedTableOf(shown: ShownToServing, options: TableOptions): string {
  const { server, includeObject, resource, definition, version } = options;
  if (!['', 'None', 'Metadata', 'Object'].includes(includeObject)) {
    const why = `includeObject: Invalid value: ${goString(includeObject)}: must be 'Metadata', 'Object', 'None', or empty`;
    throw badRequest(`Unable to convert to Table as requested: ${why}`);
  }
  const objects = shown.type === 'object' ? [shown.object] : inRowOrder(shown.items, resource?.resource);
  const metadata = shown.type === 'object' ? objectMetadata(shown.object) : listMetadata({ ...shown.metadata, shards: undefined });
  const isOfScale = shown.type === 'object' && isScale(shown.object);
  const columns = isOfScale ? scaleColumns(definition !== undefined) : columnsOf(server, resource, definition);
  const defaultClass = shown.type === 'object' ? undefined : defaultClassOf(shown.items);
  const rows = objects.map(object => rowOf(object, { ...options, columns, defaultClass }));
  const writtenRows = isEmptyList(columns, rows) ? 'null' : `[${rows.join(',')}]`;
  const definitions = options.withColumns ? `[${columns.map(writtenColumn).join(',')}]` : 'null';
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${metadata},"columnDefinitions":${definitions},"rows":${writtenRows}}`;
}

/**
 * The default printer makes no list where it finds no object. Source: apiserver pkg/registry/rest/table.go defaultTableConvertor.
 */
function isEmptyList(columns: readonly Column[], rows: readonly string[]): boolean {
  return rows.length === 0 && columns.length === 2 && columns[1]?.name === 'Created At';
}

/** Sorts flow schemas as they apply; other lists stay in key order. Source: kubernetes pkg/printers/internalversion/printers.go printFlowSchemaList. */
function inRowOrder(items: readonly ApiObject[], resource: string | undefined): readonly ApiObject[] {
  if (resource !== 'flowschemas') return items;
  const precedence = ({ value }: ApiObject): number => Number(valueAt(value, 'spec', 'matchingPrecedence'));
  return items.toSorted((a, b) => precedence(a) - precedence(b));
}

/**
 * Returns the name of the storage class that is the default, the newest one of several. Source: kubernetes
 * pkg/printers/internalversion/printers.go getEffectiveDefaultStorageClass.
 */
function defaultClassOf(items: readonly ApiObject[]): string | undefined {
  const [first] = items
    .filter(
      ({ value, codec }) =>
        codec.kind.kind === 'StorageClass' && isDefault(value, ['storageclass.kubernetes.io', 'storageclass.beta.kubernetes.io']),
    )
    .map(({ value }) => ({ name: stringAt(value, 'metadata', 'name'), created: stringAt(value, 'metadata', 'creationTimestamp') }))
    .sort((a, b) => (a.created === b.created ? (a.name < b.name ? -1 : 1) : a.created > b.created ? -1 : 1));
  return first?.name;
}

/** Metadata of the Table of one object: its version, which it does not have in a dry run. */
function objectMetadata({ value }: ApiObject): string {
  const resourceVersion = stringAt(value, 'metadata', 'resourceVersion');
  return resourceVersion === '' ? '{}' : `{"resourceVersion":${goString(resourceVersion)}}`;
}

/** The bookmark of a watch of Tables: no columns, and a row without cells. */
export function bookmarkTable({ value, codec }: ApiObject, version: string): string {
  const metadata = `{"resourceVersion":${goString(stringAt(value, 'metadata', 'resourceVersion'))}}`;
  const row = `{"cells":null,"object":${textOfShownObject({ codec, value }, 'full')}}`;
  return `{"kind":"Table","apiVersion":"meta.k8s.io/${version}","metadata":${metadata},"columnDefinitions":null,"rows":[${row}]}`;
}

function writtenColumn({ name, type, format, description, priority }: Column): string {
  return `{"name":${goString(name)},"type":${goString(type)},"format":${goString(format)},"description":${goString(description)},"priority":${priority}}`;
}

function rowOf(
  object: ApiObject,
  options: TableOptions & { readonly columns: readonly Column[]; readonly defaultClass: string | undefined },
): string {
  const { cells, conditions } = cellsOf(object, options);
  const shown =
    options.includeObject === 'None'
      ? 'null'
      : textOfShownObject(options.includeObject === 'Object' ? object : partialObject(object, options.version), 'full');
  return `{"cells":${writeValue(cells as Value, 'kept')}${conditions === undefined ? '' : `,"conditions":${conditions}`},"object":${shown}}`;
}
