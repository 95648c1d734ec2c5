import { describe, expect, it } from 'vitest';
import { answerDifference } from './answer.js';
import { parseTree, printTree, sameLeaves } from './json-tree.js';
import { masked } from './mask.js';
import { reviewsDifference } from './reviews.js';

describe('masking', () => {
  it.each([
    ['{"a": "0f8fad5b-d9cb-469f-a165-70867728950e", "b":1}', ['/a'], '{"a": "<uid>", "b":1}'],
    ['{"a":["x",{"b":"2026-01-02T03:04:05Z"},7]}', ['/a/1/b', '/a/2'], '{"a":["x",{"b":"<time>"},"<number>"]}'],
    ['{"a":{"b~/c":"2026-01-02T03:04:05.123456Z"}}', ['/a/b~0~1c'], '{"a":{"b~/c":"<micro time>"}}'],
    ['{"a":{"b":"x"},"c":null}', ['/a', '/a/b', '/c'], '{"a":"<object>","c":null}'],
    ['{"message":"pod-x4bz9 took 12s"}', ['/message'], '{"message":"pod-<random> took <n>s"}'],
    ['{"a":"}","\\u0062":"secret"}', ['/b'], '{"a":"}","\\u0062":"<text>"}'],
    ['no JSON', ['/a'], 'no JSON'],
  ])('replaces a volatile value by its kind: %s', (text, pointers, expected) => {
    expect(masked(text, pointers)).toBe(expected);
  });
});

describe('trees', () => {
  it.each([
    ['{"a":1,"b":"\\u0041"}', '{"b":"A","a":1.0}', true],
    ['12345678901234567890', '12345678901234567891', false],
    ['1e2', '100', true],
    ['-0', '0', true],
    ['1', '"1"', false],
    ['true', '1', false],
    ['{"a":null}', '{}', false],
    ['[1,2]', '[2,1]', false],
    ['"a\nb"', '"a\\nb"', true],
  ])('compare by value: %s and %s', (a, b, same) => {
    expect(sameLeaves(parseTree(a), parseTree(b))).toBe(same);
  });

  it('print numbers as they were written', () => {
    expect(printTree(parseTree('{ "a" : [1.50, -2e+3, "\\u0000number" ] }'))).toBe('{"a":[1.50,-2e+3,"\\u0000number"]}');
  });
});

describe('answers', () => {
  const produced = {
    status: 422,
    warnings: [],
    headers: { 'retry-after': '1' },
    body: '{"kind":"Status","status":"Failure","message":"a, b"}',
  };

  it('differ in status, warnings, recorded headers and the bytes of a Status', () => {
    const { body } = produced;
    expect(answerDifference({ status: 422, headers: { 'Retry-After': '1' }, body }, produced)).toBeUndefined();
    expect(answerDifference({ status: 400, body }, produced)).toContain('status: recorded 400');
    expect(answerDifference({ status: 422, body, warnings: ['w'] }, produced)).toContain('warnings');
    expect(answerDifference({ status: 422, body, headers: { 'Retry-After': '2' } }, produced)).toContain('header Retry-After');
    expect(answerDifference({ status: 422, body: body.replace(':', ': ') }, produced)).toContain('body at');
  });

  it('may name field errors in any order', () => {
    const recorded = { status: 422, body: produced.body.replace('a, b', 'b, a') };
    expect(answerDifference(recorded, produced)).toContain('body at');
    expect(answerDifference(recorded, produced, { unordered: true })).toBeUndefined();
  });

  it('are compared by leaves when they are objects', () => {
    const answer = { ...produced, status: 201, headers: {}, body: '{"b":2,"a":{"c":1}}' };
    expect(answerDifference({ status: 201, body: '{"a":{"c":1.0},"b":2}\n' }, answer)).toBeUndefined();
    expect(answerDifference({ status: 201, body: '{"a":{"c":3},"b":2}\n' }, answer)).toBe('object /a/c: recorded 3, produced 1');
  });
});

describe('reviews', () => {
  it('are compared in order and to the byte, without a timeout where none was recorded', () => {
    const recorded = { reviews: [{ phase: 'mutating', webhook: 'm', path: '/m', body: '{"uid":"1","a":1}' }], volatile: ['/uid'] };
    const review = { phase: 'mutating', webhook: 'm', path: '/m?timeout=1s', body: '{"uid":"2","a":1}' };
    expect(reviewsDifference(recorded, [review], ['phase', 'webhook', 'path'])).toBeUndefined();
    expect(reviewsDifference(recorded, [{ ...review, body: '{"uid":"2","a":2}' }])).toContain('review 0: m at');
    expect(reviewsDifference(recorded, [{ ...review, webhook: 'n' }])).toContain('webhook recorded m, produced n');
    expect(reviewsDifference(recorded, [])).toBe('1 reviews recorded, 0 produced');
  });
});
