#!/usr/bin/env node
// Compiles to dist/ and puts the tables of Kubernetes types beside the code that reads them.
import { spawnSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const typescript = path.dirname(createRequire(import.meta.url).resolve('typescript/package.json'));
const compiled = spawnSync(process.execPath, [path.join(typescript, 'bin/tsc'), '-p', root], { stdio: 'inherit', cwd: root });
cpSync(path.join(root, 'src/kubernetes/tables'), path.join(root, 'dist/src/kubernetes/tables'), { recursive: true });
process.exitCode = compiled.status ?? 1;
