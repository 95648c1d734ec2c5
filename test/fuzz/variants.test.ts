import { expect, it } from 'vitest';
import { variantsOf } from '../../src/fuzz/inputs/extremes.js';
import { isMap, listAt, toValue, valueAt } from '../../src/go/value.js';

const pod = toValue({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a' }, spec: { containers: [{ name: 'a', image: 'nginx' }] } });

it('has pods whose volumes have modes of one, two and three octal digits', () => {
  if (!isMap(pod)) throw new Error('a pod is an object');
  const volumes = variantsOf(pod).flatMap(variant => listAt(variant, 'spec', 'volumes'));
  const modes = volumes.flatMap(volume => [
    ...['secret', 'configMap'].map(source => valueAt(volume, source, 'defaultMode')),
    ...listAt(volume, 'configMap', 'items').map(item => valueAt(item, 'mode')),
  ]);
  expect(modes.filter(mode => typeof mode === 'bigint').map(mode => mode.toString(8))).toEqual(expect.arrayContaining(['0', '4', '777']));
});
