import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vitest/config';
import { compiledModules } from './test/support/compiled-modules.js';
import { LongestFirst } from './test/support/longest-first.js';

/**
 * Every worker runs thousands of functions, most of them not often: with V8's default, optimizing them takes a sixth of the CPU time of the
 * corpus. Only for Node 20, where it was measured.
 */
const flags = process.versions.v8.startsWith('11.') ? ['--interrupt-budget=540000'] : [];

/**
 * Processes without isolation: starting one per file would take several times as long as the tests themselves. No threads: starting a
 * program copies the page tables of the whole process, which takes 50 ms for one with the memory of all workers.
 */
export default defineConfig({
  plugins: [compiledModules()],
  // Modules of handlers import the package by its name.
  resolve: { alias: { 'webhook-cli': fileURLToPath(new URL('src/library/entry.ts', import.meta.url)) } },
  test: {
    include: ['test/**/*.test.ts'],
    server: { deps: { external: [/\/dist\/tests\//] } },
    // Node parses these certificates at every start of a program, which takes a quarter of it; the tests connect only to themselves.
    env: { NODE_EXTRA_CA_CERTS: '' },
    sequence: { sequencer: LongestFirst },
    pool: 'forks',
    execArgv: flags,
    isolate: false,
    // Two more than there are cores: many files wait for deadlines, programs or a browser, while others work.
    maxWorkers: availableParallelism() + 2,
    // A line a file: slow tests are not listed.
    slowTestThreshold: 60_000,
    // Only ends tests that hang: no test measures time with it, and other programs may use the machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
    coverage: { provider: 'custom', customProviderModule: './test/support/coverage/vitest-coverage.ts' },
    reporters: ['default', './test/closing-line-reporter.ts'],
  },
});
