// Runs Node programs and measures them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';

const preload = path.join(import.meta.dirname, 'cpu-at-exit.cjs');

/** Bash measures a program that is not Node: user and system time in seconds, to file descriptor 3. */
const timed = 'exec 4>&2; TIMEFORMAT="%U %S"; { time "$@" 2>&4 3>&- 4>&-; } 2>&3';

/**
 * Returns wall and CPU time in milliseconds, including the start of the process, and its output; of Node also its peak memory. `node` is the program
 * of a version of Node; Bash measures an `executable`. stdout is a pipe: the program starts more slowly when it is /dev/null. Throws if it fails.
 */
export async function measuredRun({ executable, node = process.execPath, argv, env = {}, cwd }) {
  const begin = performance.now();
  const [file, args] =
    executable === undefined ? [node, ['--require', preload, ...argv]] : ['bash', ['-c', timed, 'bash', executable, ...argv]];
  const child = spawn(file, args, {
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    env: { ...process.env, ...env },
  });
  const [output, errors, figures] = [1, 2, 3].map(number => collected(child.stdio[number]));
  const [exitCode] = await once(child, 'close');
  const wallMs = performance.now() - begin;
  if (exitCode !== 0) {
    const said = `${output().replace(/^ {2}✓ .*\n/gm, '')}${errors()}`;
    throw new Error(`${argv.join(' ').slice(0, 200)}: exit code ${exitCode}: ${said.slice(-2000)}`);
  }
  return { wallMs, ...(executable === undefined ? JSON.parse(figures() || '{}') : { cpuMs: cpuMsOf(figures()) }), stdout: output() };
}

function cpuMsOf(times) {
  const [user, system] = times.trim().split(' ').map(Number);
  return (user + system) * 1000;
}

/** Starts a server that prints its address first; `stop` ends it. */
export async function startServer(argv) {
  const child = spawn(process.execPath, argv, { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = await once(child.stdout, 'data');
  return { url: String(line).trim(), stop: () => child.kill() };
}

function collected(stream) {
  const parts = [];
  stream?.on('data', part => parts.push(part));
  return () => Buffer.concat(parts).toString();
}

/** Returns the medians of runs: CPU and wall time in milliseconds. */
export function mediansOf(runs) {
  return { cpu: median(runs.map(({ cpuMs }) => cpuMs)), wall: median(runs.map(({ wallMs }) => wallMs)) };
}

export function median(numbers) {
  return numbers.toSorted((a, b) => a - b)[numbers.length >> 1];
}
