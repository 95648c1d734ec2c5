// Starts the installed program as a language server. The extension is bundled with vscode-languageclient when it is packaged.
const { workspace } = require('vscode');
const { LanguageClient } = require('vscode-languageclient/node');

let client;

exports.activate = async function activate() {
  const settings = workspace.getConfiguration('webhook-cli');
  const version = settings.get('kubernetesVersion', '');
  // The scope of the path is the machine: no workspace can name a program.
  const server = {
    command: settings.get('path', 'webhook-cli'),
    args: ['lsp', '--stdio', ...(version === '' ? [] : ['--kubernetes-version', version])],
  };
  const documentSelector = ['yaml', 'json'].map(language => ({ scheme: 'file', language }));
  client = new LanguageClient('webhook-cli', 'webhook-cli', server, { documentSelector });
  await client.start();
};

exports.deactivate = async function deactivate() {
  await client?.stop();
};
