import type { LineCount } from './lines-of-rooms.js';

/** Lines of text: a room each, and all of them; empty when no room has a line. */
export function coverageTable(rooms: ReadonlyMap<string, LineCount>): string {
  const rows = [...rooms].map(([room, count]) => ({ room, ...count })).sort((a, b) => (a.room < b.room ? -1 : 1));
  if (rows.length === 0) return '';
  const sum = rows.reduce((all, { lines, ran }) => ({ lines: all.lines + lines, ran: all.ran + ran }), { lines: 0, ran: 0 });
  const width = Math.max(...rows.map(({ room }) => room.length));
  const texts = [...rows, { room: 'all', ...sum }].map(({ room, lines, ran }) => {
    const percent = ((100 * ran) / Math.max(lines, 1)).toFixed(1);
    return `${room.padEnd(width)} ${percent.padStart(5)} % of ${String(lines).padStart(6)}\n`;
  });
  return `\ncoverage: lines of compiled code in functions that ran, without those that ran only in other programs and threads\n${texts.join('')}`;
}
