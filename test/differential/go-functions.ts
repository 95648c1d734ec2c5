import { goAnswers } from './go-answers.js';
import { goQuestions } from './go-questions.js';
import { compareWithOracle, type OracleAnswer } from './oracle.js';
import { randomFrom } from './random.js';

/**
 * Random inputs for functions of src/go against Go's standard library:
 * `ASK_FUNCTIONS=BINARY node dist/test/differential/go-functions.js [COUNT] [SEED] [FUNCTION ...]`, where BINARY is built from go-functions/main.go.
 */
const [count = '20000', seed = '1', ...names] = process.argv.slice(2);
for (const name of names.length === 0 ? Object.keys(goQuestions) : names) {
  const make = goQuestions[name];
  const answer = goAnswers[name];
  if (make === undefined || answer === undefined) throw new Error(`unknown function ${name}`);
  const random = randomFrom(Number(seed));
  const questions = Array.from({ length: Number(count) }, () => ({ fn: name, ...make(random) }));
  console.log(name);
  await compareWithOracle({ questions, answer: question => sortedMembers(answer(question)), normalized: sortedMembers });
}

function sortedMembers(answer: OracleAnswer): OracleAnswer {
  return JSON.parse(JSON.stringify(answer), (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
  }) as OracleAnswer;
}
