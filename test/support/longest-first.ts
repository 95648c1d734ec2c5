import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take more than five seconds, longest first. An outdated entry costs time, nothing else. */
const longest = [
  'corpus/expressions-at-limits.test.ts',
  'local-apiserver/recorded-sessions/kinds-and-lists.test.ts',
  'corpus/decisions-at-deadlines.test.ts',
  'local-apiserver/recorded-sessions/writes-and-users.test.ts',
  'local-apiserver/recorded-sessions/watches-and-discovery.test.ts',
  'fuzz/fuzz-command.test.ts',
  'commands/examples.test.ts',
  'suites/concurrency.test.ts',
  'corpus/decisions.test.ts',
  'cli/bad-input.test.ts',
  'security/trust.test.ts',
  'docs/pipelines.test.ts',
  'commands/serve-handlers.test.ts',
  'suites/readiness.test.ts',
  'corpus/corpus.test.ts',
  'corpus/expressions.test.ts',
  'cli/process.test.ts',
  'library/versions.test.ts',
  'commands/dev-apiserver.test.ts',
  'commands/convert.test.ts',
  'suites/process/start-process.test.ts',
  'commands/remote-addresses.test.ts',
  'cluster/connection.test.ts',
  'docs/readme.test.ts',
  'apiserver/recorded-calls.test.ts',
  'local-apiserver/hostile-clients.test.ts',
  'certificates/create.test.ts',
  'docs/tours.test.ts',
  'library/entry.test.ts',
  'library/packed-types.test.ts',
  'cli/completion.test.ts',
];

/** Runs the longest files first, so that no core waits for one of them at the end; the others in the order of their names. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification): number => {
      const name = path.relative(path.join(this.ctx.config.root, 'test'), moduleId).replaceAll(path.sep, '/');
      const found = longest.indexOf(name);
      return found < 0 ? longest.length : found;
    };
    return [...files].sort((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}
