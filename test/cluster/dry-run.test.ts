import { describe, expect, it } from 'vitest';
import { dryRunOf } from '../../src/cluster/dry-run/dry-run-call.js';
import { isPortForward, isWriteWithoutDryRun } from '../../src/cluster/http/write-guard.js';

const pods = '/api/v1/namespaces/team/pods';

describe('a dry run of a call', () => {
  it.each([
    ['POST', `${pods}`, '{}', `${pods}?dryRun=All`, '{}'],
    ['PUT', `${pods}/a?fieldManager=x`, '{}', `${pods}/a?fieldManager=x&dryRun=All`, '{}'],
    ['PATCH', `${pods}/a?dryRun=All`, '{}', `${pods}/a?dryRun=All`, '{}'],
    ['DELETE', `${pods}/a`, undefined, `${pods}/a?dryRun=All`, undefined],
    // Options in the body replace those of the query.
    ['DELETE', `${pods}/a`, '{"gracePeriodSeconds":0}', `${pods}/a?dryRun=All`, '{"gracePeriodSeconds":0,"dryRun":["All"]}'],
    ['DELETE', `${pods}/a`, '{"dryRun":[],"kind":"DeleteOptions"}', `${pods}/a?dryRun=All`, '{"kind":"DeleteOptions","dryRun":["All"]}'],
    ['POST', `${pods}/a/eviction`, '{}', `${pods}/a/eviction?dryRun=All`, '{}'],
  ])('of %s %s %s', (method, path, body, dryPath, dryBody) => {
    const made = dryRunOf({ method, path, ...(body === undefined ? {} : { body: Buffer.from(body) }) });
    if ('reason' in made) throw new Error(made.reason);
    expect([made.call.path, made.call.body === undefined ? undefined : Buffer.from(made.call.body).toString()]).toEqual([dryPath, dryBody]);
    expect(isWriteWithoutDryRun(made.call)).toBe(false);
  });

  it.each([
    ['GET', pods, 'GET writes nothing'],
    ['POST', `${pods}/a/exec?command=ls`, 'it opens a connection to a container'],
    ['GET', `${pods}/a/exec?command=ls`, 'it opens a connection to a container'],
    ['POST', `${pods}/a/proxy/x`, 'it is forwarded to a workload'],
    ['POST', '/api/v1/namespaces/team/serviceaccounts/a/token', 'the response would contain a token'],
    ['PATCH', '/api/v1/namespaces/team/secrets/a', "the cluster's response would contain the values of the Secret"],
    ['POST', '/healthz', 'only calls on resources can be dry runs'],
    ['POST', `${pods}?dryRun=`, 'its dryRun is not All'],
    ['POST', `${pods}?dryRun=All&dryRun=None`, 'its dryRun is not All'],
  ])('of %s %s is refused: %s', (method, path, reason) => {
    expect(dryRunOf({ method, path })).toEqual({ reason });
  });

  it('of a deletion whose options are not JSON is refused', () => {
    expect(dryRunOf({ method: 'DELETE', path: `${pods}/a`, body: Buffer.from('kind: DeleteOptions') })).toEqual({
      reason: 'the options of the deletion are not JSON',
    });
  });
});

describe('the guard against writes', () => {
  it.each([
    ['GET', pods, undefined, false],
    ['POST', pods, undefined, true],
    ['POST', `${pods}?dryRun=All`, '{}', false],
    ['POST', `${pods}?dryrun=All`, '{}', true],
    ['DELETE', `${pods}/a?dryRun=All`, undefined, false],
    ['DELETE', `${pods}/a?dryRun=All`, '{"kind":"DeleteOptions"}', true],
    ['DELETE', `${pods}/a?dryRun=All`, '{"kind":"DeleteOptions","dryRun":["All"]}', false],
  ])('%s %s %s is a write: %s', (method, path, body, expected) => {
    expect(isWriteWithoutDryRun({ method, path, body: body === undefined ? undefined : Buffer.from(body) })).toBe(expected);
  });
});

describe('the guard against other connections into the cluster', () => {
  it.each([
    [`${pods}/web-0.a/portforward?ports=8443`, true],
    [`${pods}/web-0/portforward?ports=8443,80`, false],
    [`${pods}/web-0/portforward?ports=8443&dryRun=All`, false],
    [`${pods}/web-0/portforward`, false],
    [`${pods}/web-0/exec?command=ls`, false],
    [`${pods}/web-0/exec?command=/portforward?ports=1`, false],
    [`${pods}/../portforward?ports=1`, false],
    [`${pods}/web-0%2Fexec/portforward?ports=1`, false],
    ['/api/v1/nodes/node-1/proxy/portforward?ports=1', false],
    ['/api/v1/namespaces/team/services/web/portforward?ports=1', false],
  ])('%s is the port of a pod: %s', (path, expected) => {
    expect(isPortForward(path)).toBe(expected);
  });
});
