// Writes types-MINOR.json, go-types-MINOR.json and protobuf-MINOR.json for scripts/tables.js from the source of Kubernetes' API types:
//
//   node scripts/type-tables.js FOLDER VERSION MODULES
//
// VERSION is a release, v1.36.3; MODULES is the folder k8s.io of a Go module cache that holds the modules of that release (go mod download
// of k8s.io/api, apimachinery, apiextensions-apiserver and kube-aggregator).
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { goTypeNames } from './go-source/go-type-names.js';
import { newPackages } from './go-source/packages.js';
import { registeredKinds } from './go-source/registered-kinds.js';
import { newStructTable } from './go-source/struct-table.js';

const [folder, version, modules] = process.argv.slice(2);
if (modules === undefined) throw new Error('usage: node scripts/type-tables.js FOLDER VERSION MODULES');
const minor = /^v\d+\.\d+/.exec(version)[0];
const packages = newPackages(modules, version);
const { kinds, commonKinds } = registeredKinds(packages);
const table = newStructTable(packages);
for (const name of [...Object.values(kinds), ...Object.values(commonKinds)]) table.add(name);
const { types, protobuf } = table.rows();
const rows = Object.entries(types).map(([name, row]) => `${JSON.stringify(name)}: ${JSON.stringify(row)}`);
const head = [`"version": "${version}"`, `"kinds": ${JSON.stringify(kinds)}`, `"commonKinds": ${JSON.stringify(commonKinds)}`];
writeFileSync(path.join(folder, `types-${minor}.json`), `{${head.join(',\n')},\n"types": {\n${rows.join(',\n')}\n}}\n`);
writeTypes('go-types', goTypeNames(Object.keys(types), packages));
writeTypes('protobuf', protobuf);

function writeTypes(name, rowsByType) {
  writeFileSync(path.join(folder, `${name}-${minor}.json`), `${JSON.stringify({ types: rowsByType })}\n`);
}
