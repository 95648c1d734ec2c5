#!/usr/bin/env node
// CommonJS, because Node starts it a tenth sooner than a module.
const path = require('node:path');
const { bundledProgram, preparedAnswer } = require('./load.js');

// oclif would load a whole version library only to warn about old versions of Node.
process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';

const root = path.resolve(__dirname, '..');
const argv = process.argv.slice(2);
if (!preparedAnswer(root, argv)) {
  // All is said and done by then, and Node need not take everything down piece by piece.
  start().then(exitCode => process.exit(exitCode));
}

async function start() {
  const { main, processSurroundings, commands } = bundledProgram(root, argv[0]) ?? (await compiledProgram());
  return main(argv, root, processSurroundings(), commands);
}

/** The modules as the compiler wrote them: in a checkout without a bundle, or with one that is older. */
async function compiledProgram() {
  const { main } = await import('../dist/src/cli/main.js');
  const { processSurroundings } = await import('../dist/src/cli/process-surroundings.js');
  return { main, processSurroundings };
}
