import { afterAll, describe, expect, it } from 'vitest';
import Review from '../../commands/review.js';
import { documentStream } from '../../src/reports/report-stream.js';
import { runCommand } from '../support/run-command.js';
import { temporaryFolder } from '../support/temporary-folder.js';

const maps = ['a', 'b', 'c'].map(name => `apiVersion: v1\nkind: ConfigMap\nmetadata: {name: ${name}}\n`).join('---\n');
const { folder, remove } = temporaryFolder({ 'maps.yaml': maps });
afterAll(() => remove());

const report = (name: string) => new Map([['name', name]]);
const error = new Map([['kind', 'Error']]);

function streamed(format: 'json' | 'yaml', names: readonly string[], errors: readonly Map<string, string>[]): string {
  const stream = documentStream(format, report);
  return names.map(name => stream.next(stream.render(name))).join('') + stream.end(errors);
}

describe('documents that are printed one after another', () => {
  it('are a Report alone, and a ReportList of several', () => {
    expect(JSON.parse(streamed('json', ['a'], []))).toEqual({ name: 'a' });
    const list = { apiVersion: 'webhook-cli.dev/v1alpha1', kind: 'ReportList' };
    expect(JSON.parse(streamed('json', ['a', 'b'], []))).toEqual({ ...list, items: [{ name: 'a' }, { name: 'b' }] });
    expect(JSON.parse(streamed('json', ['a'], [error]))).toEqual({ ...list, items: [{ name: 'a' }], errors: [{ kind: 'Error' }] });
    expect(JSON.parse(streamed('json', [], [error, error]))).toMatchObject({ items: [], errors: [{}, {}] });
  });

  it('are the same in YAML', () => {
    expect(streamed('yaml', ['a'], [])).toBe('name: a\n');
    expect(streamed('yaml', ['a', 'b'], [error])).toBe(
      'apiVersion: webhook-cli.dev/v1alpha1\nkind: ReportList\nitems:\n- name: a\n- name: b\nerrors:\n- kind: Error\n',
    );
  });
});

describe('the output of a run', () => {
  it('comes call by call', async () => {
    const pieces: string[] = [];
    await runCommand(Review, ['--demo', '-f', 'maps.yaml', '-o', 'name'], { cwd: folder, onStdout: text => pieces.push(text) });
    expect(pieces.filter(text => text !== '')).toEqual(['configmap/a allowed\n', 'configmap/b allowed\n', 'configmap/c allowed\n']);
  });

  it('is a complete document when it is interrupted', async () => {
    let interrupt = async (): Promise<void> => {};
    let printed = '';
    let document = '';
    await runCommand(Review, ['--demo', '-f', 'maps.yaml', '-o', 'json'], {
      cwd: folder,
      onInterrupt: cleanUp => {
        interrupt = cleanUp;
        return () => {};
      },
      onStdout: text => {
        printed += text;
        // After the second report.
        if (document !== '' || !printed.includes('"configmap/b created"')) return;
        document = printed;
        void interrupt().then(() => {
          document = printed;
        });
      },
    });
    expect(JSON.parse(document).items).toHaveLength(2);
  });
});
