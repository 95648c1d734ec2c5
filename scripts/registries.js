// Writes the modules that list what the other modules of a folder export: a lint rule or a check needs no entry of its own in a list.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const registries = [
  {
    file: 'src/lint/rules/rules.ts',
    pattern: /^export const (\w+): LintRule = \{$/gm,
    expected: 'export const NAME: LintRule = {',
    textOf: modules => [
      "import type { LintRule } from '../rule.js';",
      ...modules.map(importOf),
      '',
      '/** All rules, by the file that they are in. */',
      'export const lintRules: readonly LintRule[] = [',
      ...modules.flatMap(({ names }) => names.map(name => `  ${name},`)),
      '];',
    ],
  },
  {
    file: 'src/suites/checks/check-functions.ts',
    pattern: /^export async function (\w+)\(\{?[\w, ]+\}?: CheckedCall\): Promise<CheckResult> \{$/gm,
    textOf: modules => [
      "import type { CheckName } from '../../client/options/call-checks.js';",
      "import type { CheckedCall, CheckResult } from './checked-call.js';",
      ...modules.map(importOf),
      '',
      '/** The function of each check, which is in the file of its name. */',
      'export const checkFunctions = {',
      ...modules.map(({ module, names }) => `  ${module.includes('-') ? `'${module}'` : module}: ${names[0]},`),
      '} satisfies Record<CheckName, (checked: CheckedCall) => Promise<CheckResult>>;',
    ],
  },
];

/** Returns the text of each of these modules by its path. Throws if a module of a folder exports nothing where all must (`expected`). */
export function registryTexts(root) {
  return new Map(registries.map(registry => [registry.file, textOfRegistry(root, registry)]));
}

/** Writes those that changed. */
export function writeRegistries(root) {
  for (const [name, text] of registryTexts(root)) {
    const file = path.join(root, name);
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue;
    writeFileSync(file, text);
    process.stdout.write(`${name} written\n`);
  }
}

function textOfRegistry(root, { file, pattern, expected, textOf }) {
  const folder = path.join(root, path.dirname(file));
  const sources = readdirSync(folder).filter(name => name.endsWith('.ts') && name !== path.basename(file));
  const modules = sources.sort().map(name => ({
    module: path.basename(name, '.ts'),
    names: [...readFileSync(path.join(folder, name), 'utf8').matchAll(pattern)].map(([, exported]) => exported),
  }));
  const empty = modules.find(({ names }) => names.length === 0);
  if (empty !== undefined && expected !== undefined) throw new Error(`${path.dirname(file)}/${empty.module}.ts: expected "${expected}"`);
  const text = textOf(modules.filter(({ names }) => names.length > 0));
  return ['// Written by `npm run build` from the other modules of this folder.', '', ...text, ''].join('\n');
}

/** As Biome formats it. */
function importOf({ module, names }) {
  const sorted = [...names].sort((a, b) => a.localeCompare(b, 'en'));
  const line = `import { ${sorted.join(', ')} } from './${module}.js';`;
  return line.length <= 140 ? line : `import {\n${sorted.map(name => `  ${name},\n`).join('')}} from './${module}.js';`;
}
