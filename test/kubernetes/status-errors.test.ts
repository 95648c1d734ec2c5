import { describe, expect, it } from 'vitest';
import { writeStatus } from '../../src/encoding/status-json.js';
import { duplicate, invalidValue, notSupported, printFieldErrors, required, tooLong, tooMany } from '../../src/kubernetes/field-error.js';
import {
  applyConflict,
  conflict,
  forbidden,
  internalError,
  invalid,
  methodNotSupported,
  notFound,
  serverTimeout,
  timeout,
  unauthorized,
  unknownError,
} from '../../src/kubernetes/status-errors.js';

const deployments = { group: 'apps', resource: 'deployments' };

describe('a Status', () => {
  it('is written in Go order, without empty members', () => {
    const status = notFound(deployments, '<web>').status;
    expect(writeStatus(status)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"deployments.apps \\"\\u003cweb\\u003e\\" not found",' +
        '"reason":"NotFound","details":{"name":"\\u003cweb\\u003e","group":"apps","kind":"deployments"},"code":404}',
    );
  });

  it('keeps details without members and causes without messages', () => {
    expect(writeStatus(forbidden({ group: '', resource: '' }, '', 'no').status)).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Failure","message":"forbidden: no","reason":"Forbidden","details":{},"code":403}',
    );
    expect(writeStatus(internalError('').status)).toContain('"details":{"causes":[{}]}');
  });

  it('writes the metadata that a webhook set', () => {
    expect(writeStatus({ status: 'Failure', metadata: { selfLink: '/x', continue: 'c', remainingItemCount: 0n } })).toBe(
      '{"kind":"Status","apiVersion":"v1","metadata":{"selfLink":"/x","continue":"c","remainingItemCount":0},"status":"Failure"}',
    );
  });

  it.each([
    [conflict(deployments, 'web', 'changed'), 409, 'Operation cannot be fulfilled on deployments.apps "web": changed'],
    [forbidden(deployments, '', 'no'), 403, 'deployments.apps is forbidden: no'],
    [methodNotSupported(deployments, 'patch'), 405, 'patch is not supported on resources of kind "deployments.apps"'],
    [
      serverTimeout(deployments, 'list', 2),
      500,
      'The list operation against deployments.apps could not be completed at this time, please try again.',
    ],
    [timeout('slow', 0), 504, 'Timeout: slow'],
    [unauthorized(''), 401, 'not authorized'],
    [applyConflict('mine', []), 409, 'mine'],
    [unknownError('boom'), 500, 'boom'],
  ])('has the message and the code of its kind: %s', (error, code, message) => {
    expect([error.status.code, error.status.message, error.message]).toEqual([code, message, message]);
  });

  it('lists every field error as a cause and names equal ones once', () => {
    const missing = required('spec.selector', '');
    const negative = invalidValue('spec.replicas', -1n, 'must be non-negative');
    const { status } = invalid({ group: 'apps', kind: 'Deployment' }, 'web', [missing, missing, negative]);
    expect(status).toEqual({
      status: 'Failure',
      message: 'Deployment.apps "web" is invalid: [spec.selector: Required value, spec.replicas: Invalid value: -1: must be non-negative]',
      reason: 'Invalid',
      details: {
        name: 'web',
        group: 'apps',
        kind: 'Deployment',
        causes: [
          { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.selector' },
          { reason: 'FieldValueRequired', message: 'Required value', field: 'spec.selector' },
          { reason: 'FieldValueInvalid', message: 'Invalid value: -1: must be non-negative', field: 'spec.replicas' },
        ],
      },
      code: 422,
    });
  });
});

describe('a field error', () => {
  it.each([
    [invalidValue('f', 'a"b\u00a0', 'bad'), 'f: Invalid value: "a\\"b\\u00a0": bad'],
    [invalidValue('f', 1e6, 'bad'), 'f: Invalid value: 1e+06: bad'],
    [invalidValue('f', 1.5e-5, 'bad'), 'f: Invalid value: 1.5e-05: bad'],
    [invalidValue('f', 0.25, 'bad'), 'f: Invalid value: 0.25: bad'],
    [invalidValue('f', null, 'bad'), 'f: Invalid value: null: bad'],
    [invalidValue('f', { rawJson: '{"a":1}' }, 'bad'), 'f: Invalid value: {"a":1}: bad'],
    [invalidValue('f', undefined, 'bad'), 'f: Invalid value: bad'],
    [notSupported('f', 'x', ['A', 'B']), 'f: Unsupported value: "x": supported values: "A", "B"'],
    [notSupported('f', 'x', []), 'f: Unsupported value: "x"'],
    [duplicate('f', true), 'f: Duplicate value: true'],
    [tooLong('f', 1), 'f: Too long: may not be more than 1 byte'],
    [tooMany('f', 5, 3), 'f: Too many: 5: must have at most 3 items'],
    [tooMany('f', -1, 1), 'f: Too many: must have at most 1 item'],
  ])('prints its value as Go does: %s', (error, text) => {
    expect(printFieldErrors([error])).toBe(text);
  });
});
