import { conformanceCases, differenceFrom } from './conformance.js';
import { mixedLiterals } from './conformance-exceptions.js';

/**
 * Prints the number of passed cases per enabled section of cel-spec's conformance data, and how many mix types in literals, which the API
 * server's environment rejects. `npm run conformance`, after `npm run build`.
 */
interface Figure {
  cases: number;
  mixed: number;
  equal: number;
}

const figures = new Map<string, Figure>();
for (const one of conformanceCases()) {
  const figure = figures.get(one.section) ?? { cases: 0, mixed: 0, equal: 0 };
  figures.set(one.section, figure);
  figure.cases += 1;
  if (mixedLiterals[one.section]?.includes(one.name) === true) figure.mixed += 1;
  else if (differenceFrom(one) === undefined) figure.equal += 1;
}
for (const [section, figure] of figures) console.log(row(section, figure));
const all = [...figures.values()];
const sum = (member: keyof Figure): number => all.reduce((total, figure) => total + figure[member], 0);
console.log(row('all sections', { cases: sum('cases'), mixed: sum('mixed'), equal: sum('equal') }));

function row(section: string, { cases, mixed, equal }: Figure): string {
  const asked = cases - mixed;
  const refused = mixed === 0 ? '' : `, ${mixed} of mixed types refused`;
  return `${section.padEnd(52)} ${`${equal}/${asked}`.padStart(9)} ${asked === 0 ? '' : `${((100 * equal) / asked).toFixed(1)}%`}${refused}`;
}
