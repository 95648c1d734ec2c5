import { describe, expect, it } from 'vitest';
import { nearest } from '../../src/client/nearest.js';

const flags = ['--type', '--url', '--output', '--state', '--kubernetes-version', '--no-color', '--all'];

describe('the nearest known word', () => {
  it.each([
    ['--nope', undefined],
    ['--typo', '--type'],
    ['--tpye', '--type'],
    ['--ulr', '--url'],
    ['--outptu', '--output'],
    ['--kube', '--kubernetes-version'],
    ['--kubernets-verson', '--kubernetes-version'],
    ['--a', undefined],
    ['--', undefined],
    ['', undefined],
    ['output', '--output'],
  ])('of %j is %j', (word, expected) => {
    expect(nearest(word, flags)).toBe(expected);
  });

  it('is the first of several equally similar words', () => {
    expect(nearest('caal', ['call', 'canal'])).toBe('call');
  });
});
