import { defineConfig } from 'vitest/config';

/** Threads without isolation: starting a process per file would take several times as long as the tests themselves. */
export default defineConfig({
  // Modules of handlers import the package by its name.
  resolve: { alias: { 'webhook-cli': new URL('src/library/entry.ts', import.meta.url).pathname } },
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    // Every core: some tests wait for deadlines while others work.
    maxWorkers: '100%',
    // Nothing is measured by it: it only ends what hangs, on machines that have other things to do as well.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    disableConsoleIntercept: true,
    reporters: ['default', './test/closing-line-reporter.ts'],
  },
});
