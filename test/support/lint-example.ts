import { readFileSync } from 'node:fs';
import path from 'node:path';
import { root } from './run-command.js';

/** The documents in which a rule finds something, where (`['12:45']`), and those in which it finds nothing. */
export interface LintExample {
  readonly bad: string;
  readonly findings: readonly string[];
  readonly good: string;
}

/** Returns the example of a lint rule, `fixtures/lint/<id>.yaml`: a comment after the bad documents says where the findings are. */
export function lintExample(id: string): LintExample {
  const text = readFileSync(path.join(root, `fixtures/lint/${id}.yaml`), 'utf8');
  const [bad, findings, good, ...more] = text.split(/^# finding: ([\d:, ]+)\n---\n/m);
  if (bad === undefined || findings === undefined || good === undefined || more.length > 0) {
    throw new Error(`fixtures/lint/${id}.yaml: expected bad documents, one line "# finding: LINE:COLUMN", "---", and good documents`);
  }
  return { bad, findings: findings.split(', '), good };
}
