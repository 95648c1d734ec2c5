import { spawn } from 'node:child_process';

/** Returns which of some absolute paths git ignores; none outside a repository, or without git. */
export async function ignoredByGit(files: readonly string[], cwd: string): Promise<ReadonlySet<string>> {
  const child = spawn('git', ['check-ignore', '-z', '--stdin'], { cwd, stdio: ['pipe', 'pipe', 'ignore'] });
  const ended = new Promise<boolean>(resolve => {
    child.once('error', () => resolve(false));
    child.once('close', () => resolve(true));
  });
  // Without git, nothing reads the list.
  child.stdin.on('error', () => {});
  child.stdin.end(files.join('\0'));
  const chunks: Buffer[] = [];
  child.stdout.on('data', chunk => chunks.push(chunk));
  return (await ended) ? new Set(Buffer.concat(chunks).toString().split('\0')) : new Set();
}
