package io.tidemark.etcd;

import com.google.protobuf.Message;
import io.tidemark.etcd.connection.EtcdCalls;
import io.tidemark.etcd.connection.EtcdMethods;
import io.tidemark.etcd.rpc.Rpc;
import io.tidemark.record.Bytes;

/** Creates users and roles, as an administrator of etcd would. */
final class EtcdUsers {
    private final EtcdCalls calls;

    EtcdUsers(EtcdCalls calls) {
        this.calls = calls;
    }

    void addUser(String name, String password, String... roles) {
        change(
                "UserAdd",
                Rpc.AuthUserAddRequest.newBuilder().setName(name).setPassword(password).build());
        for (String role : roles) {
            change(
                    "UserGrantRole",
                    Rpc.AuthUserGrantRoleRequest.newBuilder().setUser(name).setRole(role).build());
        }
    }

    void addRole(String name) {
        change("RoleAdd", Rpc.AuthRoleAddRequest.newBuilder().setName(name).build());
    }

    void allow(String role, Rpc.Permission.Type type, Bytes prefix) {
        change(
                "RoleGrantPermission",
                Rpc.AuthRoleGrantPermissionRequest.newBuilder()
                        .setName(role)
                        .setPerm(
                                Rpc.Permission.newBuilder()
                                        .setPermType(type)
                                        .setKey(Conversions.toWire(prefix))
                                        .setRangeEnd(Conversions.toWire(prefix.prefixEnd())))
                        .build());
    }

    void enable() {
        change("AuthEnable", Rpc.AuthEnableRequest.getDefaultInstance());
    }

    private void change(String method, Message request) {
        calls.write(
                EtcdMethods.unary(
                        "Auth/" + method,
                        request.getDefaultInstanceForType(),
                        Rpc.AuthChangeResponse.getDefaultInstance()),
                request);
    }
}
