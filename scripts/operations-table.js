// Generates the table of operations in the docs: each call is made with the embedded webhook, and its output becomes the row.
const folder = 'fixtures/operations';

/** Arguments after `webhook-cli review --demo --state fixtures/operations`. */
const calls = [
  ['-f', 'changed/pod-new.yaml'],
  ['-f', 'pod.yaml', '--operation', 'update'],
  ['-f', 'pod.yaml', '--operation', 'patch', '-p', '{"metadata":{"labels":{"a":"b"}}}'],
  ['-f', 'deployment.yaml', '--operation', 'apply'],
  ['-f', 'pod.yaml', '--operation', 'delete'],
  ['-f', 'pod.yaml', '--operation', 'deletecollection'],
  ['-f', 'pod.yaml', '--operation', 'connect', '--subresource', 'exec', '--', 'id'],
  ['-f', 'pod.yaml', '--operation', 'connect', '--subresource', 'exec', '-it', '--', 'sh'],
  ['-f', 'pod.yaml', '--operation', 'connect', '--subresource', 'attach'],
  ['-f', 'pod.yaml', '--operation', 'connect', '--subresource', 'portforward', '--', '8080:80'],
  ['-f', 'service.yaml', '--operation', 'connect', '--subresource', 'proxy', '--', '/metrics'],
  ['-f', 'deployment.yaml', '--operation', 'update', '--subresource', 'status'],
  ['-f', 'deployment.yaml', '--operation', 'patch', '--subresource', 'scale'],
  ['-f', 'changed/pod-debugged.yaml', '--operation', 'patch', '--subresource', 'ephemeralcontainers'],
  ['-f', 'pod.yaml', '--operation', 'update', '--subresource', 'resize'],
  ['-f', 'pod.yaml', '--subresource', 'eviction'],
  ['-f', 'changed/pod-bound.yaml', '--subresource', 'binding'],
  ['-f', 'service-account.yaml', '--subresource', 'token'],
  ['-f', 'certificate-request.yaml', '--operation', 'update', '--subresource', 'approval'],
  ['-f', 'namespace.yaml', '--operation', 'update', '--subresource', 'finalize'],
];

/** Returns the rows of the table. `run` returns the output of a command line of the program. */
export async function operationsTable(run) {
  const rows = [];
  for (const call of calls) {
    const argv = call.map(word => (word.endsWith('.yaml') ? `${folder}/${word}` : word));
    rows.push(rowOf(call, await run(['review', '--demo', '--state', folder, ...argv])));
  }
  return ['| `-f` and flags | kubectl | reviewed as | kubectl prints |', '|---|---|---|---|', ...rows].join('\n');
}

function rowOf([, file, ...flags], printed) {
  const lines = printed.trimEnd().split('\n');
  const at = lines.findIndex(line => line.startsWith('# kubectl '));
  const shown = flags.map(word => (/[{"]/.test(word) ? `'${word}'` : word)).join(' ');
  const command = (lines[at] ?? '').replace('# kubectl ', '').replaceAll(`${folder}/`, '');
  const review = (lines[0] ?? '').replace(' by kubernetes-admin', '');
  const output = lines.slice(at + 1).map(line => cut(line.replaceAll(`${folder}/`, '')));
  return `| ${[`\`${[file, shown].join(' ').trim()}\``, `\`${command}\``, review, output.map(line => `\`${line}\``).join('<br>')].map(escaped).join(' | ')} |`;
}

function cut(line) {
  // Only bodies are long enough to be truncated.
  return line.startsWith('{') && line.length > 96 ? `${line.slice(0, 95)}…` : line;
}

function escaped(cell) {
  return cell.replaceAll('|', '\\|');
}
