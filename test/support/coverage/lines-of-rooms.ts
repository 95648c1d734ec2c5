import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { FunctionRange, ModuleFunctions } from './function-coverage.js';

/** Lines of compiled code, and how many of them are of functions that ran or were loaded outside of functions. */
export interface LineCount {
  lines: number;
  ran: number;
}

/** What all test files of a run covered together. */
export class CoveredLines {
  private readonly ran = new Map<string, Set<string>>();
  private readonly idle = new Map<string, Set<string>>();
  private folder: string | undefined;

  add(modules: readonly ModuleFunctions[]): void {
    for (const { source, module, ran, idle } of modules) {
      this.folder ??= module.slice(0, -source.length);
      addAll(this.ran, source, ran);
      addAll(this.idle, source, idle);
    }
  }

  /** Counts the lines by room: all compiled modules of the run, also those that nothing loaded. Empty when nothing ran. */
  countByRoom(roomOf: (source: string) => string | undefined): Map<string, LineCount> {
    const counts = new Map<string, LineCount>();
    if (this.folder === undefined) return counts;
    for (const source of sourcesBelow(this.folder)) {
      const room = roomOf(source);
      if (room === undefined) continue;
      const count = counts.get(room) ?? { lines: 0, ran: 0 };
      counts.set(room, count);
      this.countLines(source, count);
    }
    return counts;
  }

  private countLines(source: string, count: LineCount): void {
    const text = readFileSync(path.join(this.folder ?? '', source.replace(/\.ts$/, '.js')), 'utf8');
    const covered = coveredText(text, this.ran.get(source), this.idle.get(source));
    for (const { index } of text.matchAll(/^[ \t]*[^\s]/gm)) {
      // The first character that is not white space.
      const at = index + (/[^ \t]/.exec(text.slice(index, index + 200))?.index ?? 0);
      if (text.startsWith('//# sourceMappingURL', at)) continue;
      count.lines += 1;
      count.ran += covered[at] ?? 0;
    }
  }
}

function addAll(to: Map<string, Set<string>>, source: string, ranges: readonly FunctionRange[]): void {
  const known = to.get(source) ?? new Set();
  to.set(source, known);
  for (const [start, end] of ranges) known.add(`${start} ${end}`);
}

/** 1 for each character whose innermost function ran; 0 for all when the module was not loaded. */
function coveredText(text: string, ran: ReadonlySet<string> | undefined, idle: ReadonlySet<string> | undefined): Uint8Array {
  const covered = new Uint8Array(text.length).fill(ran === undefined ? 0 : 1);
  const functions = [...new Set([...(ran ?? []), ...(idle ?? [])])].map(key => {
    const [start = 0, end = 0] = key.split(' ').map(Number);
    return { start, end, value: ran?.has(key) === true ? 1 : 0 };
  });
  // Outer functions first: inner ones overwrite their part.
  for (const { start, end, value } of functions.sort((a, b) => a.start - b.start || b.end - a.end)) covered.fill(value, start, end);
  return covered;
}

function sourcesBelow(folder: string): string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map(name => name.replaceAll(path.sep, '/'));
  return names.filter(name => name.endsWith('.js') && !name.includes('/page-files/')).map(name => name.replace(/\.js$/, '.ts'));
}
