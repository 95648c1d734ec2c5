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
/** The rooms of `src/apiserver`, and the room of what is in none of them: the story of one call. */
export const apiserverRooms = [
  'src/apiserver',
  ...['objects', 'patches', 'registry', 'conversion', 'admission', 'authorization', 'webhooks'].map(room => `src/apiserver/${room}`),
  ...['report', 'call', 'storage', 'endpoints', 'filters', 'handlers'].map(room => `src/apiserver/${room}`),
];
const belowCli = [
  ...ground,
  'src/writers',
  'src/x509',
  'src/cel',
  'src/transport',
  ...apiserverRooms,
  'src/apis',
  'src/plugins',
  'src/client',
  'src/captures',
  'src/conformance',
  'src/files',
  'src/processes',
  'src/controllers',
  'src/certificates',
  'src/go-template',
  'src/webhook-server',
  'src/local-apiserver',
  'src/cluster',
  'src/cluster/port-forward',
  'src/lint',
  'src/language-server',
  'src/suites',
  'src/fuzz',
  'src/proxy',
  'src/replay',
  'src/redaction',
  'src/reports',
  'src/pages',
];
const shared = ['src/cli/shell', 'src/cli/options', 'src/cli/threads', 'src/cli/work'];

/**
 * Which room may import which, and the libraries of each, from the top of the table in ARCHITECTURE.md to its end. `<name>` stands for the name of
 * any folder: each is a room of its own, which imports nothing of the others.
 */
