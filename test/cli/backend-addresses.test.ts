import { expect, it } from 'vitest';
import { backendAddressCheck } from '../../src/cli/work/webhooks/remote-addresses.js';

it('names the flag that leads the port of a pod elsewhere', () => {
  const check = backendAddressCheck({});
  expect(() => check?.({ host: '10.1.2.3', port: 8080 }, '10.1.2.3')).toThrow(
    '10.1.2.3:8080 is not on this machine: it is the address of a pod or node; for a pod pass --forward, such as --forward shop/web-0:8080=127.0.0.1:8080; pass --allow-remote to call it there',
  );
});

it('names the flag that maps the service of an APIService', () => {
  const check = backendAddressCheck({});
  expect(() => check?.({ host: '10.0.0.7', port: 443 }, 'wares.shop.svc')).toThrow(
    '10.0.0.7:443 is not on this machine: it is the address of service shop/wares of an APIService; pass --service shop/wares=https://127.0.0.1:8443',
  );
});

it('lets requests go to this machine and to where the user leads a port', () => {
  const check = backendAddressCheck({ forward: [{ from: 'shop/web-0:8080', to: { host: '192.0.2.7', port: 80 } }] });
  expect(() => check?.({ host: '127.0.0.1', port: 1 }, '10.1.2.3')).not.toThrow();
  expect(() => check?.({ host: '192.0.2.7', port: 80 }, '10.1.2.3')).not.toThrow();
  expect(() => check?.({ host: '192.0.2.8', port: 80 }, '10.1.2.3')).toThrow('192.0.2.8:80 is not on this machine');
  expect(backendAddressCheck({ allowRemote: true })).toBeUndefined();
});
