import { playScenes } from '../local-apiserver/aggregation/scenes.js';

/** Plays the scenes of aggregated API servers against KUBE_APISERVER with KUBE_TOKEN, and prints what happened. */
const { KUBE_APISERVER: url = '', KUBE_TOKEN: token = '' } = process.env;
process.stdout.write(`${JSON.stringify(await playScenes({ url, token }), null, 1)}\n`);
process.exit();
