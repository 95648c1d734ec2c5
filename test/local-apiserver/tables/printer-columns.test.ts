import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { readUnstructured } from '../../../src/encoding/unstructured.js';
import { writeValue } from '../../../src/go/json/write.js';
import { listAt, stringAt, toValue, type Value, type ValueMap } from '../../../src/go/value.js';
import type { Resource } from '../../../src/kubernetes/resource-table.js';
import { columnsOf } from '../../../src/local-apiserver/tables/columns.js';
import { customCells } from '../../../src/local-apiserver/tables/custom-cells.js';
import { server } from '../../support/server.js';

/** Custom resources, and the cells of printer columns for each of them, from kube-apiserver v1.36.3. Integers and floats stay apart. */
const recorded = readUnstructured(readFileSync(new URL('printer-columns.json', import.meta.url), 'utf8'));
const objects = listAt(recorded, 'objects') as ValueMap[];

const resource = { group: 'x.io', version: 'v1', resource: 'xs' } as Resource;

function columnsFor(table: Value): ReturnType<typeof columnsOf> {
  const columns = listAt(table, 'columns').map((column, i) => new Map([...(column as ValueMap), ['name', `c${i}`]]));
  const version = new Map<string, Value>([
    ['name', 'v1'],
    ['additionalPrinterColumns', columns],
  ]);
  return columnsOf(server, resource, new Map([['spec', new Map([['versions', [version]]])]]) as ValueMap);
}

it.each(listAt(recorded, 'tables').map((table, i) => ({ table, i })))('shows the columns of table $i', ({ table }) => {
  const columns = columnsFor(table);
  expect(columns.slice(1).map(({ name }) => name)).toEqual(listAt(table, 'shown'));
  const now = new Date(stringAt(table, 'now'));
  for (const [i, object] of objects.entries()) {
    const cells = customCells(object, columns, now).slice(1);
    expect(cells.map(cell => writeValue(cell, 'sorted'))).toEqual(
      listAt(listAt(table, 'cells')[i] ?? toValue([])).map(cell => writeValue(cell, 'sorted')),
    );
  }
});
