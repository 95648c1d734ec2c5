/** Files that a process under development writes itself when it starts. */
export interface OwnWrites {
  /** Returns the files that the process is not known to write itself. `isRightAfterStart`: they changed while it started. */
  readonly withoutOwn: (files: readonly string[], isRightAfterStart: boolean) => string[];
}

/** A file that changes during that many starts in a row is not edited by the user. */
const maxStarts = 3;

/** Without this, a process that writes a file below its working directory would be restarted forever. */
export function ownWrites(onFound: (file: string) => void): OwnWrites {
  const starts = new Map<string, number>();
  const own = new Set<string>();
  return {
    withoutOwn: (files, isRightAfterStart) => {
      if (!isRightAfterStart) starts.clear();
      for (const file of files) {
        const count = (starts.get(file) ?? 0) + (isRightAfterStart ? 1 : 0);
        starts.set(file, count);
        if (count < maxStarts || own.has(file)) continue;
        own.add(file);
        onFound(file);
      }
      return files.filter(file => !own.has(file));
    },
  };
}
