import { describe, expect, it } from 'vitest';
import { callFlags } from '../../src/cli/options/call-flags.js';
import { checkFlags, webhookFlags } from '../../src/cli/options/webhook-flags.js';
import { mappingTo } from '../../src/client/options/address-values.js';
import { flagName } from '../../src/client/options/option-names.js';
import type { ReviewOptions } from '../../src/library/options.js';
import { libraryCallOptions, libraryStateOptions, libraryWebhookOptions, readReviewOptions } from '../../src/library/read-options.js';

describe('the options of the library', () => {
  it('are the flags of the command line, except those that name files and clusters', () => {
    const flags = Object.keys({ ...callFlags, ...webhookFlags, ...checkFlags });
    const named: string[] = Object.keys({ ...libraryCallOptions, ...libraryWebhookOptions, ...libraryStateOptions }).map(flagName);
    expect(flags.filter(name => !named.includes(name)).sort()).toEqual([
      'call',
      'case',
      'cluster-timeout',
      'context',
      'filename',
      'kubeconfig',
      'kustomize',
      'old',
      'patch-file',
      'state',
    ]);
    expect(named.filter(name => !flags.includes(name))).toEqual(['words']);
  });

  it('are parsed into the options of a call, with units in the names', () => {
    const now = new Date();
    expect(
      readReviewOptions({
        manifest: '',
        operation: 'patch',
        patch: { spec: { replicas: 2 } },
        asGroup: 'a',
        asUserExtra: { k: ['v', 'w'], l: 'x' },
        service: { 'shop/guard': 'https://127.0.0.1:8443' },
        matchCondition: ['true', 'false'],
        gracePeriod: -1,
        timeout: '2s',
        requestTimeout: '500ms',
        insecureSkipTlsVerify: true,
        dryRun: undefined,
        now,
      }),
    ).toEqual({
      operation: 'patch',
      patch: '{"spec":{"replicas":2}}',
      asGroup: ['a'],
      asUserExtra: [
        { text: 'k=v', key: 'k', value: 'v' },
        { text: 'k=w', key: 'k', value: 'w' },
        { text: 'l=x', key: 'l', value: 'x' },
      ],
      service: [mappingTo('shop/guard', 'https://127.0.0.1:8443')],
      matchCondition: ['true', 'false'],
      gracePeriodSeconds: -1,
      timeoutSeconds: 2,
      requestTimeoutMs: 500,
      insecureSkipTlsVerify: true,
      now,
    });
  });

  it.each<[object, string, string[]]>([
    [{ operaton: 'create' }, 'unknown option operaton', ['did you mean operation?']],
    [{ constructor: 1 }, 'unknown option constructor', [expect.stringMatching(/^use one of operation, /)]],
    [
      { operation: 'CREATE' },
      'invalid option operation "CREATE": expected one of create, update, patch, apply, delete, deletecollection, connect',
      [],
    ],
    [{ timeout: '31s' }, 'invalid option timeout "31s": expected a duration from 1s to 30s, in whole seconds', []],
    [{ timeout: '1500ms' }, 'invalid option timeout "1500ms": expected a duration from 1s to 30s, in whole seconds', []],
    [{ timeout: 5 }, 'invalid option timeout 5: expected a duration from 1s to 30s, in whole seconds', []],
    [{ seed: 1.5 }, 'invalid option seed 1.5: expected an integer from 0 to 4294967295', []],
    [{ demo: 'yes' }, 'invalid option demo "yes": expected true or false', []],
    [{ header: ['a=b'] }, 'invalid option header object: expected an object with string values', []],
    [{ header: { a: 1 } }, 'invalid option header.a 1: expected a string', []],
    [{ asGroup: [1] }, 'invalid option asGroup object: expected a string or a list of strings', []],
    [{ now: new Date('never') }, 'invalid option now object: expected a Date', []],
    [{ url: null }, 'invalid option url null: expected an address such as https://127.0.0.1:8443/validate', []],
  ])('are rejected: %j', (given, message, suggestions) => {
    const wrong: ReviewOptions = { manifest: '', ...given };
    expect(() => readReviewOptions(wrong)).toThrow(expect.objectContaining({ code: 'usage', message, suggestions }));
  });
});
