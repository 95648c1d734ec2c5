import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { root } from '../support/run-command.js';

/** What an attack must not reach, and the tests that show it: files of `test`, and parts of them. */
const table: readonly (readonly [defect: string, ...tests: (readonly [file: string, ...names: string[]])[]])[] = [
  [
    'a cloned repository runs code',
    ['security/trust.test.ts', 'runs no program of %s', 'does not set %s', 'is not searched for above the root', 'need trust for %s'],
    ['security/trust.test.ts', 'until a kubeconfig elsewhere in the repository changes', 'until a kubeconfig of the repository changes'],
    ['cli/dev.test.ts', 'run no program of the configuration of git'],
    ['cli/process.test.ts', 'use no folder that other users can write'],
  ],
  [
    'secrets in reports and snapshots',
    [
      'redaction/planted.test.ts',
      'are not in the output of review',
      'are not in reports and snapshots of test',
      'are not in what %s prints or writes',
      'are not in the page of %s',
    ],
    [
      'redaction/planted-in-fuzz.test.ts',
      'are not in the findings of fuzz',
      'nor in their suite, their page and the requests to the webhook',
    ],
    ['commands/proxy.test.ts', 'neither writes nor prints secrets'],
    [
      'redaction/planted-in-servers.test.ts',
      'are not in what dev shows and writes',
      'are neither on the page of apiserver nor in its log',
      'are neither on the page of proxy',
    ],
    ['commands/replay-recordings.test.ts', 'hides secrets of the reviews'],
  ],
  [
    'what counts as a secret',
    ['redaction/planted.test.ts', 'are that many'],
    ['redaction/secret-names.test.ts', 'names of secrets', 'are found in time linear in the text'],
  ],
  [
    'searching captures takes quadratic time, and signals do not end it',
    [
      'captures/find-captures.test.ts',
      'are found after texts that never end what they begin, in linear time',
      'are searched in YAML in linear time',
    ],
    ['cli/process.test.ts', 'ends on %s at once'],
    ['cli/dev-interruption.test.ts', 'ends dev while a webhook does not answer'],
  ],
  ['text becomes commands', ['security/outputs.test.ts', 'shows nothing unprintable on a terminal, and commands no runner']],
  [
    'links are followed, and files of others removed',
    ['security/files.test.ts', 'are replaced, not followed', 'are not followed by init', 'keeps files that this program did not write'],
    ['fuzz/fuzz-command.test.ts', 'follows no links of the folder'],
  ],
  [
    'one object ends the run',
    ['security/defects.test.ts', 'a number that no float64 holds', '10,000 levels', 'a patch that builds %s', 'a range without characters'],
    ['security/defects.test.ts', 'a folder that was removed', 'too few open files', 'lost output'],
    [
      'security/readers.test.ts',
      'ends no reader of $name with an error of ours',
      'is tried with every file of this program that reads files',
    ],
    ['cli/run-playground.test.ts', 'has nothing at %s, and goes on', 'goes on after more connections than it may have open files'],
  ],
  [
    'damaged caches crash',
    ['cli/process.test.ts', 'with a new, existing, damaged or disabled cache', 'do not use the code of a command that crashed'],
    ['cli/input/state-cache.test.ts', 'is never believed after any damage'],
    ['robustness/damaged-code.test.ts', 'prints the same with code caches after every kind of damage'],
  ],
  [
    'inputs without bounds',
    ['cluster/connection.test.ts', 'prints without end'],
    ['cluster/endless-list.test.ts', 'ends after %s'],
    ['security/defects.test.ts', 'a pattern of many stars', 'a condition of 20,000 members'],
    ['security/special-files.test.ts', 'in place of %s is an error', 'as %s is read up to the limit'],
  ],
  [
    'a request ends a server, or stays in it',
    ['security/hostile-requests.test.ts', 'leave %s alive, with the memory and connections that it had'],
    ['local-apiserver/hostile-clients.test.ts', 'may send headers of 1 MiB', 'get 413 for a body over the limit'],
    ['proxy/pipelined-requests.test.ts', 'wait at the client if they are held for faults'],
    ['envtest/folder.test.ts', 'answers health checks while other clients send a byte from time to time, or nothing'],
    ['cli/replay-lines.test.ts', 'counts empty lines in the limit of a document'],
    ['files/read-file.test.ts', 'are not read beyond the limit, also if the size is known'],
  ],
  [
    'names of strangers become syntax',
    [
      'security/hostile-names.test.ts',
      'are values in %s, and add nothing',
      'come back from sh',
      'start the program from the executables of envtest',
    ],
    ['commands/init-hostile-names.test.ts', 'trusts nothing that a name contains'],
    ['architecture/sources.test.ts', 'are nowhere members of objects of ours'],
  ],
  [
    'remains of killed runs, and passwords of addresses',
    [
      'suites/process/left-behind.test.ts',
      'leaves a process and certificates, which the next run removes',
      'leaves a kubeconfig of apiserver',
    ],
    ['cluster/connection.test.ts', 'shows no password of an address'],
    ['commands/kustomize.test.ts', 'note: kustomize:'],
  ],
  [
    'command lines show a token to other users',
    ['cli/private-address.test.ts', 'gets the name of a file of the user in place of the token, which leads to the page and is removed'],
  ],
  ['listeners on all interfaces', ['security/threat-model.test.ts', 'says that listeners are on loopback: none has another default']],
  [
    'releases',
    ['packaging/workflows.test.ts', 'actions pinned by digest', 'has the fields of a composite action'],
    ['packaging/repository.test.ts', 'has the digest of every package that npm installs'],
  ],
];

describe('each defect has tests that exist', () => {
  it.each(table.map(([defect, ...tests]) => ({ defect, tests })))('$defect', ({ tests }) => {
    const missing = tests.flatMap(([file, ...names]) => {
      const text = readFileSync(path.join(root, 'test', file), 'utf8');
      return names.filter(name => !text.includes(name)).map(name => `${file}: ${name}`);
    });
    expect([tests.length > 0, missing]).toEqual([true, []]);
  });
});
