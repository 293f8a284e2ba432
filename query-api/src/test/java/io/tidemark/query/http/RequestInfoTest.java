package io.tidemark.query.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.authorization.RequestAttributes;
import io.tidemark.authorization.RequestAttributes.NonResourceRequest;
import io.tidemark.authorization.RequestAttributes.ResourceRequest;
import io.tidemark.authorization.SelectorTerm;
import io.tidemark.query.wire.Parameters;
import io.tidemark.record.Bytes;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The cases of the API server's own test of request infos, and the traps that were observed. */
class RequestInfoTest {
    static RequestAttributes of(String method, String uri) {
        return of("/registry/", method, uri);
    }

    private static RequestAttributes of(String mirrored, String method, String uri) {
        int query = uri.indexOf('?');
        String path = query < 0 ? uri : uri.substring(0, query);
        return new RequestInfo(Bytes.utf8(mirrored))
                .of(
                        method,
                        path,
                        ApiPath.parse(path),
                        Parameters.parse(query < 0 ? null : uri.substring(query + 1)));
    }

    /** A dash stands for an empty text. */
    @ParameterizedTest
    @CsvSource(
            delimiter = ' ',
            value = {
                // method, path, verb, group, version, namespace, resource, subresource, name
                "GET /api/v1/namespaces list - v1 - namespaces - -",
                "GET /api/v1/namespaces/other get - v1 other namespaces - other",
                "GET /api/v1/namespaces/other/pods list - v1 other pods - -",
                "GET /api/v1/namespaces/other/pods/foo get - v1 other pods - foo",
                "HEAD /api/v1/namespaces/other/pods/foo get - v1 other pods - foo",
                "GET /api/v1/pods list - v1 - pods - -",
                "HEAD /api/v1/pods list - v1 - pods - -",
                "PATCH /api/v1/namespaces/new patch - v1 new namespaces - new",
                "GET /api/v1/watch/pods watch - v1 - pods - -",
                "GET /api/v1/pods?watch=true watch - v1 - pods - -",
                "GET /api/v1/pods?watch=false list - v1 - pods - -",
                "GET /api/v1/watch/namespaces/other/pods watch - v1 other pods - -",
                "GET /api/v1/namespaces/other/pods?watch=1 watch - v1 other pods - -",
                "GET /api/v1/namespaces/other/pods?watch=0 list - v1 other pods - -",
                "GET /api/v1/namespaces/other/pods/foo/status get - v1 other pods status foo",
                "GET /api/v1/namespaces/other/pods/foo/proxy/a get - v1 other pods proxy foo",
                "PUT /api/v1/namespaces/other/finalize update - v1 other namespaces finalize other",
                "PUT /api/v1/namespaces/other/status update - v1 other namespaces status other",
                "DELETE /api/v1/namespaces/other/pods/foo delete - v1 other pods - foo",
                "POST /api/v1/namespaces/other/pods create - v1 other pods - -",
                "DELETE /api/v1/nodes deletecollection - v1 - nodes - -",
                "DELETE /api/v1/namespaces deletecollection - v1 - namespaces - -",
                "DELETE /apis/x/v1/namespaces/o/pods deletecollection x v1 o pods - -",
                "POST /apis/x/v1beta3/namespaces/other/pods create x v1beta3 other pods - -",
                "OPTIONS /api/v1/pods - - v1 - pods - -",
                // names in field selectors
                "GET /apis/g/v/r?fieldSelector=metadata.name=n list g v - r - n",
                "GET /apis/g/v/r?fieldSelector=metadata.name%3D%3Dn list g v - r - n",
                "GET /apis/g/v/r?watch=true&fieldSelector=metadata.name=n watch g v - r - n",
                "HEAD /apis/g/v/r?fieldSelector=metadata.name=n list g v - r - n",
                "GET /apis/g/v/r?fieldSelector=foo=bar list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name!=n list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=n,foo list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=n,foo&watch=true watch g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=n,foo=b list g v - r - n",
                "GET /apis/g/v/r?fieldSelector=metadata.name=b,metadata.name=a list g v - r - a",
                "GET /apis/g/v/r?fieldSelector=metadata.name=n&fieldSelector=a=b list g v - r - n",
                "GET /apis/g/v/r?fieldSelector=a=b&fieldSelector=metadata.name=n list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=n&limit=x list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=n&labelSelector=!! list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=.. list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=a/b list g v - r - -",
                "GET /apis/g/v/r?fieldSelector=metadata.name=a%2525 list g v - r - -",
                "GET /apis/g/v/watch/r?fieldSelector=metadata.name=n watch g v - r - -",
                "GET /apis/g/v/r/x?fieldSelector=metadata.name=n get g v - r - x",
                "DELETE /apis/g/v/r?fieldSelector=metadata.name=n deletecollection g v - r - -",
                "GET /api/v1/namespaces?fieldSelector=metadata.name=x list - v1 - namespaces - x",
                // odd values of watch
                "GET /api/v1/pods?watch watch - v1 - pods - -",
                "GET /api/v1/pods?watch= watch - v1 - pods - -",
                "GET /api/v1/pods?watch=no watch - v1 - pods - -",
                "GET /api/v1/pods?watch=FALSE list - v1 - pods - -",
                "GET /api/v1/pods?watch=false&watch=true list - v1 - pods - -",
                "GET /api/v1/namespaces/a/pods/x?watch=1 get - v1 a pods - x",
                "GET /api/v1/watch/namespaces/a watch - v1 a namespaces - a",
                // odd paths
                "GET //api/v1/pods list - v1 - pods - -",
                "GET /apis//v1/namespaces/a/pods/x get - v1 a pods - x",
                "GET //apis//v1/pods list - v1 - pods - -",
                "GET /api/v1/namespaces//pods list - v1 - pods - -",
                "GET /api/v1/namespaces/a%2Fpods list - v1 a pods - -",
                "GET /api/v1/namespaces/a/pods// list - v1 a pods - -",
                "GET /api/v1//pods get - v1 - - - pods",
                "GET /api/v1/watch/namespaces/a/pods/x/status watch - v1 a pods status x",
                "GET /api/v1/watch/watch/pods watch - v1 - watch - pods",
                "GET /api/v1/namespaces/a/../b/pods get - v1 a .. pods b",
            })
    void resources(
            String method,
            String uri,
            String verb,
            String group,
            String version,
            String namespace,
            String resource,
            String subresource,
            String name) {
        assertThat(of(method, uri))
                .usingRecursiveComparison()
                .ignoringFields("fields", "labels")
                .isEqualTo(
                        new ResourceRequest(
                                text(verb),
                                text(group),
                                text(version),
                                text(resource),
                                text(subresource),
                                text(namespace),
                                text(name)));
    }

