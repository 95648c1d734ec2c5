// Makes imports of our modules lazy: a module is loaded on first use, because a call needs only a fraction of all modules.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';

/**
 * Returns the modules of one part of the program as text: every module becomes a function that V8 compiles when `$own(NUMBER)` loads the
 * module, and that loads its imports on first use. The order does not matter: our modules only declare. `layout` has the part and the
 * number of every module by its file; a module of another part is required as `PART:NUMBER`. Those of the files that are `joined` (joined-modules.js) only add their
 * exports. Throws for modules that cannot be converted.
 */
export async function lazyModules(root, part, layout, joined = new Set()) {
  const own = [...layout.keys()].filter(file => layout.get(file).part === part);
  const functions = await Promise.all(
    own.map(async file =>
      joined.has(file)
        ? `exports => $joined[${layout.get(file).number}](exports),`
        : `// ${file}\nfunction (exports) {${await transformToFunctionBody(root, file, part, layout)}},`,
    ),
  );
  return [
    `const modules = [\n${functions.join('\n')}\n];`,
    'const made = new Array(modules.length);',
    // V8 creates a shape for each object literal and searches all shapes for every new one; objects without a prototype have none.
    // That also makes them tables of properties, which code reads slowly. V8 turns an object into a fast one when a property is read through it as
    // a prototype.
    'const $fast = exported => { const { __fast } = Object.create(exported); return __fast; };',
    'const $own = number => { if (made[number] === undefined) { modules[number](made[number] = { __proto__: null }); $fast(made[number]); } return made[number]; };',
  ].join('\n');
}

async function transformToFunctionBody(root, file, part, layout) {
  return withOwnWays(withPlainExports(await transformToCommonJs(root, file)), file, part, layout);
}

/** Returns the CommonJS of a file of a part with imports that are loaded on first use, in the bundle's way. Throws for forms that have none. */
export function withOwnWays(code, file, part, layout) {
  const body = withLazyImports(code).replaceAll(/\brequire\("(\.\.?\/[^"]+)\.js"\)/g, (_, imported) =>
    wayTo(`${path.posix.join(path.posix.dirname(file), imported)}.ts`, part, layout),
  );
  if (/\b__\w+\(/.test(body)) throw new Error(`${file}: what it imports or exports has no form here`);
  return body;
}

/** Returns a module's source without what only ES modules have. Throws where that has no meaning in the bundle. */
export function sourceOf(root, file) {
  const source = readFileSync(path.join(root, file), 'utf8')
    .replaceAll('createRequire(import.meta.url)', 'require')
    .replaceAll('import.meta.dirname', '__dirname');
  if (source.includes('import.meta')) throw new Error(`${file}: import.meta has no meaning in the bundle`);
  if (/^export (?:let|\*)/m.test(source)) throw new Error(`${file}: what is exported must be named, and stay`);
  return source;
}

async function transformToCommonJs(root, file) {
  const { code } = await transform(sourceOf(root, file), { loader: 'ts', format: 'cjs', target: 'node20.19' });
  return code;
}

/** Resolves with what a module exports: names, and the expressions of their values. */
export async function readExports(root, file) {
  return exportsIn(await transformToCommonJs(root, file));
}

/** Reports whether the expression of an export is that of another module's. */
export function isForeign(value) {
  return value.includes('.');
}

/** Returns a statement that adds an export whose value is asked for when it is used. */
export function askedExport(name, value) {
  return `Object.defineProperty(exports, "${name}", { enumerable: true, get: () => ${value} });`;
}

/** esbuild's table of exports. */
function exportsIn(code) {
  const table = code.slice(code.indexOf('stdin_exports = {}'), Math.max(0, code.indexOf(endOfTable)));
  return [...table.matchAll(/^ {2}(\w+): \(\) => ([\w.]+),?$/gm)].map(([, name, value]) => ({ name, value }));
}

const endOfTable = 'module.exports = __toCommonJS(stdin_exports);\n';

/** Returns the expression that loads one of our modules from a part of the program. */
export function wayTo(file, part, layout) {
  const place = layout.get(file);
  if (place === undefined) throw new Error(`no module ${file}`);
  return place.part === part ? `$own(${place.number})` : `require("${place.part}:${place.number}")`;
}

/**
 * Exports become plain properties, which are faster than esbuild's getters: functions are set first, because they are hoisted, other
 * exports at the end; re-exports remain getters.
 */
function withPlainExports(code) {
  const to = code.indexOf(endOfTable);
  if (to < 0) return code;
  const body = code.slice(to + endOfTable.length);
  const exported = exportsIn(code);
  const isFunction = one => !isForeign(one.value) && new RegExp(`^(?:async )?function\\*? ${one.value}\\(`, 'm').test(body);
  const isMade = one => !isForeign(one.value) && !isFunction(one);
  const assigned = one => `exports.${one.name} = ${one.value};\n`;
  return [
    ...exported.filter(isFunction).map(assigned),
    ...exported.filter(({ value }) => isForeign(value)).map(({ name, value }) => `${askedExport(name, value)}\n`),
    body,
    ...exported.filter(isMade).map(assigned),
  ].join('');
}

/** An import becomes a variable that is set on first use. Only named exports of libraries are imported. */
function withLazyImports(code) {
  const text = code
    .replaceAll(/\bimport\(("\.[^"]+")\)/g, 'Promise.resolve().then(() => require($1))')
    .replaceAll(/^(var \w+ = )__toESM\((require\("[^"]+"\))\);$/gm, '$1$2;');
  const loading = new Map();
  const rest = text.replaceAll(/^var (import_\w+) = (require\("[^"]+"\));$/gm, (_, name, load) => {
    loading.set(name, load);
    return '';
  });
  const used = rest.replaceAll(/\b(import_\w+)\b(\.default\b)?/g, (use, name, byDefault = '') => {
    const load = loading.get(name);
    // The default export of a Node module is the module itself.
    return load === undefined ? use : `(${name} ??= ${load})${load.startsWith('require("node:') ? '' : byDefault}`;
  });
  return loading.size === 0 ? used : `var ${[...loading.keys()].join(', ')};\n${used}`;
}
