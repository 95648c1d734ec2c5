#!/usr/bin/env node
import path from 'node:path';
import { fileURLToPath } from 'node:url';

// oclif would load a whole version library only to warn about old versions of Node.
process.env.OCLIF_DISABLE_ENGINE_WARNING = '1';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const { main } = await import('../dist/src/cli/main.js');
const { processSurroundings } = await import('../dist/src/cli/process-surroundings.js');
process.exitCode = await main(process.argv.slice(2), root, processSurroundings());
