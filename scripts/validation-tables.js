// Writes validations-MINOR.json for scripts/tables.js from the functions of declarative validation in the source of Kubernetes:
//
//   node scripts/validation-tables.js FOLDER VERSION MODULES
//
// The arguments are those of scripts/type-tables.js, which must have run before; MODULES holds the module kubernetes of the release, too. Before v1.36
// declarative validation refuses nothing; in v1.36 only kinds whose strategy asks for it are validated declaratively.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { newPackages } from './go-source/packages.js';
import { reachableTypes } from './go-source/reachable-types.js';
import { readValidationFunctions, registeredTypes } from './go-source/validation-functions.js';

const [folder, version, modules] = process.argv.slice(2);
if (modules === undefined) throw new Error('usage: node scripts/validation-tables.js FOLDER VERSION MODULES');
const minor = /^v\d+\.\d+/.exec(version)[0];
const number = Number(minor.slice('v1.'.length));
if (number < 36) throw new Error(`declarative validation refuses nothing in ${minor}`);
const packages = newPackages(modules, version);
const { types } = JSON.parse(readFileSync(path.join(folder, `types-${minor}.json`), 'utf8'));
const release = version.replace('v1.', 'v0.');
const apis = path.join(modules, `kubernetes@${version}/pkg/apis`);
const generated = 'zz_generated.validations.go';

const functions = {};
const registered = {};
for (const [name, file] of filesByPackage()) {
  const source = readFileSync(file, 'utf8');
  const imports = new Map([...source.matchAll(/^\s+(\w+) "([^"]+)"$/gm)].map(([, prefix, target]) => [prefix, packageOfImport(target)]));
  const context = {
    packageName: name,
    packageOf: prefix => imports.get(prefix) ?? fail(`${file} does not import ${prefix}`),
    constantOf: text => {
      const [prefix, constant] = text.split('.');
      return packages.constant(packages.named(imports.get(prefix)), constant) ?? fail(`no constant ${text}`);
    },
    jsonName: jsonNameOf,
  };
  Object.assign(functions, readValidationFunctions(source, context));
  Object.assign(registered, registeredTypes(source, name));
}

const { kept, isEmpty } = withoutEffect(functions);
const isEnforced = number === 36 ? enforcedKinds() : () => true;
const roots = Object.entries(registered).filter(([type]) => !isEmpty(type) && isEnforced(type));
writeFileSync(
  path.join(folder, `validations-${minor}.json`),
  `${JSON.stringify({
    types: reachableTypes(
      kept,
      roots.map(([type]) => type),
    ),
    registered: Object.fromEntries(roots),
  })}\n`,
);

function* filesByPackage() {
  const ofMeta = path.join(modules, `apimachinery@${release}/pkg/apis/meta/v1/validation`, generated);
  if (existsSync(ofMeta)) yield ['meta/v1', ofMeta];
  for (const group of foldersIn(apis))
    for (const apiVersion of foldersIn(path.join(apis, group))) {
      const file = path.join(apis, group, apiVersion, generated);
      if (existsSync(file)) yield [`${group}/${apiVersion}`, file];
    }
}

/** Returns whether a type is of a kind whose strategy calls `WithDeclarativeEnforcement`. */
function enforcedKinds() {
  const registries = path.join(modules, `kubernetes@${version}/pkg/registry`);
  const strategies = foldersIn(registries).flatMap(group =>
    foldersIn(path.join(registries, group)).map(kind => path.join(registries, group, kind, 'strategy.go')),
  );
  const kinds = strategies.flatMap(file => {
    const source = existsSync(file) ? readFileSync(file, 'utf8') : '';
    return source.includes('WithDeclarativeEnforcement()')
      ? [...source.matchAll(/obj\.\(\*(\w+)\.(\w+)\)/g)].map(([, group, kind]) => `${group} ${kind}`)
      : [];
  });
  return type => {
    const [, group, kind] = /^(\w+)\/\w+\.(\w+)$/.exec(type);
    return kinds.includes(`${group} ${kind}`);
  };
}

function foldersIn(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap(entry => (entry.isDirectory() ? entry.name : []));
}

/** `core/v1` of `k8s.io/api/core/v1` and of `k8s.io/kubernetes/pkg/apis/core/v1`. */
function packageOfImport(target) {
  if (target === 'k8s.io/apimachinery/pkg/apis/meta/v1/validation') return 'meta/v1';
  return target.split('/').slice(-2).join('/');
}

function jsonNameOf(struct, member) {
  const row = types[struct] ?? fail(`no type ${struct}`);
  for (const field of row.fields) {
    if (field.go === member) return field.json;
    if (field.inline) {
      const inner = types[field.type]?.fields.find(each => each.go === member);
      if (inner !== undefined) return inner.json;
    }
  }
  return fail(`no member ${member} of ${struct}`);
}

/**
 * Removes what changes no answer: alpha validators that do not end the validation of a value, and types and members without any other.
 */
function withoutEffect(all) {
  let empty = new Set();
  const isNothing = type => empty.has(type) || all[type] === undefined;
  const clean = steps =>
    steps.flatMap(step => {
      const [name, second, flags, inner] = step;
      if (name === 'field') {
        const rest = clean(inner);
        return rest.some(each => !isQuiet(each)) ? [['field', second, flags, rest]] : [];
      }
      if (name === 'cohort') {
        const rest = clean(second);
        return rest.some(each => !isQuiet(each)) ? [['cohort', rest]] : [];
      }
      if (name === 'type') return isNothing(second) ? [] : [step];
      if (second.includes('a') && !second.includes('s')) return [];
      const args = step.slice(2).map(arg => (isSteps(arg) ? clean(arg) : cleanRules(arg)));
      const hadSteps = step.slice(2).some(isSteps);
      return hadSteps && !args.some(arg => isSteps(arg) || hasRules(arg)) ? [] : [[name, second, ...args]];
    });
  const cleanRules = arg => (hasRules(arg) ? { rules: arg.rules.map(([value, inner]) => [value, inner && clean(inner)]) } : arg);
  for (;;) {
    const next = new Set(Object.keys(all).filter(type => clean(all[type]).every(isQuiet)));
    if (next.size === empty.size) break;
    empty = next;
  }
  const rows = Object.entries(all).filter(([type]) => !empty.has(type));
  return { kept: Object.fromEntries(rows.map(([type, steps]) => [type, clean(steps)])), isEmpty: isNothing };
}

/** A step that reports nothing: it only ends others. */
function isQuiet([name, second]) {
  return name !== 'field' && name !== 'type' && name !== 'cohort' && (second.includes('q') || second.includes('a'));
}

function isSteps(arg) {
  return Array.isArray(arg) && arg.length > 0 && arg.every(step => Array.isArray(step) && typeof step[0] === 'string');
}

function hasRules(arg) {
  return arg?.rules !== undefined;
}

function fail(message) {
  throw new Error(message);
}
