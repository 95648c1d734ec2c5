/** A folder of sources, and what its files may import. */
export interface Room {
  /** Rooms whose files may be imported; with the prefix `types of`, only by `import type`. */
  readonly rooms: readonly string[];
  readonly libraries?: readonly string[];
  /** May use the disk, the network or other processes. */
  readonly doesIo?: boolean;
}

const ground = ['src/go', 'src/kubernetes', 'src/encoding'];
const objects = [...ground, 'src/cel', 'src/apiserver/objects'];
const admission = ['src/apiserver/admission', 'src/apiserver/authorization'];
export const apiserverRooms = ['objects', 'patches', 'registry', 'conversion', 'admission', 'authorization', 'webhooks'].map(
  room => `src/apiserver/${room}`,
);
const belowCli = [
  ...ground,
  'src/x509',
  'src/cel',
  'src/transport',
  ...apiserverRooms,
  'src/apiserver',
  'src/apis',
  'src/plugins',
  'src/client',
  'src/captures',
  'src/conformance',
  'src/files',
  'src/controllers',
  'src/certificates',
  'src/go-template',
  'src/webhook-server',
  'src/local-apiserver',
  'src/cluster',
  'src/lint',
  'src/suites',
  'src/fuzz',
  'src/proxy',
  'src/replay',
  'src/redaction',
  'src/reports',
  'src/pages',
];

/** Which room may import which, and the libraries of each, from the top of the table in ARCHITECTURE.md to its end. */
export const rooms: Readonly<Record<string, Room>> = {
  'src/go': { rooms: [] },
  // node:fs for the tables of a Kubernetes version, which are data.
  'src/kubernetes': { rooms: ['src/go'], libraries: ['node:fs'] },
  'src/encoding': { rooms: ['src/go', 'src/kubernetes'], libraries: ['yaml'] },
  // node:tls for Node's list of root certificates, which is data.
  'src/x509': { rooms: ['src/go'], libraries: ['node:tls'] },
  'src/cel': { rooms: ground, libraries: ['re2js'] },
  'src/transport': { rooms: ['src/go', 'src/kubernetes', 'src/x509'], doesIo: true },
  'src/apiserver/objects': { rooms: [...ground, 'src/cel'] },
  'src/apiserver/patches': { rooms: objects, libraries: ['fast-json-patch'] },
  'src/apiserver/registry': { rooms: [...objects, 'src/x509', 'src/apiserver/patches'] },
  'src/apiserver/conversion': { rooms: objects },
  'src/apiserver/admission': { rooms: objects },
  'src/apiserver/authorization': { rooms: [...objects, 'src/apiserver/admission'] },
  'src/apiserver/webhooks': { rooms: [...objects, 'src/apiserver/patches', ...admission] },
  // report, call, storage, endpoints, filters, handlers and handle-call.ts
  'src/apiserver': { rooms: [...ground, 'src/x509', 'src/cel', 'src/transport', ...apiserverRooms] },
  'src/apis': { rooms: [...ground, 'src/x509', 'src/cel', ...apiserverRooms, 'src/apiserver'] },
  'src/plugins': { rooms: [...ground, 'src/x509', 'src/cel', ...apiserverRooms, 'src/apiserver', 'src/apis'] },
  'src/client': { rooms: [...ground, ...apiserverRooms, 'src/apiserver'] },
  'src/captures': { rooms: [...ground, 'src/apiserver', 'src/client'] },
  'src/files': { rooms: [], doesIo: true },
  'src/controllers': { rooms: [...ground, 'src/apiserver/objects', 'src/apis'] },
  'src/certificates': { rooms: [...ground, 'src/x509', 'src/transport', 'src/files'], libraries: ['selfsigned'], doesIo: true },
  'src/go-template': { rooms: ground },
  'src/webhook-server': {
    rooms: [...ground, 'src/files', 'src/certificates', 'src/apiserver/objects', 'src/apiserver/patches', 'src/go-template'],
    doesIo: true,
  },
  'src/local-apiserver': { rooms: [...ground, 'src/cel', ...apiserverRooms, 'src/apiserver', 'src/apis'], doesIo: true },
  'src/cluster': { rooms: [...ground, 'src/apiserver', 'src/client', 'src/files'], libraries: ['undici'], doesIo: true },
  'src/lint': { rooms: [...ground, 'src/cel', 'src/x509', 'src/apiserver/webhooks', 'src/plugins', 'src/client'] },
  'src/redaction': { rooms: ground },
  'src/suites': {
    rooms: [...ground, 'src/redaction', 'src/cel', 'src/transport', ...apiserverRooms, 'src/apiserver', 'src/client', 'src/files'],
    libraries: ['diff'],
    doesIo: true,
  },
  'src/fuzz': {
    rooms: [...ground, 'src/redaction', ...apiserverRooms, 'src/apiserver', 'src/client', 'src/controllers', 'src/suites'],
    libraries: ['fast-check'],
  },
  'src/proxy': { rooms: ['src/go', 'src/redaction', 'src/files', 'src/suites', 'src/webhook-server'], doesIo: true },
  'src/replay': { rooms: [...ground, ...apiserverRooms, 'src/apiserver', 'src/client', 'src/captures'] },
  'src/reports': {
    rooms: [
      ...ground,
      'src/replay',
      ...['src/suites', 'src/lint', 'src/client', 'src/apiserver', ...apiserverRooms].map(room => `types of ${room}`),
    ],
    libraries: ['chalk', 'diff', 'valibot'],
  },
  // node:fs for the files that the build makes for browsers, which are data.
  'src/pages': {
    rooms: [...ground, 'src/reports', ...['src/suites', 'src/client', 'src/apiserver', ...apiserverRooms].map(room => `types of ${room}`)],
    libraries: ['node:fs'],
  },
  'src/conformance': { rooms: [...ground, ...apiserverRooms, 'src/apiserver', 'src/apis', 'src/client'] },
  'src/cli': { rooms: belowCli, libraries: ['@oclif/core'], doesIo: true },
  'src/envtest': {
    rooms: [
      ...ground,
      'src/transport',
      'src/plugins',
      'src/client',
      'src/files',
      'src/certificates',
      'src/local-apiserver',
      'src/cluster',
      'src/cli',
    ],
    doesIo: true,
  },
  'src/library': { rooms: [...ground, 'src/client', 'src/cli', 'src/reports', 'src/webhook-server'] },
  commands: { rooms: [...belowCli, 'src/cli', 'src/envtest'], libraries: ['@oclif/core'], doesIo: true },
};
