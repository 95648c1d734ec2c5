#!/usr/bin/env node
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundledProgram } from './load.js';

// oclif would load a whole version library only to warn about old versions of Node.
process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { main, processSurroundings, commands } = bundledProgram(root, process.argv[2]) ?? (await compiledProgram());
process.exitCode = await main(process.argv.slice(2), root, processSurroundings(), commands);

/** The modules as the compiler wrote them: in a checkout without a bundle, or with one that is older. */
async function compiledProgram() {
  const { main } = await import('../dist/src/cli/main.js');
  const { processSurroundings } = await import('../dist/src/cli/process-surroundings.js');
  return { main, processSurroundings };
}
