/**
 * A real etcd as a child process: found on this machine or fetched, started, ended. Start with
 * {@link io.tidemark.local.etcd.EtcdProcess} and {@link io.tidemark.local.etcd.EtcdLocator}.
 */
@NullMarked
package io.tidemark.local.etcd;

import org.jspecify.annotations.NullMarked;
