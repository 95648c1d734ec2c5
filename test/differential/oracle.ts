import { spawnSync } from 'node:child_process';

/** A question to the oracle: `fn` and its arguments. */
export type Question = Readonly<Record<string, unknown>>;
export type OracleAnswer = Readonly<Record<string, unknown>>;

/** Result of a run. */
export interface Comparison {
  readonly questions: readonly Question[];
  /** The project's answer, with the oracle's members. */
  readonly answer: (question: Question) => OracleAnswer | Promise<OracleAnswer>;
  /** Members whose text need not be equal, only their presence. */
  readonly only?: readonly string[];
  /** The oracle's answer, restricted to members that the project answers. */
  readonly normalized?: (expected: OracleAnswer) => OracleAnswer;
}

/**
 * Sends every question to the binary named by the environment variable ASK_FUNCTIONS, compares the answers with the project's, and prints
 * the first differences and the figures. Exits with code 1 when there are differences. `flags` are passed to the binary.
 */
export async function compareWithOracle(comparison: Comparison, flags: readonly string[] = []): Promise<void> {
  const { questions, answer, only = [], normalized = expected => expected } = comparison;
  const answers = ask(questions, flags);
  let different = 0;
  let unsteady = 0;
  const outcomes = new Map<string, number>();
  for (const [i, question] of questions.entries()) {
    const expected = normalized(answers[i] ?? {});
    if ('unsteady' in expected) {
      unsteady += 1;
      continue;
    }
    const found = await answer(question);
    const outcome = Object.keys(expected).join('+');
    outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
    if (only.some(member => member in expected && member in found)) continue;
    if (sorted(found) === sorted(expected)) continue;
    different += 1;
    if (different <= 10) console.log(`${JSON.stringify(question)}\n  expected ${sorted(expected)}\n  found    ${sorted(found)}`);
  }
  const kinds = [...outcomes].map(([name, count]) => `${name} ${count}`).join(', ');
  console.log(`${different} differences in ${questions.length - unsteady} (${kinds}; ${unsteady} unsteady left out)`);
  if (different > 0) process.exitCode = 1;
}

/** Seed and number of questions from the command line: `node dist/test/differential/NAME.js [COUNT] [SEED]`. */
export function countAndSeed(): { count: number; seed: number } {
  return { count: Number(process.argv[2] ?? 5000), seed: Number(process.argv[3] ?? 1) };
}

function ask(questions: readonly Question[], flags: readonly string[]): OracleAnswer[] {
  const binary = process.env['ASK_FUNCTIONS'];
  if (binary === undefined) throw new Error('ASK_FUNCTIONS names the binary to ask');
  const input = questions.map(q => `${JSON.stringify(q)}\n`).join('');
  const { stdout, status, stderr } = spawnSync(binary, [...flags], { input, maxBuffer: 2 ** 30, encoding: 'utf8' });
  if (status !== 0) throw new Error(`the oracle ended with ${status}: ${stderr}`);
  return stdout
    .trimEnd()
    .split('\n')
    .map(line => JSON.parse(line) as OracleAnswer);
}

function sorted(answer: OracleAnswer): string {
  return JSON.stringify(Object.fromEntries(Object.entries(answer).sort(([a], [b]) => (a < b ? -1 : 1))));
}
