#!/usr/bin/env node
// Measures match conditions: loading the engine, compiling, evaluating, and expressions that exceed limits.
// `node bench/cel.js [EVALUATIONS]`, after `npm run build`.
const evaluations = Number(process.argv[2] ?? 100_000);
const loading = performance.now();
const { compileCondition } = await import('../dist/src/cel/program/compile.js');
const { matchConditionEnvironment } = await import('../dist/src/cel/environment/admission.js');
const { evaluate } = await import('../dist/src/cel/program/evaluate.js');
const environment = matchConditionEnvironment();
const first = compileCondition('true', environment);
told('load and compile the first', `${elapsed(loading).toFixed(0)} ms (${first.outcome})`);

const typical =
  "object.metadata.namespace != 'kube-system' && !('skip' in object.metadata.labels) && " +
  "object.spec.containers.all(c, c.image.startsWith('registry.example.com/') && !c.image.endsWith(':latest')) && " +
  "request.operation in ['CREATE', 'UPDATE']";
const object = json({
  metadata: { namespace: 'team', labels: { app: 'web', tier: 'gold' } },
  spec: { containers: ['app', 'sidecar', 'proxy'].map(name => ({ name, image: `registry.example.com/team/${name}:1.2.3` })) },
});
const request = json({ operation: 'CREATE' });
const resolve = name => (name === 'object' ? object : name === 'request' ? request : undefined);

told('compile a typical condition', `${perSecond(2000, () => compileCondition(typical, environment))}`);
const { program } = compileCondition(typical, environment);
const outcome = evaluate(program, { resolve });
told(
  `evaluate it (${outcome.value}, cost ${outcome.cost})`,
  perSecond(evaluations, () => evaluate(program, { resolve })),
);

const bombs = {
  'a cost bomb': 'lists.range(10000).all(x, lists.range(10000).all(y, x + y >= 0))',
  'a list too long to be made': 'lists.range(4611686018427387904).size() == 0',
  'all elements compared with all': 'sets.contains(lists.range(300000), lists.range(300000))',
  'a pattern bomb': `'${'a'.repeat(5000)}'.matches('(a*)*b')`,
  'a large pattern': `'${'a'.repeat(100)}'.matches('((a{1,30}){1,30}){1,2}b')`,
  'a pattern over the limit': `'a'.matches('(((a{1,30}){1,30}){1,30}){1,30}b')`,
  'texts that grow':
    "lists.range(40).map(x, 'ab').map(s, s.replace('', s + s + s).replace('', s + s + s).replace('', s)).join('').size() == 1",
  'deep parentheses': `${'('.repeat(5000)}1${')'.repeat(5000)} == 1`,
  'a long chain': `${'1 + '.repeat(20000)}1 == 1`,
};
for (const [name, expression] of Object.entries(bombs)) {
  const start = performance.now();
  const compiled = compileCondition(expression, environment);
  const result = compiled.outcome === 'compiled' ? evaluate(compiled.program, { resolve }) : undefined;
  const text = result === undefined ? compiled.error.detail : (result.message ?? result.value);
  told(name, `${elapsed(start).toFixed(0)} ms: ${String(text).replaceAll('\n', ' ').slice(0, 110)}`);
}

function perSecond(count, run) {
  for (let i = 0; i < count / 20; i += 1) run();
  const start = performance.now();
  for (let i = 0; i < count; i += 1) run();
  const each = elapsed(start) / count;
  return `${Math.round(1000 / each)} a second, ${(each * 1000).toFixed(1)} µs each`;
}

function elapsed(start) {
  return performance.now() - start;
}

function told(what, figure) {
  console.log(`${what}: ${figure}`);
}

function json(data) {
  if (Array.isArray(data)) return data.map(json);
  return typeof data === 'object' ? new Map(Object.entries(data).map(([key, value]) => [key, json(value)])) : data;
}
