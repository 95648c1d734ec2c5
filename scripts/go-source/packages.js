// Reads the type declarations of Kubernetes' Go modules, as far as API types need: structs with their tags and markers, and named types.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Folders of types outside k8s.io/api, by the first part of a struct's name. Since v1.38 a module of its own has CustomResourceDefinitions. */
const elsewhere = {
  meta: release => `apimachinery@${release}/pkg/apis/meta`,
  apiextensions: release => `apiextensions-${minorOf(release) >= 38 ? 'api' : 'apiserver'}@${release}/pkg/apis/apiextensions`,
  apiregistration: release => `kube-aggregator@${release}/pkg/apis/apiregistration`,
};

/**
 * Returns a reader of packages. `modules` is the folder k8s.io of a Go module cache, `version` the Kubernetes version, v1.36.3, whose
 * modules it holds.
 */
export function newPackages(modules, version) {
  const release = version.replace('v1.', 'v0.');
  const known = new Map();
  const inModule = folder => {
    const read = known.get(folder) ?? readPackage(modules, folder, release);
    known.set(folder, read);
    return read;
  };
  const folderOf = name => {
    const [group, apiVersion] = name.split('/');
    return path.join(elsewhere[group]?.(release) ?? `api@${release}/${group}`, apiVersion);
  };
  return {
    /** The package of a name such as `core/v1`. */
    named: name => inModule(folderOf(name)),
    /** The package that declares a type of an expression, `metav1.Time` or `Pod`, and the type's name. */
    declaring: (type, home) => {
      if (!type.includes('.')) return [home, type];
      const [prefix, name] = type.split('.');
      const folder = home.imports.get(prefix);
      return [folder === undefined ? undefined : inModule(folder), name];
    },
    /** The value of a constant of a package, which may be that of another package. */
    constant: (home, name) => {
      const [prefix, other] = home.aliases.get(name)?.split('.') ?? [];
      return home.constants.get(name) ?? inModule(home.imports.get(prefix)).constants.get(other);
    },
    /** Names such as `core/v1` of all packages with API types. */
    names: () => [...namesIn(modules, release)].sort(),
  };
}

function* namesIn(modules, release) {
  const at = Object.fromEntries(foldersIn(path.join(modules, `api@${release}`)).map(group => [group, `api@${release}/${group}`]));
  for (const [group, folder] of Object.entries(elsewhere)) if (group !== 'meta') at[group] = folder(release);
  for (const [group, folder] of Object.entries(at))
    for (const apiVersion of foldersIn(path.join(modules, folder))) if (/^v\d/.test(apiVersion)) yield `${group}/${apiVersion}`;
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? entry.name : []));
}

/** 38 of `v0.38.0`. */
function minorOf(release) {
  return Number(release.split('.')[1]);
}

/** The types that a package declares, and its imports by the name that a file gives them. */
function readPackage(modules, folder, release) {
  const at = path.join(modules, folder);
  const read = {
    folder,
    name: path.basename(folder),
    structs: new Map(),
    named: new Map(),
    imports: new Map(),
    registration: '',
    constants: new Map(),
    /** Constants of other packages by the names that they have here, too. */
    aliases: new Map(),
    hasSchema: true,
  };
  if (!existsSync(at)) return read;
  const files = readdirSync(at).filter(file => file.endsWith('.go') && !/^zz_|_test\.go$|generated/.test(file));
  // Packages without published schemas say so in their documentation.
  if (files.includes('doc.go')) read.hasSchema = !readFileSync(path.join(at, 'doc.go'), 'utf8').includes('+k8s:openapi-gen=false');
  for (const file of files) readGo(readFileSync(path.join(at, file), 'utf8'), read, release);
  return read;
}

function readGo(source, into, release) {
  const text = source.replace(/\/\*[\s\S]*?\*\//g, '');
  for (const [, name, target] of text.matchAll(/^(?:import)?\s+(\w+ )?"(k8s\.io\/[^"]+)"$/gm))
    into.imports.set((name ?? path.basename(target)).trim(), modulePath(target, release));
  for (const [, comment, name, body] of text.matchAll(/((?:^\/\/[^\n]*\n|^\n(?=\/\/))*)^type (\w+) struct \{[^\n]*\n([\s\S]*?)^\}/gm))
    into.structs.set(name, { markers: markersIn(comment), fields: fieldsIn(body) });
  for (const [, name] of text.matchAll(/^type (\w+) struct ?\{\}/gm)) into.structs.set(name, { markers: new Map(), fields: [] });
  for (const [, name, type] of text.replace(/\/\/[^\n]*/g, '').matchAll(/^type (\w+) (=? ?[^\s{=][^\n{]*)$/gm))
    if (!type.startsWith('struct')) into.named.set(name, type.trim());
  for (const [, name, value] of text.matchAll(/^\s(\w+)(?: +\w+)? += +(?:\w+\()?"([^"]*)"/gm)) into.constants.set(name, value);
  for (const [, name, value] of text.matchAll(/^\s(\w+)(?: +\w+)? += +(?:\w+\()?(\w+\.\w+)\)?$/gm)) into.aliases.set(name, value);
  into.registration += text.includes('AddKnownTypes') ? text.replace(/\/\/[^\n]*/g, '') : '';
}

/** `k8s.io/api/core/v1` as a folder of the module cache. */
function modulePath(target, release) {
  const [, module, rest = ''] = /^k8s\.io\/([^/]+)(\/.*)?$/.exec(target);
  return `${module}@${release}${rest}`;
}

function fieldsIn(body) {
  const fields = [];
  let comment = '';
  for (const line of body.split('\n')) {
    const field = /^\t(?:(\w+)\s+)?([^\s`]\S*)(?:\s+`([^`]*)`)?\s*(?:\/\/.*)?$/.exec(line);
    if (/^\s*\/\//.test(line)) comment += `${line.trim()}\n`;
    // A blank line separates comments, but markers of a field may be in an earlier one.
    if (field === null || /^\s*\/\//.test(line)) continue;
    fields.push({ name: field[1] ?? '', type: field[2], tags: tagsIn(field[3] ?? ''), markers: markersIn(comment) });
    comment = '';
  }
  return fields;
}

function tagsIn(text) {
  return new Map([...text.matchAll(/(\w+):"([^"]*)"/g)].map(([, name, value]) => [name, value]));
}

/** `+listType=map` and others by name, with all their values. */
function markersIn(comment) {
  const found = new Map();
  for (const [, name, value] of comment.matchAll(/^\/\/ ?\+([\w:.]+)(?:=(.*))?$/gm))
    found.set(name, [...(found.get(name) ?? []), value ?? '']);
  return found;
}
