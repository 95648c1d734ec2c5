import path from 'node:path';
import { isList } from '../../go/value.js';
import type { Readiness, SuiteProcess } from '../suite.js';
import { invalidField, items, memberField, members, type SuiteField, textOfField, unexpected, wholeNumberOf } from './field.js';
import { readPattern } from './matchers.js';
import { fromFolderOf } from './option-fields.js';

/** Members of `exec`. */
const processFields = ['command', 'env', 'cwd', 'ready', 'ready-timeout', 'stop-grace'] as const;

/** Reads the process under test: a command, or a map with one. Throws InvalidSuite. */
export function readProcess(field: SuiteField): SuiteProcess {
  const { file } = field.source;
  if (typeof field.value === 'string' || isList(field.value))
    return { command: commandOf(field), env: {}, cwd: path.dirname(file), ...patience };
  members(field, processFields);
  const command = memberField(field, 'command');
  if (command === undefined) throw invalidField(field, 'has no command');
  const [env, cwd, ready, grace] = [
    memberField(field, 'env'),
    memberField(field, 'cwd'),
    memberField(field, 'ready'),
    memberField(field, 'stop-grace'),
  ];
  const timeout = readyTimeout(field, ready);
  return {
    command: commandOf(command),
    env: env === undefined ? {} : Object.fromEntries(members(env).map(([name, value]) => [name, textOfField(value)])),
    cwd: cwd === undefined ? path.dirname(file) : fromFolderOf(file, textOfField(cwd)),
    readyTimeoutMs: timeout === undefined ? patience.readyTimeoutMs : durationOf(timeout),
    ...(ready === undefined ? {} : { ready: readReadiness(ready) }),
    stopGraceMs: grace === undefined ? patience.stopGraceMs : durationOf(grace),
  };
}

function readyTimeout(exec: SuiteField, ready: SuiteField | undefined): SuiteField | undefined {
  const [old, own] = [memberField(exec, 'ready-timeout'), ready === undefined ? undefined : memberField(ready, 'timeout')];
  if (old !== undefined && own !== undefined) throw invalidField(old, 'repeats ready.timeout', { suggestions: ['leave one out'] });
  return own ?? old;
}

/** Reads when a process is ready: `{path, port, status, log, timeout}`. Throws InvalidSuite. */
function readReadiness(field: SuiteField): Readiness {
  members(field, ['path', 'port', 'status', 'log', 'timeout']);
  const [path, port, status, log] = [
    memberField(field, 'path'),
    memberField(field, 'port'),
    memberField(field, 'status'),
    memberField(field, 'log'),
  ];
  const foreign = path === undefined ? (port ?? status) : undefined;
  if (foreign !== undefined) throw invalidField(foreign, 'requires path', { suggestions: ['add path: with the path of a GET request'] });
  if (path !== undefined && !/^\/[\x21-\x7e]*$/.test(textOfField(path))) throw unexpected(path, 'a path such as /readyz');
  return {
    ...(path === undefined ? {} : { path: textOfField(path) }),
    ...(port === undefined ? {} : { port: portOf(port) }),
    ...(status === undefined ? {} : { status: wholeNumberOf(status, { min: 100, max: 599 }) }),
    ...(log === undefined ? {} : { log: readPattern(log) }),
  };
}

function portOf(field: SuiteField): string {
  if (typeof field.value === 'bigint') return String(wholeNumberOf(field, { min: 1, max: 65_535 }));
  const wanted = `a port, or a variable such as \${PORT2}`;
  const text = textOfField(field, wanted);
  if (!/^\$\{PORT[2-9]?\}$/.test(text)) throw unexpected(field, wanted);
  return text;
}

const patience = { readyTimeoutMs: 30_000, stopGraceMs: 5000 };

function commandOf(field: SuiteField): SuiteProcess['command'] {
  if (!isList(field.value)) return nonEmpty(field, textOfField(field, 'a shell command line, or a list of arguments'));
  const args = items(field).map(item => textOfField(item, 'an argument of the command'));
  if (args.length === 0) throw unexpected(field, 'a program and its arguments');
  return args;
}

function nonEmpty(field: SuiteField, text: string): string {
  if (text.trim() !== '') return text;
  throw unexpected(field, 'a shell command line, or a list of arguments');
}

/** `500ms`, `30s`, `2m`: at most ten minutes. */
function durationOf(field: SuiteField): number {
  const wanted = 'a duration from 1ms to 10m, such as 30s';
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(textOfField(field, wanted)) ?? [];
  const ms = Number(number || Number.NaN) * (unit === 'm' ? 60_000 : unit === 's' ? 1000 : 1);
  if (ms >= 1 && ms <= 600_000) return ms;
  throw unexpected(field, wanted);
}
