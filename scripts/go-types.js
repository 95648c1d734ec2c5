// Writes go-types-MINOR.json for scripts/tables.js: for each struct of types-MINOR.json, the Go types of fields that do not follow from the
// schema but appear in decoding errors: named strings, lists and maps. node scripts/go-types.js FOLDER MINOR MODULES MODULES is the folder
// k8s.io of a Go module cache that holds the modules of that release (go mod download).
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const [folder, minor, modules] = process.argv.slice(2);
if (modules === undefined) throw new Error('usage: node scripts/go-types.js FOLDER MINOR MODULES');
const { version, types } = JSON.parse(readFileSync(path.join(folder, `types-${minor}.json`), 'utf8'));
const release = version.replace('v1.', 'v0.');

/** Folders of types outside k8s.io/api, by the first part of a struct's name. */
const elsewhere = {
  meta: `apimachinery@${release}/pkg/apis/meta`,
  apiextensions: `apiextensions-apiserver@${release}/pkg/apis/apiextensions`,
  apiregistration: `kube-aggregator@${release}/pkg/apis/apiregistration`,
};

/** Import paths from which the underlying types of named types are read. */
const packages = new Map();

/** The only list of JSON values whose element type is printed by reflection. */
const found = { 'apiextensions/v1beta1.JSONSchemaProps': { enum: '[]v1beta1.JSON' } };
for (const name of Object.keys(types)) {
  // Tables are never decoded by the server.
  if (name === 'meta/v1.TableRowCondition') continue;
  const [group, rest] = name.split('/');
  const [apiVersion, struct] = rest.split('.');
  const fields = goTypesOf(packageAt(path.join(elsewhere[group] ?? `api@${release}/${group}`, apiVersion)), struct);
  if (Object.keys(fields).length > 0) found[name] = { ...fields, ...found[name] };
}
writeFileSync(path.join(folder, `go-types-${minor}.json`), `${JSON.stringify({ types: found })}\n`);

/** The types that a package declares, and its imports by the name that a file gives them. */
function packageAt(folderOfModules) {
  const known = packages.get(folderOfModules);
  if (known !== undefined) return known;
  const at = path.join(modules, folderOfModules);
  const read = { name: path.basename(folderOfModules), structs: new Map(), named: new Map(), imports: new Map() };
  packages.set(folderOfModules, read);
  if (!existsSync(at)) return read;
  const files = readdirSync(at).filter(file => file.endsWith('.go') && !/^zz_|_test\.go$|generated/.test(file));
  for (const file of files) readGo(readFileSync(path.join(at, file), 'utf8'), read);
  return read;
}

function readGo(source, into) {
  const text = source.replace(/\/\/[^\n]*/g, '').replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, name, target] of text.matchAll(/^(?:import)?\s+(\w+ )?"(k8s\.io\/[^"]+)"$/gm)) {
    const folderOf = modulePath(target);
    into.imports.set((name ?? path.basename(target)).trim(), folderOf);
  }
  for (const [, name, body] of text.matchAll(/^type (\w+) struct \{\n([\s\S]*?)^\}/gm)) into.structs.set(name, body);
  for (const [, name, type] of text.matchAll(/^type (\w+) (=? ?[^\s{=][^\n{]*)$/gm))
    if (!type.startsWith('struct')) into.named.set(name, type.trim());
}

/** `k8s.io/api/core/v1` as a folder of the module cache. */
function modulePath(target) {
  const [, module, rest = ''] = /^k8s\.io\/([^/]+)(\/.*)?$/.exec(target);
  return `${module}@${release}${rest}`;
}

function goTypesOf(home, struct) {
  const fields = {};
  for (const line of (home.structs.get(struct) ?? '').split('\n')) {
    const field = /^\s*\w+\s+(\S+)\s+`.*json:"([^",]+)/.exec(line);
    if (field === null) continue;
    const type = namedType(field[1].replace(/^\*/, ''), home);
    if (type !== undefined) fields[field[2]] = type;
  }
  return fields;
}

/** Returns a type as reflection prints it; undefined for types that follow from the schema. */
function namedType(type, home) {
  const list = /^\[\](.+)$/.exec(type);
  if (list !== null) {
    const element = namedType(list[1].replace(/^\*/, ''), home);
    return element === undefined ? undefined : `[]${element}`;
  }
  const map = /^map\[([\w.]+)\](.+)$/.exec(type);
  if (map !== null) {
    const [key, value] = [namedType(map[1], home), namedType(map[2].replace(/^\*/, ''), home)];
    return key === undefined && value === undefined ? undefined : `map[${key ?? map[1]}]${value ?? printed(map[2], home)}`;
  }
  const [declared, name] = declaredIn(type, home);
  const target = declared?.named.get(name);
  if (target === undefined || isStruct(target, declared)) return undefined;
  return target.startsWith('= ') ? namedType(target.slice(2), declared) : `${declared.name}.${name}`;
}

/** A type may be named after a struct of another package. */
function isStruct(type, home) {
  const [declared, name] = declaredIn(type, home);
  return declared?.structs.has(name) === true;
}

function declaredIn(type, home) {
  const [prefix, name] = type.includes('.') ? type.split('.') : [undefined, type];
  if (prefix === undefined) return [home, name];
  const folderOf = home.imports.get(prefix);
  return [folderOf === undefined ? undefined : packageAt(folderOf), name];
}

function printed(type, home) {
  const [declared, name] = declaredIn(type.replace(/^\*/, ''), home);
  return declared === undefined || !/^[A-Z]/.test(name) ? type : `${declared.name}.${name}`;
}
