// Leaves out the parts of valibot that are not used: the modules of the bundle call require, from which esbuild cannot tell what they use.

import { createRequire } from 'node:module';
import path from 'node:path';

const used = ['array', 'check', 'custom', 'exactOptional', 'guard', 'lazy', 'map', 'object', 'pipe', 'safeParse', 'string', 'transform'];

/** esbuild's plugin: `require('valibot')` is the functions that `src/reports` uses. */
export const leanValibot = {
  name: 'lean-valibot',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^valibot$/ }, ({ kind }) =>
      kind === 'require-call' ? { path: 'valibot', namespace: 'lean-valibot' } : undefined,
    );
    onLoad({ filter: /.*/, namespace: 'lean-valibot' }, () => ({
      contents: `export { ${used.join(', ')} } from 'valibot';`,
      loader: 'js',
      resolveDir: path.dirname(createRequire(import.meta.url).resolve('valibot')),
    }));
  },
};
