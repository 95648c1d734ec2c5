import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { builtins } from '../../src/go-template/builtins.js';
import { injectorFunctions } from '../../src/webhook-server/injector/istio-functions.js';
import { root } from '../support/run-command.js';

describe('docs/injector.md', () => {
  it('lists the functions of templates', () => {
    const [, list = ''] = readFileSync(path.join(root, 'docs/injector.md'), 'utf8').split('## Functions of templates');
    const listed = [...list.matchAll(/`(\w+)`/g)].map(([, name]) => name);
    expect(listed.sort()).toEqual([...builtins.keys(), ...injectorFunctions.keys()].sort());
  });
});
