import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';
import { registryTexts } from '../../scripts/registries.js';
import { root } from '../support/run-command.js';

it.each([...registryTexts(root)])('%s lists what the other files of its folder export (npm run build writes it)', (file, text) => {
  expect(readFileSync(path.join(root, file), 'utf8')).toBe(text);
});
