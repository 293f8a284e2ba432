// Informers of @kubernetes/client-node, one per requested view, as its README sets them up.
//
//   node informer.js SERVER [{"name":…,"path":…,"labelSelector":…}, …]
//
// Prints one JSON document per line: {"error":…} as soon as the client reports one, and for every line
// of standard input {"state":…}: the content of each informer. Ends when standard input does.
import { createInterface } from 'node:readline';
import { KubeConfig, ListWatch, Watch } from '@kubernetes/client-node';
import fetch from 'node-fetch';

const RETRY_MS = 500;
const [server, views] = [process.argv[2], JSON.parse(process.argv[3])];

const config = new KubeConfig();
// The client uses plain HTTP only with skipTLSVerify.
config.loadFromClusterAndUser({ name: 'tidemark', server, skipTLSVerify: true }, { name: 'nobody' });

const say = (document) => process.stdout.write(JSON.stringify(document) + '\n');

const informers = views.map(({ name, path, labelSelector }) => {
    const counts = { lists: 0, watches: 0, events: 0 };
    const query = labelSelector ? '?labelSelector=' + encodeURIComponent(labelSelector) : '';
    const list = async () => {
        counts.lists++;
        const response = await fetch(server + path + query);
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

createInterface(process.stdin)
    .on('line', () =>
        say({
            state: Object.fromEntries(
                informers.map(({ name, informer, counts }) => [
                    name,
                    { counts, objects: versions(informer) },
                ]),
            ),
        }),
    )
    .on('close', () => process.exit(0));
