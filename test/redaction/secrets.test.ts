import { describe, expect, it } from 'vitest';
import { mapAt, toValue, valueAt } from '../../src/go/value.js';
import { withoutSecrets } from '../../src/redaction/secrets.js';

describe('withoutSecrets', () => {
  it('returns a value without secrets unchanged', () => {
    const value = toValue({ kind: 'Pod', spec: { containers: [{ name: 'app', env: [{ name: 'PORT', value: '80' }] }], tokenPath: '/t' } });
    expect(withoutSecrets(value)).toBe(value);
  });

  it('copies only parts with secrets, and does not modify its argument', () => {
    const value = toValue({ a: { list: ['x'] }, b: { list: [{ password: 'canary' }, { name: 'y' }] }, c: 1 });
    const clean = withoutSecrets(value);
    expect(JSON.stringify([...(mapAt(clean)?.keys() ?? [])])).toBe('["a","b","c"]');
    expect(valueAt(clean, 'a')).toBe(valueAt(value, 'a'));
    expect(valueAt(clean, 'b', 'list', 1)).toBe(valueAt(value, 'b', 'list', 1));
    expect(valueAt(clean, 'b', 'list', 0, 'password')).toMatch(/^<redacted sha256:[0-9a-f]{8}>$/);
    expect(valueAt(value, 'b', 'list', 0, 'password')).toBe('canary');
  });
});
