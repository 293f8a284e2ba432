package io.tidemark.etcd.connection;

import com.google.protobuf.Message;
import io.grpc.MethodDescriptor;
import io.grpc.MethodDescriptor.MethodType;
import io.grpc.protobuf.ProtoUtils;
import io.tidemark.etcd.rpc.Rpc;

/** The methods of etcd's API used here, by etcd's public service and method names. */
public final class EtcdMethods {
    public static final MethodDescriptor<Rpc.RangeRequest, Rpc.RangeResponse> RANGE =
            unary(
                    "KV/Range",
                    Rpc.RangeRequest.getDefaultInstance(),
                    Rpc.RangeResponse.getDefaultInstance());

    /**
     * Since etcd 3.7; an older member, and etcd's gRPC proxy, answer that it is not implemented.
     */
    public static final MethodDescriptor<Rpc.RangeRequest, Rpc.RangeStreamResponse> RANGE_STREAM =
            method(
                    MethodType.SERVER_STREAMING,
                    "KV/RangeStream",
                    Rpc.RangeRequest.getDefaultInstance(),
                    Rpc.RangeStreamResponse.getDefaultInstance());

    public static final MethodDescriptor<Rpc.PutRequest, Rpc.PutResponse> PUT =
            unary(
                    "KV/Put",
                    Rpc.PutRequest.getDefaultInstance(),
                    Rpc.PutResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.DeleteRangeRequest, Rpc.DeleteRangeResponse>
            DELETE_RANGE =
                    unary(
                            "KV/DeleteRange",
                            Rpc.DeleteRangeRequest.getDefaultInstance(),
                            Rpc.DeleteRangeResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.TxnRequest, Rpc.TxnResponse> TXN =
            unary(
                    "KV/Txn",
                    Rpc.TxnRequest.getDefaultInstance(),
                    Rpc.TxnResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.CompactionRequest, Rpc.CompactionResponse> COMPACT =
            unary(
                    "KV/Compact",
                    Rpc.CompactionRequest.getDefaultInstance(),
                    Rpc.CompactionResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.LeaseGrantRequest, Rpc.LeaseGrantResponse>
            LEASE_GRANT =
                    unary(
                            "Lease/LeaseGrant",
                            Rpc.LeaseGrantRequest.getDefaultInstance(),
                            Rpc.LeaseGrantResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.LeaseRevokeRequest, Rpc.LeaseRevokeResponse>
            LEASE_REVOKE =
                    unary(
                            "Lease/LeaseRevoke",
                            Rpc.LeaseRevokeRequest.getDefaultInstance(),
                            Rpc.LeaseRevokeResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.LeaseKeepAliveRequest, Rpc.LeaseKeepAliveResponse>
            LEASE_KEEP_ALIVE =
                    method(
                            MethodType.BIDI_STREAMING,
                            "Lease/LeaseKeepAlive",
                            Rpc.LeaseKeepAliveRequest.getDefaultInstance(),
                            Rpc.LeaseKeepAliveResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.WatchRequest, Rpc.WatchResponse> WATCH =
            method(
                    MethodType.BIDI_STREAMING,
                    "Watch/Watch",
                    Rpc.WatchRequest.getDefaultInstance(),
                    Rpc.WatchResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.StatusRequest, Rpc.StatusResponse> STATUS =
            unary(
                    "Maintenance/Status",
                    Rpc.StatusRequest.getDefaultInstance(),
                    Rpc.StatusResponse.getDefaultInstance());
    public static final MethodDescriptor<Rpc.AuthenticateRequest, Rpc.AuthenticateResponse>
            AUTHENTICATE =
                    unary(
                            "Auth/Authenticate",
                            Rpc.AuthenticateRequest.getDefaultInstance(),
                            Rpc.AuthenticateResponse.getDefaultInstance());

    private EtcdMethods() {}

    /**
     * @param name service and method without the package, such as {@code KV/Range}
     */
    public static <Q extends Message, A extends Message> MethodDescriptor<Q, A> unary(
            String name, Q request, A answer) {
        return method(MethodType.UNARY, name, request, answer);
    }

    private static <Q extends Message, A extends Message> MethodDescriptor<Q, A> method(
            MethodType type, String name, Q request, A answer) {
        return MethodDescriptor.<Q, A>newBuilder()
                .setType(type)
                .setFullMethodName("etcdserverpb." + name)
                .setRequestMarshaller(ProtoUtils.marshaller(request))
                .setResponseMarshaller(ProtoUtils.marshaller(answer))
                .build();
    }
}
