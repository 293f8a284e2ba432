package io.tidemark.authorization;

import io.tidemark.authorization.RbacObject.Binding;

/** A binding with the rules of its role. */
record Grant(Binding binding, RoleRules role) {}
