import { describe, expect, it } from 'vitest';
import { diagnose } from '../../../src/cli/commands/diagnose/run-diagnose.js';
import { casesOf, readFolder } from '../../corpus/files.js';

/** The messages of all recorded failures, each once. */
function recordedMessages(folder: string): string[] {
  const bodies = readFolder(folder).flatMap(file =>
    casesOf(file).flatMap(testCase => [testCase['answer'], ...(Array.isArray(testCase['answers']) ? testCase['answers'] : [])]),
  );
  const messages = bodies.flatMap(answer => {
    const text = typeof answer === 'object' && answer !== null && 'body' in answer ? answer.body : undefined;
    const message = typeof text === 'string' && text.startsWith('{"kind":"Status"') ? messageIn(text) : undefined;
    return message === undefined ? [] : [message];
  });
  return [...new Set(messages)];
}

/** A Status ends with a line feed; the output of a panic after it is not part of it. */
function messageIn(text: string): string | undefined {
  const { status, message }: Record<string, unknown> = JSON.parse(text.split('\n')[0] ?? '');
  return status === 'Failure' && typeof message === 'string' ? message : undefined;
}

describe.each(['decisions', 'conversion'])('every recorded failure of %s is recognized', folder => {
  const messages = recordedMessages(folder);

  it('are numerous', () => {
    expect(messages.length).toBeGreaterThan(200);
  });

  it('as the text of a Status, as a line of kubectl and as a field of a log line', () => {
    const unknown = messages.filter(message => {
      const pastes = [
        message,
        `Error from server (InternalError): error when creating "a.yaml": ${message}`,
        JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', message }),
        `E1121 12:00:00.000001       1 status.go:71] "apiserver received an error" err=${JSON.stringify(message)} logger="UnhandledError"`,
      ];
      const causes = pastes.map(paste => diagnose(paste)[0]?.cause);
      return causes.some(cause => cause === undefined || cause !== causes[0]);
    });
    expect(unknown).toEqual([]);
  });
});
