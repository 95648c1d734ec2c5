import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a test file ran, or the cases of a recorded file. */
export interface KeptRun {
  /** `test/cel/lists.test.ts`, or `requests/pods`. */
  readonly name: string;
  /** When it ran, in milliseconds since 1970. */
  readonly at: number;
  /** Names of the recorded cases, in their order; none for a test file. */
  readonly cases: readonly string[];
  /** The source files of which functions ran. For recorded cases, a digit for each case: 1 if it ran one. */
  readonly sources: Readonly<Record<string, string>>;
}

/** Folder for what runs keep of their coverage: one file each for a test file and a recorded file, which the next run of it replaces. */
export class KeptCoverage {
  constructor(private readonly folder: string) {}

  write(kind: 'cases' | 'tests', { name, cases, sources }: Omit<KeptRun, 'at'>): void {
    const file = path.join(this.folder, kind, `${name}.json`);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, JSON.stringify({ cases, sources }));
  }

  /** By name. */
  read(kind: 'cases' | 'tests'): KeptRun[] {
    const folder = path.join(this.folder, kind);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(name => name.endsWith('.json'));
    return names.sort().map(name => {
      const file = path.join(folder, name);
      const kept = JSON.parse(readFileSync(file, 'utf8')) as Pick<KeptRun, 'cases' | 'sources'>;
      return { ...kept, name: name.slice(0, -'.json'.length).replaceAll(path.sep, '/'), at: statSync(file).mtimeMs };
    });
  }
}
