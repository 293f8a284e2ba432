// Informers of @kubernetes/client-node, one per requested view, as its README sets them up.
//
//   node informer.js {"server":…,"caFile":…,"certFile":…,"keyFile":…,"token":…} [{"name":…,"path":…,"labelSelector":…}, …]
//
// Prints one JSON document per line: {"error":…} as soon as the client reports one. Answers the line "state" of
// standard input with {"state":…}: the content of each informer, and a line with a path with {"status":…}: that of a
// GET. Ends when standard input does.
import { createInterface } from 'node:readline';
import { KubeConfig, ListWatch, Watch } from '@kubernetes/client-node';
import fetch from 'node-fetch';

const RETRY_MS = 500;
const [login, views] = [JSON.parse(process.argv[2]), JSON.parse(process.argv[3])];
const { server, caFile, certFile, keyFile, token } = login;

const config = new KubeConfig();
// The client uses plain HTTP only with skipTLSVerify.
const cluster = caFile ? { name: 'tidemark', server, caFile } : { name: 'tidemark', server, skipTLSVerify: true };
config.loadFromClusterAndUser(cluster, { name: 'user', certFile, keyFile, token });

// A busy server may be too late with its newest state: 504 says to ask again.
const get = async (path) => {
    for (let retries = 10; ; retries--) {
        const options = caFile ? await config.applyToFetchOptions({ method: 'GET' }) : {};
        const response = await fetch(server + path, options);
        if (response.status !== 504 || retries === 0) return response;
    }
};

const say = (document) => process.stdout.write(JSON.stringify(document) + '\n');

const informers = views.map(({ name, path, labelSelector }) => {
    const counts = { lists: 0, watches: 0, events: 0 };
    const query = labelSelector ? '?labelSelector=' + encodeURIComponent(labelSelector) : '';
    const list = async () => {
        counts.lists++;
        const response = await get(path + query);
        if (!response.ok) {
            throw Object.assign(new Error(await response.text()), { code: response.status });
        }
        return response.json();
    };
    const informer = new ListWatch(path, new Watch(config), list, false, labelSelector);
    informer.on('change', () => counts.events++);
    informer.on('connect', () => counts.watches++);
    informer.on('error', (error) => {
        say({ error: { view: name, code: error.code ?? error.statusCode ?? '', text: String(error) } });
        setTimeout(() => informer.start(), RETRY_MS);
    });
    informer.start();
    return { name, informer, counts };
});

const versions = (informer) =>
    Object.fromEntries(
        informer
            .list()
            .map(({ metadata }) => [`${metadata.namespace}/${metadata.name}`, metadata.resourceVersion]),
    );

const state = () =>
    Object.fromEntries(
        informers.map(({ name, informer, counts }) => [name, { counts, objects: versions(informer) }]),
    );

createInterface(process.stdin)
    .on('line', async (line) =>
        say(line === 'state' ? { state: state() } : { status: (await get(line)).status }),
    )
    .on('close', () => process.exit(0));
