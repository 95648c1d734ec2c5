#!/usr/bin/env node
// Builds the playground as a static folder, dist/site or the one that is named: any web server can serve it. npm run site [-- FOLDER]
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildPlayground } from './pages.js';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');
const folder = path.resolve(process.argv[2] ?? path.join(root, 'dist/site'));
await buildPlayground(root, folder);
process.stdout.write(`${folder}\n`);
