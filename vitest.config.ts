import { defineConfig } from 'vitest/config';

/** Threads without isolation: starting a process per file would take several times as long as the tests themselves. */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    pool: 'threads',
    isolate: false,
    disableConsoleIntercept: true,
    reporters: ['default', './test/closing-line-reporter.ts'],
  },
});
