import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** Returns the shell blocks of README.md and docs/*.md in a package: the page, the line, the language (sh or console) and the text of each. */
export function shellBlocks(folder) {
  const pages = readdirSync(path.join(folder, 'docs')).filter(name => name.endsWith('.md'));
  return ['README.md', ...pages.sort().map(name => `docs/${name}`)].flatMap(page => {
    const text = readFileSync(path.join(folder, page), 'utf8');
    const blocks = [...text.matchAll(/^```(sh|bash|console)\n(.*?)^```$/gms)];
    return blocks.map(({ 1: language, 2: block, index }) => ({
      page,
      line: text.slice(0, index).split('\n').length + 1,
      language: language === 'console' ? 'console' : 'sh',
      text: block,
    }));
  });
}

/** Returns the files that a page shows, each after its name: `main_test.go`: */
export function filesOf(page) {
  return Object.fromEntries(
    [...page.matchAll(/^[^\n`]*`([\w/]+\.\w+)`[^\n]*:\n\n```\w+\n(.*?)^```$/gms)].map(([, name, code]) => [name, code]),
  );
}

/** Returns the commands after `$` as one script, and the output that the block shows. A server that ends in ` &` has written its CA before the following commands. */
export function session({ text }) {
  const examples = text.split(/^(?=\$ )/m).map(example => example.split('\n'));
  const ready = 'n=0; until grep -qs END ca.crt || [ $n -gt 200 ]; do sleep 0.05; n=$((n + 1)); done';
  return {
    script: examples.map(([line]) => line.slice('$ '.length).replace(/ &$/, ` 2> server.log &\n${ready}`)).join('\n'),
    shown: examples.map(([, ...rest]) => rest.join('\n')).join(''),
  };
}
