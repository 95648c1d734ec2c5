import type { TestModule } from 'vitest/node';
import { coverageTable } from './support/coverage/coverage-table.js';
import type { RoomLines } from './support/coverage/vitest-coverage.js';

/** Prints the coverage if it was measured, and `N passed, N failed` as the last line, which CI parses independently of the test runner. */
export default class ClosingLineReporter {
  private coverage: RoomLines | undefined;

  onCoverage(coverage: unknown): void {
    this.coverage = coverage as RoomLines;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    let passed = 0;
    let failed = 0;
    for (const module of modules) {
      let tests = 0;
      for (const test of module.children.allTests()) {
        tests += 1;
        if (test.result().state === 'passed') passed += 1;
        if (test.result().state === 'failed') failed += 1;
      }
      // A file that cannot be loaded has no tests, so it counts as a failure.
      if (module.state() === 'failed' && tests === 0) failed += 1;
    }
    if (this.coverage !== undefined) process.stdout.write(coverageTable(this.coverage));
    process.stdout.write(`\n${passed} passed, ${failed} failed\n`);
  }
}
