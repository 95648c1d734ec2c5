import path from 'node:path';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/**
 * Files that take more than two seconds alone on a quiet machine, longest first, those that mostly wait among those that compute. An outdated
 * entry costs time, nothing else.
 */
const longest = [
  // Collects all garbage many times, which takes the least time in a new process.
  'security/hostile-requests.test.ts',
  'corpus/expressions-at-limits.test.ts',
  'corpus/decisions-at-deadlines.test.ts',
  'corpus/corpus.test.ts',
  'local-apiserver/recorded-sessions/watches-and-discovery.test.ts',
  'webhook-server/injector/idempotence.test.ts',
  'pages/pages.test.ts',
  'corpus/decisions.test.ts',
  'cli/process.test.ts',
  'docs/readme.test.ts',
  'fuzz/together.test.ts',
  'corpus/expressions.test.ts',
  'fuzz/fuzz-command.test.ts',
  'docs/tours.test.ts',
  'suites/readiness.test.ts',
  'docs/languages.test.ts',
  'security/readers.test.ts',
  'docs/pipelines.test.ts',
  'architecture.test.ts',
  'library/entry.test.ts',
  'local-apiserver/recorded-sessions/kinds-and-lists.test.ts',
  'local-apiserver/recorded-sessions/writes-and-users.test.ts',
  'review/faults.test.ts',
  'redaction/planted.test.ts',
  'fuzz/checks.test.ts',
  'commands/dev-apiserver.test.ts',
  'suites/concurrency.test.ts',
  'commands/examples.test.ts',
  'suites/process/start-process.test.ts',
  'security/special-files.test.ts',
  'robustness/damaged-code.test.ts',
  'envtest/sessions.test.ts',
  'packaging/packed.test.ts',
  'cli/completion.test.ts',
  'cli/calls-in-threads.test.ts',
  'security/defects.test.ts',
  'commands/serve-handlers.test.ts',
  'suites/process/left-behind.test.ts',
  'local-apiserver/hostile-clients.test.ts',
  'suites/conversion-cases.test.ts',
  'cli/replay-checkpoint.test.ts',
  'cel/bombs.test.ts',
  'cluster/connection.test.ts',
  'certificates/create.test.ts',
  'webhook-server/serving/recorded.test.ts',
  'redaction/secrets.test.ts',
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
