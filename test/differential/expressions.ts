import { countAndSeed } from './oracle.js';
import { randomFrom } from './random.js';
import { randomCondition } from './random-expression.js';
import { objectOf, produced, send } from './real-server.js';

/**
 * Compares random match conditions with a real API server: compilation errors from posting them, values from calls to which they apply.
 * `KUBE_APISERVER=https://127.0.0.1:PORT KUBE_TOKEN=... node dist/test/differential/expressions.js [COUNT] [SEED]`
 */
const { count, seed } = countAndSeed();
const random = randomFrom(seed);
const perWebhook = 32;
const webhooksAtOnce = 40;
const configurations = '/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations';
const widgets = '/apis/example.com/v1/namespaces/default/widgets';

const definition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'widgets.example.com' },
  spec: {
    group: 'example.com',
    names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
    scope: 'Namespaced',
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        schema: {
          openAPIV3Schema: { type: 'object', properties: { spec: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } } },
        },
      },
    ],
    conversion: { strategy: 'None' },
  },
};

const spec =
  '{"size":3,"ratio":0.5,"big":9007199254740993,"huge":1e+30,"neg":-7,"whole":2.0,"name":"Wïdget","nothing":null,"list":[1,2,3],' +
  '"mixed":[1,"a",true,null],"words":["b","a","b"],"nested":{"a":{"b":{"c":1}}},"when":"2026-01-02T03:04:05Z","every":"1h30m",' +
  '"cpu":"500m","ip":"10.0.0.1","cidr":"10.0.0.0/8","url":"https://user@example.com:8080/a/b?x=1&x=2#f","bad":"[",' +
  '"keys":{"a-b":1,"a.b":2},"flags":{"on":true,"off":false},"items":[{"id":1,"on":true},{"id":2,"on":true,"extra":2}]}';

let different = 0;
let compiling = 0;
let failing = 0;
let told = 0;
const conditions = Array.from({ length: count }, () => randomCondition(random)).filter(text => text.length < 4000);
await prepare();
for (let i = 0; i < conditions.length; i += perWebhook * webhooksAtOnce) await round(conditions.slice(i, i + perWebhook * webhooksAtOnce));
console.log(
  `${different} differences in ${conditions.length} (${failing} do not compile, ${compiling} do, ${told} of them told their value or error)`,
);
if (different > 0) process.exitCode = 1;

async function prepare(): Promise<void> {
  await send({
    method: 'POST',
    path: '/apis/apiextensions.k8s.io/v1/customresourcedefinitions',
    body: Buffer.from(JSON.stringify(definition)),
  });
  while ((await send({ method: 'GET', path: widgets })).status !== 200) await pause(500);
}

/** Conditions of many webhooks: posted one by one to find those that compile, then evaluated by calls. */
async function round(expressions: readonly string[]): Promise<void> {
  await send({ method: 'DELETE', path: `${configurations}/try` });
  const compiled: string[] = [];
  for (const expression of expressions) if (await compiles(expression)) compiled.push(expression);
  const groups = Array.from({ length: Math.ceil(compiled.length / perWebhook) }, (_, i) =>
    compiled.slice(i * perWebhook, (i + 1) * perWebhook).map(expression => `{'': true}['~' + string(${expression})]`),
  );
  const configuration = configurationOf(groups);
  const created = await send({ method: 'POST', path: configurations, body: Buffer.from(JSON.stringify(configuration)) });
  if (created.status !== 201) throw new Error(`the configuration is refused: ${created.body.slice(0, 2000)}`);
  await pause(1500);
  for (const [i, group] of groups.entries()) await compareGroup(group, i, configuration);
}

async function compiles(expression: string): Promise<boolean> {
  const body = Buffer.from(JSON.stringify(configurationOf([[expression]])));
  const call = { method: 'POST', path: `${configurations}?dryRun=All`, contentType: 'application/json', body };
  const expected = await send(call);
  const found = await produced(call, []);
  const isEqual = expected.status === found.status && (expected.status === 201 || expected.body === found.body);
  if (!isEqual) differs(expression, expected.body, found.body);
  if (expected.status === 201) compiling += 1;
  else failing += 1;
  return isEqual && expected.status === 201;
}

async function compareGroup(group: readonly string[], index: number, configuration: object): Promise<void> {
  const body = Buffer.from(
    `{"apiVersion":"example.com/v1","kind":"Widget","metadata":{"name":"w","labels":{"n":"g${index}","x":"y"}},"spec":${spec}}`,
  );
  const call = { method: 'POST', path: `${widgets}?dryRun=All`, contentType: 'application/json', body };
  const expected = messagesOf((await send(call)).body);
  const state = [definition, configuration].map(objectOf);
  const found = messagesOf((await produced(call, state)).body);
  for (const [i, expression] of group.entries()) {
    const [e, f] = [expected, found].map(messages => messages.get(expression) ?? 'nothing said');
    if (expected.has(expression)) told += 1;
    if (e !== f) differs(`${i}: ${expression}`, e ?? '', f ?? '');
  }
}

/** The error of each expression in a refusal. */
function messagesOf(body: string): ReadonlyMap<string, string> {
  const message = String((JSON.parse(body) as { message?: unknown }).message);
  const parts = message.split(/(?:^|, |: \[?)expression '(?=\{'': true\}\['~' \+ string\()/).slice(1);
  return new Map(
    parts.map(part => {
      const at = part.indexOf("' resulted in error: ");
      return [part.slice(0, at), part.slice(at).replace(/\]$/, '')];
    }),
  );
}

function configurationOf(groups: readonly (readonly string[])[]): object {
  return {
    apiVersion: 'admissionregistration.k8s.io/v1',
    kind: 'ValidatingWebhookConfiguration',
    metadata: { name: 'try' },
    webhooks: groups.map((group, i) => ({
      name: `w${i}.example.com`,
      clientConfig: { url: 'https://127.0.0.1:1/' },
      sideEffects: 'None',
      admissionReviewVersions: ['v1'],
      failurePolicy: 'Fail',
      objectSelector: { matchLabels: { n: `g${i}` } },
      rules: [{ apiGroups: ['example.com'], apiVersions: ['v1'], operations: ['CREATE'], resources: ['widgets'] }],
      matchConditions: group.map((expression, j) => ({ name: `c${j}`, expression })),
    })),
  };
}

function differs(expression: string, expected: string, found: string): void {
  different += 1;
  if (different <= 20)
    console.log(`${JSON.stringify(expression)}\n  expected ${expected.slice(0, 1000)}\n  found    ${found.slice(0, 1000)}`);
}

function pause(milliseconds: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, milliseconds));
}
