import { writePlain } from '../../encoding/plain-json.js';
import { goString } from '../../go/json/write.js';

export type LogLevel = 'info' | 'error' | 'debug';

/** One event of the server, with controller-runtime's message. */
export interface LogEntry {
  readonly level: LogLevel;
  readonly ts: Date;
  readonly logger: string;
  readonly msg: string;
  /** More members, `error` among them. */
  readonly fields: Readonly<Record<string, unknown>>;
}

/** Takes what the server logs. */
export type Log = (entry: LogEntry) => void;

/** The functions that the parts of a server log with. */
export interface Logger {
  info(msg: string, fields?: Readonly<Record<string, unknown>>): void;
  error(msg: string, error: string, fields?: Readonly<Record<string, unknown>>): void;
}

/** A logger under a name, such as `controller-runtime.webhook`. */
export function loggerOf(log: Log, name: string): Logger {
  return {
    info: (msg, fields = {}) => log({ level: 'info', ts: new Date(), logger: name, msg, fields }),
    error: (msg, error, fields = {}) => log({ level: 'error', ts: new Date(), logger: name, msg, fields: { ...fields, error } }),
  };
}

/** A JSON object on one line, as zap writes it. */
export function jsonLine({ level, ts, logger, msg, fields }: LogEntry): string {
  const more = Object.entries(fields).map(([name, value]) => `,${goString(name)}:${writePlain(value)}`);
  return `{"level":"${level}","ts":"${ts.toISOString()}","logger":${goString(logger)},"msg":${goString(msg)}${more.join('')}}\n`;
}

/** The same for people: parts with tabs between them, on one line. */
export function textLine({ level, ts, logger, msg, fields }: LogEntry): string {
  const more = Object.keys(fields).length === 0 ? '' : `\t${writePlain(fields, 'kept')}`;
  return `${ts.toISOString()}\t${level.toUpperCase()}\t${logger}\t${msg}${more}\n`;
}
