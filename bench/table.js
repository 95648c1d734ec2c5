// Prints the rows of bench/run.js as a table of Markdown.

/** Returns the table: medians, the ratio to the baseline in this run, the goal, and the committed ratio. */
export function printedTable(rows, known) {
  const head = ['| work | CPU ms | wall ms | figure | compared with | ratio | goal | committed |', '|---|---|---|---|---|---|---|---|'];
  return [...head, ...rows.map(row => `| ${cellsOf(row, known[row.name]).join(' | ')} |`)].join('\n');
}

function cellsOf({ name, cpu, wall, figure, baseline, byWall, ratio, goal, isRate }, before) {
  return [
    name,
    fixed(cpu, 0),
    fixed(wall, 0),
    figure ?? '',
    baseline === undefined ? '' : `${baseline}${byWall ? ' (wall)' : ''}`,
    fixed(ratio, 2),
    goal === undefined ? '' : `${isRate ? 'at least ' : ''}${goal}`,
    fixed(before, 2),
  ];
}

function fixed(number, digits) {
  return number === undefined ? '' : number.toFixed(digits);
}
