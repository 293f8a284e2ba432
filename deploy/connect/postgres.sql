-- The table that postgres.properties writes to: one row for each key of etcd.
CREATE TABLE objects (
    key             text PRIMARY KEY,
    api_version     text,
    kind            text,
    namespace       text,
    name            text,
    uid             text,
    created         timestamp,
    labels          text,   -- a JSON object: labels::jsonb ->> 'app'
    object          text,   -- the whole object as JSON
    raw_value       bytea,  -- a value that is no object
    unreadable      text,   -- why a value is no object
    epoch           bigint NOT NULL,
    revision        bigint NOT NULL,
    create_revision bigint NOT NULL,
    version         bigint NOT NULL,
    lease           bigint
);
CREATE INDEX objects_by_name ON objects (kind, namespace, name);