    /** An authorizer may allow a request for what it selects only. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET | /api/v1/pods?fieldSelector=spec.nodeName=n1,status.phase!=Failed"
                        + " | spec.nodeName In [n1], status.phase NotIn [Failed] | ''",
                "GET | /api/v1/pods?watch=1&labelSelector=b,!c,a+in+(z,y),d!=e"
                        + " | '' | b Exists [], c DoesNotExist [], a In [y, z], d NotIn [e]",
                "GET | /api/v1/watch/pods?fieldSelector=spec.nodeName%3Dn1 | spec.nodeName In [n1]"
                        + " | ''",
                "GET | /api/v1/pods?labelSelector=a%3E5,b=c | '' | b In [c]",
                "GET | /api/v1/pods?labelSelector=((&fieldSelector=a=b | '' | ''",
                "GET | /api/v1/pods?fieldSelector=a&labelSelector=b | '' | ''",
                "GET | /api/v1/pods?limit=x&labelSelector=b | '' | ''",
                "GET | /api/v1/namespaces/a/pods/x?labelSelector=b | '' | ''",
                "DELETE | /api/v1/namespaces/a/pods?labelSelector=b | '' | ''",
            })
    void selectors(String method, String uri, String fields, String labels) {
        ResourceRequest request = (ResourceRequest) of(method, uri);

        assertThat(words(request.fields())).containsExactlyInAnyOrder(split(fields));
        assertThat(words(request.labels())).containsExactlyInAnyOrder(split(labels));
    }

    private static String[] split(String cell) {
        return cell.isEmpty() ? new String[0] : cell.split(", (?=[a-z.A-Z]+ [A-Z])");
    }

    private static List<String> words(List<SelectorTerm> terms) {
        return terms.stream()
                .map(each ->
                        "%s %s %s".formatted(each.key(), each.operator().text(), each.values()))
                .toList();
    }

    private static String text(String cell) {
        return cell.equals("-") ? "" : cell;
    }

    @ParameterizedTest
    @CsvSource({
        "GET, /, get, /",
        "GET, /api, get, /api",
        "GET, /api/version/, get, /api/version/",
        "GET, /apis/group/version/, get, /apis/group/version/",
        "GET, /badprefix/version/resource, get, /badprefix/version/resource",
        "GET, /apis/version/resource, get, /apis/version/resource",
        "HEAD, /healthz, head, /healthz",
        "POST, /readyz/etcd?verbose, post, /readyz/etcd",
        "GET, //healthz, get, //healthz",
        "GET, /openapi%2Fv3, get, /openapi/v3",
        "GET, /version/x, get, /version/x",
        "GET, /cluster, get, /cluster",
    })
    void paths(String method, String uri, String verb, String path) {
        assertThat(of(method, uri)).isEqualTo(new NonResourceRequest(verb, path));
    }

    @ParameterizedTest
    @CsvSource({
        "/registry/, /kv/registry/a, /kv/registry/a",
        "/registry/, /kv//registry/a, /kv/registry/a",
        "/registry/, /kv/registry%2Fa, /kv/registry/a",
        "/registry/, /kv/registry/a/, /kv/registry/a/*",
        "/registry/, /kv/registry/a?prefix=true, /kv/registry/a*",
        "/registry/, /kv/registry/a/?prefix=false, /kv/registry/a/",
        "/registry/, /kv/registry/../a, /kv/registry/../a",
        "/registry/, /kv?key=/registry/a, /kv/registry/a",
        "/registry/, /kv, /kv/*",
        "/, /kv, /kv/*",
        "'', /kv, /kv/*",
        "'', /kv/a, /kv/a",
        "'', /kv//a, /kv//a",
        "'', /kv/a*, /kv/a*",
    })
    void keys(String mirrored, String uri, String path) {
        assertThat(of(mirrored, "GET", uri)).isEqualTo(new NonResourceRequest("get", path));
    }
}
