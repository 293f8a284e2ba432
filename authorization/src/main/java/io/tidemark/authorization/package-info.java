/**
 * Decides whether a caller may make a request, by the Roles, ClusterRoles, RoleBindings and
 * ClusterRoleBindings of a cluster, with the rules of Kubernetes' RBAC authorizer. Pure: no I/O, no
 * threads, no clock. Start with {@link io.tidemark.authorization.RbacRules}.
 */
@NullMarked
package io.tidemark.authorization;

import org.jspecify.annotations.NullMarked;
