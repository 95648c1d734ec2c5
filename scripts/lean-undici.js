// Leaves out the parts of undici that are not used, which were a third of what the package weighed.

import { createRequire } from 'node:module';
import path from 'node:path';

/** esbuild's plugin: `import('undici')` is its agents and their methods, without fetch, mocks, interceptors and caches. */
export const leanUndici = {
  name: 'lean-undici',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^undici$/ }, () => ({ path: 'undici', namespace: 'lean-undici' }));
    onLoad({ filter: /.*/, namespace: 'lean-undici' }, () => ({
      contents: [
        // As its main entry does.
        "Object.assign(require('./lib/dispatcher/dispatcher').prototype, require('./lib/api'));",
        'module.exports = {',
        "  Agent: require('./lib/dispatcher/agent'),",
        "  ProxyAgent: require('./lib/dispatcher/proxy-agent'),",
        '};',
      ].join('\n'),
      loader: 'js',
      resolveDir: path.dirname(createRequire(import.meta.url).resolve('undici/package.json')),
    }));
  },
};
