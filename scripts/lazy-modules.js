// Makes our modules load another one when they first use it, not when they are loaded themselves: a call touches a fraction of them.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { transform } from 'esbuild';

/**
 * The modules of one part of the program as text: every module of ours becomes a function that V8 compiles when the module is loaded by
 * `ours(NUMBER)`, and that loads what it imports at the first use. The order cannot matter: our modules only declare. `numbers` has every module of the
 * program by its file, as places in its part; one of another part is required by `PART:NUMBER`. Throws where a module does what has no such form.
 */
export async function lazyModules(root, part, numbers) {
  const own = [...numbers.keys()].filter(file => partOf(file) === part);
  const functions = await Promise.all(
    own.map(async file => `// ${file}\nfunction (exports) {${await functionBody(root, file, part, numbers)}},`),
  );
  return [
    `const modules = [\n${functions.join('\n')}\n];`,
    'const made = new Array(modules.length);',
    // V8 takes objects with names of their own for as many shapes, and looks through all of them for each that is new; without a prototype they have none.
    'const ours = number => { if (made[number] === undefined) modules[number](made[number] = { __proto__: null }); return made[number]; };',
  ].join('\n');
}

async function functionBody(root, file, part, numbers) {
  const source = readFileSync(path.join(root, file), 'utf8')
    .replaceAll('createRequire(import.meta.url)', 'require')
    .replaceAll('import.meta.dirname', '__dirname');
  if (source.includes('import.meta')) throw new Error(`${file}: import.meta has no meaning in the bundle`);
  if (/^export (?:let|\*)/m.test(source)) throw new Error(`${file}: what is exported must be named, and stay`);
  const { code } = await transform(source, { loader: 'ts', format: 'cjs', target: 'node20.19' });
  const body = withLazyImports(withPlainExports(code)).replaceAll(/\brequire\("(\.\.?\/[^"]+)\.js"\)/g, (_, imported) =>
    wayTo(`${path.posix.join(path.posix.dirname(file), imported)}.ts`, part, numbers),
  );
  if (/\b__\w+\(/.test(body)) throw new Error(`${file}: what it imports or exports has no form here`);
  return body;
}

/** The expression that loads a module of ours from a part of the program. */
export function wayTo(file, part, numbers) {
  const number = numbers.get(file);
  if (number === undefined) throw new Error(`no module ${file}`);
  return partOf(file) === part ? `ours(${number})` : `require("${partOf(file)}:${number}")`;
}

/**
 * The part of the program that a file belongs to, by its path from the root. What the creation of a pod touches is `first`, what other calls and failures touch
 * is `second`; V8 looks through the text of a whole part before it runs anything, so everything else is `third`.
 */
export function partOf(file) {
  if (otherThanCalls.test(file)) return 'third';
  return otherCalls.test(file) ? 'second' : 'first';
}

const otherThanCalls = beginningWith([
  'commands/(?!(?:review|request)\\.)',
  'src/(?:certificates|controllers|files|library|lint|suites|webhook-server)/',
  'src/cel/(?!go/url)',
  'src/encoding/placed-documents',
  'src/apiserver/(?:authorization|conversion)/',
  'src/apiserver/(?:custom-|call-conversion-webhook|convert-object|stored-conversions|connect|pod-container)',
  'src/apiserver/objects/custom/(?!custom-codec)',
  'src/apiserver/plugins/pod-security/(?!policy)',
  'src/apiserver/registry/custom',
  'src/apiserver/registry/validation/(?:definitions|policies)/',
  'src/cli/(?:convert|diagnose|lint|match|snapshot|test|test-reports)/',
  'src/cli/(?:certificate-flags|inspection-documents|scripted-server|serve|verif)',
  'src/reports/(?:suites/|conversion-report|diagnosis-report|lint-report|workflow-command)',
]);

const otherCalls = beginningWith([
  'src/apiserver/(?:apply|delet|patch(?:-metadata)?\\.|read\\.|scale|update\\.)',
  'src/apiserver/objects/conversions/(?!conversion-rules|core|lists)',
  'src/apiserver/objects/defaults/(?!core|default-rules|image-reference|pod)',
  'src/apiserver/patches/(?:element-order|from-unstructured|merge-|patch-meta|strategic-merge)',
  'src/apiserver/patches/managed-fields/(?:apply|conflicts|custom-versions|last-applied|prune|scale-owners)',
  'src/apiserver/patches/structured-merge/(?:definition-atom|merge|reconcile|remove-items|to-field-set)',
  'src/apiserver/registry/kinds/(?!pod)',
  'src/apiserver/registry/validation/(?:devices|storage|subresources)/',
  'src/apiserver/registry/validation/kinds/(?!pod\\.)',
  'src/apiserver/registry/validation/(?:match-conditions|questions|scale|webhook-(?!client-config))',
  'src/apiserver/webhooks/failures/',
  'src/cli/(?:calls/(?:connect-call|raw-calls|subresource-call)|cases/(?!scripted-replies))',
  'src/encoding/(?:protobuf|shallow-json)',
  'src/transport/(?:gzip|http2|inflate)',
  'src/x509/(?:constraint-trees|key-pair|name-constraints|private-key|pss-parameters|rsa-private-key)',
]);

function beginningWith(patterns) {
  return new RegExp(`^(?:${patterns.join('|')})`);
}

/**
 * What is exported becomes plain properties, which are read faster than esbuild's getters: functions before anything else runs, as
 * they are hoisted, the rest behind everything; what comes from another module is asked for there.
 */
function withPlainExports(code) {
  const end = 'module.exports = __toCommonJS(stdin_exports);\n';
  const to = code.indexOf(end);
  if (to < 0) return code;
  const body = code.slice(to + end.length);
  const exported = [...code.slice(code.indexOf('stdin_exports = {}'), to).matchAll(/^ {2}(\w+): \(\) => ([\w.]+),?$/gm)].map(
    ([, name, value]) => ({ name, value }),
  );
  const isForeign = ({ value }) => value.includes('.');
  const isFunction = one => !isForeign(one) && new RegExp(`^(?:async )?function\\*? ${one.value}\\(`, 'm').test(body);
  const isMade = one => !isForeign(one) && !isFunction(one);
  const assigned = one => `exports.${one.name} = ${one.value};\n`;
  const asked = one => `Object.defineProperty(exports, "${one.name}", { enumerable: true, get: () => ${one.value} });\n`;
  return [
    ...exported.filter(isFunction).map(assigned),
    ...exported.filter(isForeign).map(asked),
    body,
    ...exported.filter(isMade).map(assigned),
  ].join('');
}

/** An import becomes a variable that is filled when it is first read. Of libraries only what they export by name is imported. */
function withLazyImports(code) {
  const text = code
    .replaceAll(/\bimport\(("\.[^"]+")\)/g, 'Promise.resolve().then(() => require($1))')
    .replaceAll(/^(var \w+ = )__toESM\((require\("[^"]+"\))\);$/gm, '$1$2;');
  const imported = [...text.matchAll(/^var (import_\w+) = (require\("([^"]+)"\));$/gm)];
  return imported.reduce((rest, [line, name, loading, file]) => {
    // What a module of Node exports by default is itself.
    const use = new RegExp(`\\b${name}\\b${file.startsWith('node:') ? '(?:\\.default\\b)?' : ''}`, 'g');
    return `var ${name};\n${rest.replace(line, '').replaceAll(use, `(${name} ??= ${loading})`)}`;
  }, text);
}
