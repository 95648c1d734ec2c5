"""Runs an API server and a webhook server of the harness kit.py for scripts/new-minor/oracle.js: a JSON object a line in, one a line out.

    oracle.py KIT-FOLDER VERSION [FLAG ...]

The first line out has the ports and the webhook server's CA. {"call": {...}} makes an API call; its reviews are answered with `replies`, by path and in order,
and with "allowed" afterwards. The servers end with standard input."""
import base64, json, sys

sys.path.insert(0, sys.argv[1])
import kit

replies = {}


def answer(path):
    """A handler that gives the replies for a path, one after the other; `{{uid}}` stands for the uid of the review."""

    def handle(review, *_):
        if not replies.get(path):
            return kit.allow(review)
        reply = replies[path].pop(0)
        return reply['status'], reply['headers'], reply['body'].replace('{{uid}}', review['request']['uid'])

    return handle


def call(api, hooks, asked):
    replies.clear()
    replies.update(asked.get('replies', {}))
    hooks.handlers = {path: answer(path) for path in replies}
    hooks.take()
    body = base64.b64decode(asked['body']) if 'body' in asked else None
    try:
        status, headers, answered = api.call(asked['method'], asked['path'], body, headers=asked.get('headers'), user=asked.get('user'))
    except OSError:
        status, headers, answered = 0, [], b''
    content_type = next((value for name, value in headers if name.lower() == 'content-type'), '')
    return {'status': status, 'contentType': content_type, 'warnings': kit.warnings_of(headers), 'body': answered.decode('utf8', 'replace'),
            'reviews': [{'path': received['path'], 'headers': dict(received['headers']), 'body': received['raw']} for received in hooks.take()]}


with kit.ApiServer(*sys.argv[3:], version=sys.argv[2]) as api, kit.Hooks() as hooks:
    etcd = api.proc.args[api.proc.args.index('-etcd-port') + 1]
    print(json.dumps({'etcd': int(etcd), 'hooks': hooks.port, 'ca': hooks.ca}), flush=True)
    for line in sys.stdin:
        print(json.dumps(call(api, hooks, json.loads(line)['call'])), flush=True)
