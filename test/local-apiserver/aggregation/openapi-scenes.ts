import { type Answer, json } from './aggregated-server.js';
import { apiServices, group, type World } from './world.js';

const path = `apis/${group}/v1`;

/** OpenAPI v3 as a service has it. */
export function openApiAnswers(): [string, Answer][] {
  const paths = {
    [path]: { serverRelativeURL: `/openapi/v3/${path}?hash=AB` },
    version: { serverRelativeURL: '/openapi/v3/version?hash=own' },
  };
  return [
    ['/openapi/v3', (_, response) => json(response, 200, { paths })],
    [`/openapi/v3/${path}`, (_, response) => json(response, 200, { openapi: '3.0.0' }, { ETag: '"AB"' })],
  ];
}

/** OpenAPI v3 of the service beside that of the API server. */
export async function playOpenApi({ ask, must, seen }: World): Promise<Record<string, unknown>> {
  await must('PATCH', `${apiServices}/v1.${group}`, { spec: { versionPriority: 21 } }, ['Content-Type: application/merge-patch+json']);
  let listed: unknown;
  for (const end = Date.now() + 100_000; listed === undefined && Date.now() < end; ) {
    const index = (await must('GET', '/openapi/v3')) as { paths: Record<string, unknown> };
    listed = index.paths[path];
    await new Promise(resolve => setTimeout(resolve, 100));
  }
  seen();
  const document = await ask('GET', `/openapi/v3/${path}?hash=AB`, { headers: ['Accept: application/json'] });
  return {
    'listed OpenAPI document': listed,
    'OpenAPI document': { document, seen: seen() },
    'OpenAPI document of nobody': (await ask('GET', `/openapi/v3/apis/${group}/v7`)).status,
  };
}
