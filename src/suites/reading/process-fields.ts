import path from 'node:path';
import { isList } from '../../go/value.js';
import type { SuiteProcess } from '../suite.js';
import { type Field, invalid, items, member, members, textOf, unexpected } from './field.js';
import { fromFolderOf } from './flag-fields.js';

/** What `exec` may say beside a command alone. */
export const processFields = ['command', 'env', 'cwd', 'ready-timeout', 'stop-grace'] as const;

/** The process under test: a command, or a map with one. Throws InvalidSuite. */
export async function readProcess(field: Field): Promise<SuiteProcess> {
  const { file } = field.source;
  if (typeof field.value === 'string' || isList(field.value))
    return { command: commandOf(field), env: {}, cwd: path.dirname(file), ...patience };
  members(field, processFields);
  const command = member(field, 'command');
  if (command === undefined) throw invalid(field, 'has no command');
  const [env, cwd, ready, grace] = [
    member(field, 'env'),
    member(field, 'cwd'),
    member(field, 'ready-timeout'),
    member(field, 'stop-grace'),
  ];
  return {
    command: commandOf(command),
    env: env === undefined ? {} : Object.fromEntries(members(env).map(([name, value]) => [name, textOf(value)])),
    cwd: cwd === undefined ? path.dirname(file) : fromFolderOf(file, textOf(cwd)),
    readyTimeoutMs: ready === undefined ? patience.readyTimeoutMs : durationOf(ready),
    stopGraceMs: grace === undefined ? patience.stopGraceMs : durationOf(grace),
  };
}

const patience = { readyTimeoutMs: 30_000, stopGraceMs: 5000 };

function commandOf(field: Field): SuiteProcess['command'] {
  if (!isList(field.value)) return nonEmpty(field, textOf(field, 'a line for the shell, or a list of words'));
  const words = items(field).map(item => textOf(item, 'a word of the command'));
  if (words.length === 0) throw unexpected(field, 'a program and its arguments');
  return words;
}

function nonEmpty(field: Field, text: string): string {
  if (text.trim() !== '') return text;
  throw unexpected(field, 'a line for the shell, or a list of words');
}

/** `500ms`, `30s`, `2m`: at most ten minutes. */
function durationOf(field: Field): number {
  const wanted = 'a duration from 1ms to 10m, such as 30s';
  const [, number = '', unit = ''] = /^(\d+(?:\.\d+)?)(ms|s|m)$/.exec(textOf(field, wanted)) ?? [];
  const ms = Number(number || Number.NaN) * (unit === 'm' ? 60_000 : unit === 's' ? 1000 : 1);
  if (ms >= 1 && ms <= 600_000) return ms;
  throw unexpected(field, wanted);
}