export const rooms: Readonly<Record<string, Room>> = {
  'src/go': { rooms: [] },
  'src/writers': { rooms: [] },
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
  'src/apiserver/webhooks': { rooms: [...objects, 'src/x509', 'src/apiserver/patches', ...admission] },
  'src/apiserver/report': { rooms: ['src/go', 'src/kubernetes', 'src/apiserver/objects', 'src/apiserver/admission'] },
  'src/apiserver/call': {
    rooms: [
      ...ground,
      ...['objects', 'patches', 'registry', 'conversion'].map(room => `src/apiserver/${room}`),
      ...admission,
      'src/apiserver/report',
    ],
  },
  'src/apiserver/storage': {
    rooms: [...ground, ...['objects', 'registry', 'conversion', 'admission', 'call'].map(room => `src/apiserver/${room}`)],
  },
  'src/apiserver/endpoints': {
    rooms: ['src/go', 'src/kubernetes', ...['conversion', 'webhooks', 'call', 'storage'].map(room => `src/apiserver/${room}`)],
  },
  'src/apiserver/filters': {
    rooms: [...ground, ...['admission', 'report', 'call', 'endpoints'].map(room => `src/apiserver/${room}`)],
  },
  'src/apiserver/handlers': {
    rooms: [
      ...ground,
      ...['objects', 'patches', 'registry', 'admission', 'report', 'call', 'storage', 'endpoints'].map(room => `src/apiserver/${room}`),
    ],
  },
  // handle-call.ts and replay-review.ts
  'src/apiserver': { rooms: [...ground, ...apiserverRooms] },
  'src/apis': { rooms: [...ground, 'src/x509', 'src/cel', ...apiserverRooms] },
  'src/plugins': { rooms: [...ground, 'src/x509', 'src/cel', ...apiserverRooms, 'src/apis'] },
  'src/client': { rooms: [...ground, 'src/writers', ...apiserverRooms] },
  'src/captures': { rooms: [...ground, 'src/apiserver/call', 'src/client'] },
  'src/files': { rooms: [], doesIo: true },
  'src/processes': { rooms: [], doesIo: true },
  'src/controllers': { rooms: [...ground, 'src/apiserver/objects', 'src/apis'] },
  'src/certificates': {
    rooms: [...ground, 'src/writers', 'src/x509', 'src/transport', 'src/files'],
    libraries: ['selfsigned'],
    doesIo: true,
  },
  'src/go-template': { rooms: ground },
  'src/webhook-server': {
    rooms: [...ground, 'src/files', 'src/certificates', 'src/apiserver/objects', 'src/apiserver/patches', 'src/go-template'],
    doesIo: true,
  },
  'src/local-apiserver': { rooms: [...ground, 'src/cel', ...apiserverRooms, 'src/apis'], doesIo: true },
  'src/cluster': {
    rooms: [...ground, 'src/writers', 'src/apiserver/call', 'src/client', 'src/files', 'src/processes'],
    libraries: ['undici'],
    doesIo: true,
  },
  'src/cluster/port-forward': { rooms: [...ground, 'src/writers', 'src/client', 'src/cluster'], libraries: ['node:stream'] },
  'src/lint': { rooms: [...ground, 'src/cel', 'src/x509', 'src/apiserver/webhooks', 'src/plugins', 'src/client'] },
  'src/redaction': { rooms: ground },
  'src/suites': {
    rooms: [...ground, 'src/redaction', 'src/cel', 'src/transport', ...apiserverRooms, 'src/client', 'src/files', 'src/processes'],
    libraries: ['diff'],
    doesIo: true,
  },
  'src/fuzz': {
    rooms: [...ground, 'src/writers', 'src/redaction', ...apiserverRooms, 'src/client', 'src/controllers', 'src/suites'],
    libraries: ['fast-check'],
  },
  'src/proxy': { rooms: ['src/go', 'src/redaction', 'src/client', 'src/files', 'src/suites', 'src/webhook-server'], doesIo: true },
  'src/replay': { rooms: [...ground, ...apiserverRooms, 'src/client', 'src/captures'] },
  'src/reports': {
    rooms: [
      ...ground,
      'src/writers',
      'src/replay',
      ...['src/suites', 'src/lint', 'src/client', ...apiserverRooms].map(room => `types of ${room}`),
    ],
    libraries: ['chalk', 'diff', 'valibot'],
  },
  // node:fs for the files that the build makes for browsers, which are data.
  'src/pages': {
    rooms: [...ground, 'src/writers', 'src/reports', ...['src/suites', 'src/client', ...apiserverRooms].map(room => `types of ${room}`)],
    libraries: ['node:fs'],
  },
  'src/conformance': { rooms: [...ground, ...apiserverRooms, 'src/apis', 'src/client'] },
  'src/language-server': {
    rooms: [...ground, 'src/cel', ...apiserverRooms, 'src/client', 'src/lint'],
    // node:stream and node:url: the program passes the streams; nothing is read or written beside them.
    libraries: ['vscode-languageserver', 'vscode-languageserver-textdocument', 'node:stream', 'node:url'],
  },
  'src/cli/shell': {
    rooms: [
      'src/kubernetes',
      'src/writers',
      'src/redaction',
      'src/transport',
      'src/client',
      'src/files',
      'src/processes',
      'src/suites',
      'src/reports',
      ...['admission', 'report'].map(room => `src/apiserver/${room}`),
    ],
    libraries: ['@oclif/core'],
    doesIo: true,
  },
  'src/cli/options': {
    rooms: [
      'src/go',
      'src/kubernetes',
      'src/encoding',
      'src/writers',
      'src/client',
      'src/files',
      'src/suites',
      'src/reports',
      'src/cli/shell',
    ],
    libraries: ['@oclif/core'],
    doesIo: true,
  },
  'src/cli/threads': { rooms: ['src/go', 'src/cli/shell'] },
  'src/cli/work': { rooms: [...belowCli, 'src/cli/shell', 'src/cli/options', 'src/cli/threads'], doesIo: true },
  'src/cli/commands/<name>': { rooms: [...belowCli, ...shared], libraries: ['@oclif/core'], doesIo: true },
  // main.ts, dispatch.ts and the table of jobs of threads
  'src/cli': { rooms: [...belowCli, ...shared, 'src/cli/commands/<name>'], libraries: ['@oclif/core'] },
  'src/envtest': {
    rooms: [
      ...ground,
      'src/writers',
      'src/cel',
      'src/transport',
      ...apiserverRooms,
      'src/plugins',
      'src/client',
      'src/files',
      'src/certificates',
      'src/local-apiserver',
      'src/cluster',
      'src/cli/shell',
      'src/cli/options',
      'src/cli/work',
    ],
    doesIo: true,
  },
  'src/library': { rooms: [...ground, 'src/client', 'src/cli/shell', 'src/cli/work', 'src/reports', 'src/webhook-server'] },
  commands: {
    rooms: [...belowCli, ...shared, 'src/cli/commands/<name>', 'src/cli', 'src/envtest'],
    libraries: ['@oclif/core'],
    doesIo: true,
  },
};

/** Members that rooms add to `ApiServer` (`declare module`), where their functions read them: only they, and rooms that may import them, read them. */
export const serverMembers: Readonly<Record<string, readonly string[]>> = {
  'src/apiserver/objects': ['scheme', 'storageFactory'],
  'src/apiserver/registry': ['kindNamed'],
  'src/apiserver/admission': ['plugins'],
  'src/apiserver/authorization': ['defaultRoles'],
  'src/apiserver/report': ['otherForms'],
  'src/apiserver/call': ['gateOfResource'],
  'src/apiserver/handlers': ['restStorageNamed', 'partStorageNamed'],
};
