import { setImmediate as nextTurn } from 'node:timers/promises';
import type { AnswerPath } from '../client/field-path.js';
import { writeRecording } from '../suites/recording.js';
import { type Description, describeRecording, recordingFileName } from '../suites/recordings/describe-recording.js';
import { redactRecording } from '../suites/recordings/redact-recording.js';
import { type SeenExchange, targetOfReview } from './exchange.js';
import { recordingOf } from './recording-of.js';
import type { RecordingsFolder } from './recordings-folder.js';

/** Result of one exchange, for the printed line. */
export interface RecordedExchange {
  readonly subject: string;
  readonly outcome: string;
  readonly durationMs: number;
  readonly faults: readonly string[];
  /** File of the recording. */
  readonly file?: string | undefined;
  /** Why there is no new file. */
  readonly note?: string | undefined;
}

export interface RecorderOptions {
  /** Undefined: exchanges are only printed. */
  readonly folder: RecordingsFolder | undefined;
  /** Max bytes of one file. */
  readonly maxBytes: number;
  readonly redact: readonly AnswerPath[];
  /** Only these exchanges are recorded. */
  readonly isMatch: (body: string) => boolean;
  readonly onRecorded: (recorded: RecordedExchange) => void;
  /** Called once with the reason when files cannot be written, and with undefined when they can be written again. */
  readonly onTrouble: (error: Error | undefined) => void;
}

export interface Recorder {
  /** Queues an exchange; never fails and never waits. */
  readonly take: (exchange: SeenExchange) => void;
  /** Resolves when all queued exchanges are written. */
  readonly settle: () => Promise<void>;
}

/** Limit of the queue: exchanges beyond it are counted but not recorded. */
const maxWaitingBytes = 128 * 1024 * 1024;

const notRecorded = 'not recorded';

/** Concurrent writes: a write mostly waits for the disk. */
const maxWrites = 8;

/** Returns a recorder. It works in later turns of the event loop, so that new calls are forwarded first. */
export function createRecorder(options: RecorderOptions): Recorder {
  const waiting: SeenExchange[] = [];
  const writing = new Set<Promise<void>>();
  let waitingBytes = 0;
  let working: Promise<void> | undefined;
  let isInTrouble = false;

  const report = (trouble: Error | undefined): void => {
    if (trouble === undefined ? isInTrouble : !isInTrouble) options.onTrouble(trouble);
    isInTrouble = trouble !== undefined;
  };
  const openFolder = async (): Promise<boolean> => {
    try {
      await options.folder?.open();
      return true;
    } catch (error) {
      report(error instanceof Error ? error : new Error(String(error)));
      return false;
    }
  };
  const write = async (line: RecordedExchange, name: string, text: string): Promise<void> => {
    try {
      await options.folder?.write(name, text);
      report(undefined);
      options.onRecorded({ ...line, file: name });
    } catch (error) {
      report(error instanceof Error ? error : new Error(String(error)));
      options.onRecorded({ ...line, file: undefined, note: notRecorded });
    }
  };
  const drain = async (): Promise<void> => {
    for (let exchange = waiting.shift(); exchange !== undefined; exchange = waiting.shift()) {
      await nextTurn();
      waitingBytes -= bytesOf(exchange);
      const isOpen = await openFolder();
      const { line, text } = withoutFailing(exchange, options);
      if (!isOpen) options.onRecorded({ ...line, file: undefined, note: notRecorded });
      else if (text === undefined || line.file === undefined) options.onRecorded(line);
      else {
        const written = write(line, line.file, text).finally(() => writing.delete(written));
        writing.add(written);
        if (writing.size >= maxWrites) await Promise.race(writing);
      }
    }
    await Promise.all(writing);
  };
  const work = async (): Promise<void> => {
    // More may be queued while the last files are written.
    while (waiting.length > 0) await drain();
    working = undefined;
  };
  return {
    take(exchange) {
      const bytes = bytesOf(exchange);
      if (waitingBytes + bytes > maxWaitingBytes) {
        report(new Error('reviews arrive faster than they can be written'));
        return;
      }
      waiting.push(exchange);
      waitingBytes += bytes;
      working ??= work();
    },
    settle: async () => {
      while (working !== undefined) await working;
    },
  };
}

function bytesOf({ request, answer }: SeenExchange): number {
  return (request.body?.length ?? 0) + (answer?.body?.length ?? 0) + 1024;
}

/** A line, and the text of its file when there is something to write. */
interface Result {
  readonly line: RecordedExchange;
  readonly text?: string;
}

/** The proxy continues whatever a review contains. */
function withoutFailing(exchange: SeenExchange, options: RecorderOptions): Result {
  try {
    return recorded(exchange, options);
  } catch (error) {
    const { request, durationMs, faults } = exchange;
    const reason = error instanceof Error ? error.message : String(error);
    return { line: { subject: targetOfReview(request), outcome: '', durationMs, faults, note: `${notRecorded}: ${reason}` } };
  }
}

function recorded(exchange: SeenExchange, { folder, maxBytes, redact, isMatch }: RecorderOptions): Result {
  const { durationMs, faults } = exchange;
  const whole = recordingOf(exchange);
  if (whole === undefined) {
    if (exchange.answer !== undefined) {
      return {
        line: { subject: targetOfReview(exchange.request), outcome: '', durationMs, faults, note: 'not recorded: longer than 32 MiB' },
      };
    }
    return { line: { subject: unanswered(exchange, redact), outcome: faults.length === 0 ? 'no answer' : '', durationMs, faults } };
  }
  const clean = redactRecording(whole, redact);
  const description = describeRecording(clean);
  const line = { subject: description.subject, outcome: description.outcome, durationMs, faults };
  if (folder === undefined) return { line };
  const skipped = skipReason(description, isMatch(whole.request.body));
  if (skipped !== undefined) return { line: { ...line, note: skipped } };
  const known = folder.find(description.key);
  if (known !== undefined) return { line: { ...line, note: `equal to ${known}` } };
  const text = writeRecording(clean);
  if (Buffer.byteLength(text) > maxBytes) return { line: { ...line, note: 'not recorded: longer than --max-bytes' } };
  return { line: { ...line, file: recordingFileName(description) }, text };
}

function skipReason({ review }: Description, isMatch: boolean): string | undefined {
  if (review === undefined) return 'not recorded: not a review';
  return isMatch ? undefined : 'not recorded: --match is false';
}

/** The subject of a call without a response from the webhook. */
function unanswered(exchange: SeenExchange, redact: readonly AnswerPath[]): string {
  const asked = recordingOf({ ...exchange, answer: { start: 'HTTP/1.1 200 OK', headers: [], body: Buffer.alloc(0) } });
  return asked === undefined ? targetOfReview(exchange.request) : describeRecording(redactRecording(asked, redact)).subject;
}
