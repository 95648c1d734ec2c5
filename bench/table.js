// Prints the rows of bench/run.js as a table of Markdown.

/** Returns the table without empty columns: medians, the ratio to the baseline in this run, the goal, and the committed ratio. */
export function printedTable(rows, known) {
  const names = ['work', 'CPU ms', 'wall ms', 'figure', 'compared with', 'ratio', 'goal', 'committed'];
  const cells = rows.map(row => cellsOf(row, known[row.name]));
  const shown = names.map((_, i) => i).filter(i => cells.some(line => line[i] !== ''));
  const lines = [names, names.map(() => '---'), ...cells];
  return lines.map(line => `| ${shown.map(i => line[i]).join(' | ')} |`).join('\n');
}

/** Returns a table with the results of several versions of Node side by side: CPU time, wall time or a figure, and the ratio. */
export function printedColumns(runs) {
  const names = runs.map(({ name }) => name);
  const head = [`| work | compared with | goal | ${names.join(' | ')} |`, `|---|---|---|${names.map(() => '---|').join('')}`];
  const lines = runs[0].rows.map(({ name, baseline = '', byWall, goal, isRate }) => {
    const cells = runs.map(({ rows }) => cellOf(rows.find(row => row.name === name) ?? {}));
    const compared = baseline === '' ? '' : `${baseline}${byWall ? ' (wall)' : ''}`;
    return `| ${[name, compared, goal === undefined ? '' : `${isRate ? 'at least ' : ''}${goal}`, ...cells].join(' | ')} |`;
  });
  return [...head, ...lines].join('\n');
}

function cellOf({ cpu, wall, figure, ratio }) {
  const times = [cpu === undefined ? '' : `${fixed(cpu, 0)} ms CPU`, wall === undefined ? '' : `${fixed(wall, 0)} ms`, figure ?? ''];
  const measured = times.filter(text => text !== '').join(', ');
  const bold = ratio === undefined ? '' : `**${fixed(ratio, 2)}**`;
  return [measured, bold].filter(text => text !== '').join(': ');
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
