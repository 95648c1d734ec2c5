#!/usr/bin/env node
// For machines without kubectl: creates the pod in the file of `-f`, waits for an APIService, gets a path.
import { readFileSync } from 'node:fs';
import { request } from 'node:https';

const kubeconfig = readFileSync(process.env.KUBECONFIG, 'utf8');
const [, server] = /server: (\S+)/.exec(kubeconfig);
const [, ca] = /certificate-authority-data: (\S+)/.exec(kubeconfig);
const [, token] = /token: (\S+)/.exec(kubeconfig);
const [verb, ...args] = process.argv.slice(2);
const last = args.at(-1);

function send(method, path, body) {
  const headers = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/yaml' };
  return new Promise(resolve => {
    const options = { method, headers, ca: Buffer.from(ca, 'base64') };
    const sent = request(server + path, options, async response =>
      resolve({ status: response.statusCode, text: String(Buffer.concat(await response.toArray())) }),
    );
    sent.end(body);
  });
}

if (verb === 'get') process.stdout.write((await send('GET', last)).text);
else if (verb === 'wait') await waitForApiService(last.replace('apiservice/', ''));
else {
  const { status, text } = await send('POST', '/api/v1/namespaces/default/pods', readFileSync(last));
  if (status !== 201) process.stderr.write(`Error from server: error when creating "${last}": ${JSON.parse(text).message}\n`);
  if (status !== 201) process.exitCode = 1;
}

async function waitForApiService(name) {
  for (const end = Date.now() + 30_000; Date.now() < end; ) {
    const { text } = await send('GET', `/apis/apiregistration.k8s.io/v1/apiservices/${name}`);
    const conditions = JSON.parse(text).status?.conditions ?? [];
    if (conditions.some(({ type, status }) => type === 'Available' && status === 'True')) {
      process.stdout.write(`apiservice.apiregistration.k8s.io/${name} condition met\n`);
      return;
    }
    await new Promise(resolve => setTimeout(resolve, 20));
  }
  process.stderr.write(`error: timed out waiting for the condition on apiservices/${name}\n`);
  process.exitCode = 1;
}
